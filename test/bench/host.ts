import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { startServer } from "../host/server.ts";
import { openWorkbench } from "../host/workbench.ts";
import { until } from "../support/until.ts";
import { type Bench, type Figure, limited, median, milliseconds } from "./figure.ts";
import { HostProfile, ownMs } from "./profile.ts";
import { stageExtension } from "./sizes.ts";

const starts = 7;
const profiles = 5;
const trivialName = "bench-trivial";

export const host: Figure = {
  id: "activation",
  title: "The extension in VS Code's extension host",
  async measure(bench) {
    const product = await stageExtension(bench);
    const trivial = await makeTrivial(bench);
    const probe = await makeProbe(bench);
    const shown = await activations([product, trivial]);
    const plimsoll = median(shown.map((times) => times.get("Plimsoll") ?? Number.NaN));
    const nothing = median(shown.map((times) => times.get(trivialName) ?? Number.NaN));
    bench.say(`activation: ${shown.map((times) => [...times.values()].join("/")).join(", ")} ms`);
    const withIt = await profilesOf(bench, "with", [product, trivial, probe]);
    const without = await profilesOf(bench, "without", [trivial, probe]);
    const own = withIt.map((profile) => ownMs(profile, "plimsoll.plimsoll-"));
    const hostMs = (all: readonly HostProfile[]) => median(all.map(({ cpuMs }) => cpuMs));
    return {
      rows: [
        limited("loading and `activate()`, as VS Code measures it", plimsoll, 50, milliseconds),
        limited("all of its own time in the first 10 s", median(own), 200, milliseconds),
      ],
      notes: [
        `Activation as *Developer: Show Running Extensions* tells it (loading the code and the call, time that passed), the median of ${starts} starts of a real VS Code's extension host; an extension that does nothing took ${milliseconds(nothing)} there.`,
        `Own time: a CPU profile of the extension host from the start on, taken inside it by another extension; counted is every sample in which Plimsoll's code was on the stack. The median of ${profiles} starts, the largest ${milliseconds(Math.max(...own))}. The agents' terminals came after that.`,
        `The whole host used ${milliseconds(hostMs(withIt))} of CPU in these 10 s with Plimsoll and ${milliseconds(hostMs(without))} without it (medians, the profiler's own time in both).`,
      ],
    };
  },
};

/** Name of each extension → time of its activation, for each start. */
async function activations(folders: readonly string[]): Promise<readonly ReadonlyMap<string, number>[]> {
  const server = await startServer({ installFolders: folders });
  try {
    const workbench = await openWorkbench({ server, folder: server.dir });
    const all: ReadonlyMap<string, number>[] = [];
    for (let start = 0; start < starts; start += 1) {
      if (start > 0) await workbench.reload();
      await pause(5000);
      await workbench.palette("Developer: Show Running Extensions");
      all.push(await until("both extensions in the list", () => shownTimes(workbench.page), 30_000));
      await workbench.palette("View: Close All Editors");
    }
    await workbench.close();
    return all;
  } finally {
    await server.stop();
  }
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
  const folder = path.join(bench.dir, `profiles-${name}`);
  await mkdir(folder);
  const server = await startServer({ installFolders: folders, env: { PLIMSOLL_BENCH_PROFILES: folder } });
  try {
    const workbench = await openWorkbench({ server, folder: server.dir });
    for (let start = 0; start < profiles; start += 1) {
      if (start > 0) await workbench.reload();
      await until("a profile", async () => (await readdir(folder)).length > start, 60_000);
      // The file is written in one go, but not at once.
      await pause(500);
    }
    await workbench.close();
  } finally {
    await server.stop();
  }
  const texts = await Promise.all((await readdir(folder)).map((file) => readFile(path.join(folder, file), "utf8")));
  return texts.map((text) => HostProfile.parse(JSON.parse(text)));
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
