import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { tryThis } from "./tryThis.ts";

export type Demo = {
  readonly root: string;
  /** The folder to open. */
  readonly project: string;
  /** The demo agent's configuration folder. */
  readonly config: string;
  /** Starts the demo agent; its folder comes first on the PATH of the demo's terminal. */
  readonly launcher: string;
  /** A helper extension that starts the demo agent once the window is open. */
  readonly opener: string;
  readonly remove: () => Promise<void>;
};

const here = import.meta.dirname;

/** Builds the demo into a temporary folder of its own. Nothing of it is in the packed extension. */
export async function prepareDemo(): Promise<Demo> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), "plimsoll-demo-")));
  const isWindows = process.platform === "win32";
  const agent = path.join(root, "agent/claude");
  const demo = {
    root,
    project: path.join(root, "demo"),
    config: path.join(root, "config"),
    launcher: path.join(root, "bin", isWindows ? "claude.cmd" : "claude"),
    opener: path.join(root, "opener"),
  };
  for (const folder of [demo.project, demo.config, path.dirname(demo.launcher), demo.opener])
    await mkdir(folder, { recursive: true });
  await bundle(path.join(here, "agent/main.ts"), agent);
  await bundle(path.join(here, "opener/main.ts"), path.join(demo.opener, "main.cjs"));
  const readme = path.join(demo.project, "TRY-THIS.md");
  await writeFile(readme, tryThis);
  await writeFile(
    path.join(demo.opener, "package.json"),
    JSON.stringify(manifest(demo.launcher, readme), undefined, 2),
  );
  await writeFile(demo.launcher, isWindows ? batch(demo.config, agent) : script(demo.config, agent));
  await chmod(demo.launcher, 0o755);
  return { ...demo, remove: () => rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }) };
}

async function bundle(entry: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    external: ["vscode"],
    logLevel: "warning",
  });
}

const script = (config: string, agent: string): string =>
  `#!/bin/sh\nCLAUDE_CONFIG_DIR=${quoted(config)} exec ${quoted(process.execPath)} ${quoted(agent)} "$@"\n`;
const batch = (config: string, agent: string): string =>
  `@set "CLAUDE_CONFIG_DIR=${config}"\r\n@"${process.execPath}" "${agent}" %*\r\n`;
const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

const manifest = (launcher: string, readme: string) => ({
  name: "demo-opener",
  displayName: "Plimsoll's demo",
  description: "Starts the demo agent in a terminal.",
  version: "0.0.1",
  publisher: "plimsoll",
  private: true,
  license: "MIT",
  engines: { vscode: "^1.93.0" },
  extensionKind: ["workspace"],
  main: "./main.cjs",
  files: ["main.cjs"],
  activationEvents: ["onStartupFinished"],
  demo: { launcher, readme },
});
