// Try it: `npm start` opens a VS Code with a private profile, the packed extension and a demo agent in a terminal, and
// stays until Ctrl+C. `npm start -- --once` goes through the demo by itself. `--server`: not the desktop VS Code.
import { execFile } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { findDesktop, openDesktop } from "./demo/desktop.ts";
import { goThrough } from "./demo/once.ts";
import { onPath } from "./demo/onPath.ts";
import { type Demo, prepareDemo } from "./demo/prepare.ts";
import { createSteps, StepFailed } from "./demo/steps.ts";
import { type Server, startServer } from "./host/server.ts";
import { descendants, endProcess, isAlive } from "./support/processes.ts";

const root = path.resolve(import.meta.dirname, "..");
const vsix = path.join(root, "out/plimsoll.vsix");
const pictures = path.join(root, "out/start");
const steps = createSteps(console.log);

const isOnce = process.argv.includes("--once");
const desktop = isOnce || process.argv.includes("--server") ? undefined : findDesktop();

/** Undone in the other order, whatever happens. */
const cleanups: (() => Promise<void>)[] = [];
let isStopping = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop(0));

try {
  await main();
} catch (error) {
  if (!isStopping) {
    const isExpected = error instanceof StepFailed;
    console.error(isExpected ? error.message : error);
    if (isExpected) console.error(`Pictures are in ${path.relative(process.cwd(), pictures)}.`);
  }
  await stop(1);
}

async function main(): Promise<void> {
  await steps.step("the extension is packed", async () => {
    await pack();
    return path.relative(process.cwd(), vsix);
  });
  const demo = await prepareDemo();
  cleanups.push(demo.remove);
  if (desktop !== undefined) await showOnDesktop(desktop, demo);
  else await showInBrowser(demo);
  await stop(0);
}

async function showInBrowser(demo: Demo): Promise<void> {
  let started: Server | undefined;
  console.log("Starting VS Code's server; the first time it is downloaded, which takes a minute or two …");
  await steps.step("VS Code's server runs", async () => {
    const settings = { "plimsoll.claude.configDirs": [demo.config] };
    started = await startServer({ settings, installVsix: vsix, installFolders: [demo.opener] });
    cleanups.push(started.stop);
    return `port ${started.port}`;
  });
  if (started === undefined) return;
  if (isOnce) {
    await goThrough({ server: started, demo, pictures, steps });
    console.log(`Everything worked. Pictures are in ${path.relative(process.cwd(), pictures)}.`);
    return;
  }
  const { port, token } = started;
  console.log(`\nOpen this in a browser on this machine:\n\n    ${urlOf(port, token, demo.project)}\n`);
  explain(" (with an empty home folder: it asks you to log in)");
  while (isAlive(started.pid)) await pause(500);
  if (!isStopping) throw new StepFailed("VS Code's server has ended by itself");
}

async function showOnDesktop(program: string, demo: Demo): Promise<void> {
  const opener = path.join(demo.root, "opener.vsix");
  await pack(demo.opener, opener);
  const window = await openDesktop({
    program,
    dir: path.join(demo.root, "vscode"),
    folder: demo.project,
    vsix: [vsix, opener],
    settings: { "plimsoll.claude.configDirs": [demo.config] },
  });
  const { pid } = window;
  if (pid === undefined) throw new StepFailed(`${program} could not be started`);
  const ended = once(window, "exit");
  cleanups.push(async () => {
    const family = process.platform === "win32" ? [] : descendants(pid);
    await endProcess(pid);
    await Promise.all(family.map((member) => endProcess(member)));
  });
  console.log(`\nA window of ${program} opens, with a profile of its own.`);
  explain("");
  await ended;
}

/** In a process of its own: the packer prints what it packs. */
async function pack(...args: readonly string[]): Promise<void> {
  const command = ["--import", "tsx", path.join(root, "test/vsix.ts"), ...args];
  await promisify(execFile)(process.execPath, command, { cwd: root });
}

function urlOf(port: number, token: string, folder: string): string {
  return `http://127.0.0.1:${port}/?tkn=${token}&folder=${encodeURIComponent(folder)}`;
}

function explain(home: string): void {
  console.log("A demo agent starts by itself in the terminal there; TRY-THIS.md beside it says what to try.");
  const real = ["claude", "codex"].filter((name) => onPath(name) !== undefined).join(" and ");
  if (real !== "") console.log(`You have ${real} installed: Plimsoll shows it, too, in another terminal there${home}.`);
  console.log("Ctrl+C here ends all of it and removes its folders.");
}

async function stop(code: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  for (const clean of cleanups.toReversed())
    await clean().catch((error: unknown) => console.error(`could not clean up: ${String(error)}`));
  process.exit(code);
}
