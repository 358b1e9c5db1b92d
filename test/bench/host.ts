import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { z } from "zod";
import { startServer } from "../host/server.ts";
import { openWorkbench, type Workbench } from "../host/workbench.ts";
import { until } from "../support/until.ts";
import { type Bench, type Figure, limited, median, milliseconds } from "./figure.ts";
import { HostProfile, ownMs } from "./profile.ts";
import { stageExtension } from "./sizes.ts";

const starts = 7;
const profiles = 5;
const trivialName = "bench-trivial";
const productId = "plimsoll.plimsoll-";

export const host: Figure = {
  id: "activation",
  title: "The extension in VS Code's extension host",
  async measure(bench) {
    const product = await stageExtension(bench);
    const trivial = await makeTrivial(bench);
    const probe = await makeProbe(bench);
    const { shown, timed } = await activations(bench, [product, trivial, probe]);
    const cpu = (name: string) => median(timed.map((times) => totalMs(times, name)));
    const call = median(timed.map((times) => timesOf(times, productId)?.activateMs ?? Number.NaN));
    const wall = (name: string) => median(shown.map((times) => times.get(name) ?? Number.NaN));
    const withIt = await profilesOf(bench, "with", [product, trivial, probe]);
    const without = await profilesOf(bench, "without", [trivial, probe]);
    const own = withIt.map((profile) => ownMs(profile, productId));
    const hostMs = (all: readonly HostProfile[]) => median(all.map(({ cpuMs }) => cpuMs));
    return {
      rows: [
        limited("`activate()`, CPU, with loading its code", cpu(productId), 50, milliseconds),
        limited("the same as VS Code tells it, time passed", wall("Plimsoll"), 50, milliseconds),
        limited("all of its own time in the first 10 s", median(own), 200, milliseconds),
      ],
      notes: [
        `Activation: CPU that the extension host's process used while it loaded the extension's file and called \`activate()\`, measured inside a real VS Code's host by another extension, the median of ${starts} starts; the call alone ${milliseconds(call)}. An extension that does nothing: ${milliseconds(cpu(trivialName))}.`,
        `*Developer: Show Running Extensions* told ${milliseconds(wall("Plimsoll"))} of time passed for Plimsoll and ${milliseconds(wall(trivialName))} for the extension that does nothing, in the same starts. Both hold what else the machine and the starting window did meanwhile, which is why the CPU stands beside it. Of Plimsoll's, nearly all is loading the file: about two fifths of that are the terminal emulator (loaded alone, outside VS Code).`,
        `Own time: a CPU profile of the extension host from its start on; counted is every sample in which Plimsoll's code was on the stack. The median of ${profiles} starts, the largest ${milliseconds(Math.max(...own))}. Time that passed, so a busy machine makes it longer. No agent's terminal was open.`,
        `The whole host used ${milliseconds(hostMs(withIt))} of CPU in these 10 s with Plimsoll and ${milliseconds(hostMs(without))} without it (medians, the profiler's own time in both).`,
      ],
    };
  },
};

const Times = z.record(z.string(), z.object({ loadMs: z.number(), activateMs: z.number() }));
type Times = z.infer<typeof Times>;

const timesOf = (times: Times, name: string) => Object.entries(times).find(([folder]) => folder.includes(name))?.[1];

function totalMs(times: Times, name: string): number {
  const { loadMs, activateMs } = timesOf(times, name) ?? { loadMs: Number.NaN, activateMs: Number.NaN };
  return loadMs + activateMs;
}

type Activations = {
  /** Name of each extension → its activation as VS Code shows it, ms; for each start. */
  readonly shown: readonly ReadonlyMap<string, number>[];
  readonly timed: readonly Times[];
};

async function activations(bench: Bench, folders: readonly string[]): Promise<Activations> {
  const shown: ReadonlyMap<string, number>[] = [];
  const texts = await looks(bench, { name: "times", look: "times", count: starts, folders }, async (workbench) => {
    await workbench.palette("Developer: Show Running Extensions");
    shown.push(await until("both extensions in the list", () => shownTimes(workbench.page), 30_000));
    await workbench.palette("View: Close All Editors");
  });
  return { shown, timed: texts.map((text) => Times.parse(JSON.parse(text))) };
}

/** Both names with their times, or undefined where the list does not show them yet. */
async function shownTimes(page: Page): Promise<ReadonlyMap<string, number> | undefined> {
  const times = new Map<string, number>();
  const list = page.locator(".runtime-extensions-editor .monaco-list");
  await list.hover();
  for (let step = 0; step < 10 && times.size < 2; step += 1) {
    for (const row of await list.locator(".extension").allInnerTexts()) {
      const ms = /Activation:\s*(\d+)\s*ms/.exec(row)?.[1];
      const name = row.includes(trivialName) ? trivialName : row.includes("Plimsoll") ? "Plimsoll" : undefined;
      if (ms !== undefined && name !== undefined) times.set(name, Number(ms));
    }
    await page.mouse.wheel(0, 300);
  }
  await page.mouse.wheel(0, -10_000);
  return times.size === 2 ? times : undefined;
}

async function profilesOf(bench: Bench, name: string, folders: readonly string[]): Promise<readonly HostProfile[]> {
  const texts = await looks(bench, { name, look: "profile", count: profiles, folders });
  return texts.map((text) => HostProfile.parse(JSON.parse(text)));
}

type Looks = {
  readonly name: string;
  readonly look: "times" | "profile";
  readonly count: number;
  readonly folders: readonly string[];
};

/** What the probe wrote at each start of the extension host. */
async function looks(
  bench: Bench,
  { name, look, count, folders }: Looks,
  each: (workbench: Workbench) => Promise<void> = async () => undefined,
): Promise<readonly string[]> {
  const folder = path.join(bench.dir, `looks-${name}`);
  await mkdir(folder);
  const env = { PLIMSOLL_BENCH_FOLDER: folder, PLIMSOLL_BENCH_LOOK: look };
  const server = await startServer({ installFolders: folders, env });
  try {
    const workbench = await openWorkbench({ server, folder: server.dir });
    for (let start = 0; start < count; start += 1) {
      if (start > 0) await workbench.reload();
      await until(`look ${start + 1} of ${count}`, async () => (await readdir(folder)).length > start, 60_000);
      await each(workbench);
    }
    await workbench.close();
  } finally {
    await server.stop();
  }
  return Promise.all((await readdir(folder)).map((file) => readFile(path.join(folder, file), "utf8")));
}

const manifest = (name: string, activationEvent: string) => ({
  name,
  publisher: "bench",
  version: "1.0.0",
  engines: { vscode: "^1.93.0" },
  main: "./main.cjs",
  activationEvents: [activationEvent],
  extensionKind: ["workspace"],
});

/** An extension that does nothing but start as late as Plimsoll. */
async function makeTrivial({ dir }: Bench): Promise<string> {
  const folder = path.join(dir, trivialName);
  await mkdir(folder);
  await writeFile(path.join(folder, "package.json"), JSON.stringify(manifest(trivialName, "onStartupFinished")));
  await writeFile(path.join(folder, "main.cjs"), 'require("vscode");\nexports.activate = () => undefined;\n');
  return folder;
}

async function makeProbe({ dir }: Bench): Promise<string> {
  const folder = path.join(dir, "bench-probe");
  await mkdir(folder);
  await writeFile(path.join(folder, "package.json"), JSON.stringify(manifest("bench-probe", "*")));
  await build({
    entryPoints: [path.join(import.meta.dirname, "probe/main.ts")],
    outfile: path.join(folder, "main.cjs"),
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    logLevel: "error",
  });
  return folder;
}
