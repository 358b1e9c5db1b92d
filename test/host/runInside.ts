// Builds the suite in test/vscode and runs it inside VS Code: `tsx test/host/runInside.ts [extension folder]`.
// Desktop VS Code where there is a screen; else VS Code's server and a headless browser.
import { existsSync } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { downloadAndUnzipVSCode, runTests } from "@vscode/test-electron";
import { build } from "esbuild";

const ROOT = path.resolve(import.meta.dirname, "../..");
const OUT = path.join(ROOT, "out/vscode");
const INSTALLED = [
  "/usr/share/code/code",
  "/Applications/Visual Studio Code.app/Contents/MacOS/Electron",
  path.join(process.env["LOCALAPPDATA"] ?? "", "Programs/Microsoft VS Code/Code.exe"),
];

/** A version of desktop VS Code, or `stable`: it is downloaded, whatever is installed. */
const VERSION = process.env["PLIMSOLL_VSCODE_VERSION"];

type Executable = { readonly file: string; readonly firstArguments: readonly string[] };

const extension = process.argv[2] ?? ROOT;
await rm(OUT, { recursive: true, force: true });
await buildSuite();
const workspace = path.join(OUT, "workspace");
await mkdir(workspace, { recursive: true });
const { file, firstArguments } = await executable();
try {
  await runTests({
    vscodeExecutablePath: file,
    extensionDevelopmentPath: path.resolve(extension),
    extensionTestsPath: path.join(OUT, "index.cjs"),
    launchArgs: [...firstArguments, workspace, "--disable-extensions"],
  });
} catch (error) {
  console.error(String(error));
  process.exitCode = 1;
}

async function buildSuite(): Promise<void> {
  const suite = path.join(ROOT, "test/vscode/suite");
  await build({
    entryPoints: (await readdir(suite)).filter((name) => name.endsWith(".ts")).map((name) => path.join(suite, name)),
    outdir: OUT,
    outExtension: { ".js": ".cjs" },
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    sourcemap: "inline",
    // Mocha is bundled: the oldest VS Code's Node cannot load it as the modules it comes in.
    external: ["vscode"],
    logLevel: "error",
  });
}

async function executable(): Promise<Executable> {
  if (VERSION) return { file: await downloadAndUnzipVSCode(VERSION), firstArguments: [] };
  const server = {
    file: process.execPath,
    firstArguments: ["--import", "tsx", path.join(import.meta.dirname, "codeShim.ts")],
  };
  const hasScreen = process.platform !== "linux" || process.env["DISPLAY"] || process.env["WAYLAND_DISPLAY"];
  if (!hasScreen) return server;
  const desktop = INSTALLED.find((place) => existsSync(place)) ?? (await download());
  return desktop ? { file: desktop, firstArguments: [] } : server;
}

async function download(): Promise<string | undefined> {
  try {
    return await downloadAndUnzipVSCode();
  } catch (error) {
    console.warn(`cannot download VS Code, so its server is used: ${String(error)}`);
    return undefined;
  }
}
