import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { resolveCliPathFromVSCodeExecutablePath } from "@vscode/test-electron";
import { onPath } from "./onPath.ts";

const usualPlaces = [
  "/usr/share/code/code",
  "/opt/visual-studio-code/code",
  "/snap/code/current/usr/share/code/code",
  "/Applications/Visual Studio Code.app/Contents/MacOS/Electron",
  path.join(process.env["HOME"] ?? "", "Applications/Visual Studio Code.app/Contents/MacOS/Electron"),
  path.join(process.env["LOCALAPPDATA"] ?? "", "Programs/Microsoft VS Code/Code.exe"),
  "C:\\Program Files\\Microsoft VS Code\\Code.exe",
];

/** Desktop VS Code's own program; undefined: there is none, or no screen to show it on. */
export function findDesktop(): string | undefined {
  const { env, platform } = process;
  const hasScreen = platform !== "linux" || Boolean(env["DISPLAY"] || env["WAYLAND_DISPLAY"]);
  // In a remote window's terminal `code` talks to that window; it starts no VS Code of ours.
  if (!hasScreen || env["VSCODE_IPC_HOOK_CLI"] || env["REMOTE_CONTAINERS"] || env["WSL_DISTRO_NAME"]) return undefined;
  const code = onPath(platform === "win32" ? "code.cmd" : "code");
  return [...(code === undefined ? [] : programsOf(realpathSync(code))), ...usualPlaces].find((file) =>
    existsSync(file),
  );
}

/** `code` is a script in the installation's `bin`; on macOS deep inside the application. */
function programsOf(code: string): readonly string[] {
  const up = (...names: readonly string[]) => path.resolve(path.dirname(code), ...names);
  return [up("../code"), up("../Code.exe"), up("../../../MacOS/Electron"), up("../../../MacOS/Code")];
}

const quiet = {
  "security.workspace.trust.enabled": false,
  "workbench.startupEditor": "none",
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
};

export type DesktopOptions = {
  readonly program: string;
  /** For the private profile. */
  readonly dir: string;
  readonly folder: string;
  readonly vsix: readonly string[];
  readonly settings: Readonly<Record<string, unknown>>;
};

/** Opens the folder in a VS Code with a profile of its own; nothing of the person's own VS Code is read or changed. */
export async function openDesktop({ program, dir, folder, vsix, settings }: DesktopOptions): Promise<ChildProcess> {
  const data = path.join(dir, "data");
  await mkdir(path.join(data, "User"), { recursive: true });
  await writeFile(path.join(data, "User/settings.json"), JSON.stringify({ ...quiet, ...settings }, undefined, 2));
  const places = ["--user-data-dir", data, "--extensions-dir", path.join(dir, "extensions")];
  // Chromium refuses to run as root with its sandbox.
  const root = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(VSCODE_|ELECTRON_|npm_)/i.test(name)),
  );
  const cli = resolveCliPathFromVSCodeExecutablePath(program);
  const install = vsix.flatMap((file) => ["--install-extension", file]);
  const isShell = process.platform === "win32";
  await promisify(execFile)(isShell ? `"${cli}"` : cli, [...places, ...root, ...install, "--force"].map(shellWord), {
    env,
    shell: isShell,
  });
  const flags = ["--new-window", "--skip-welcome", "--skip-release-notes", "--disable-workspace-trust"];
  return spawn(program, [...places, ...root, ...flags, folder], { env, stdio: "ignore" });
}

const shellWord = (word: string): string => (process.platform === "win32" && /\s/.test(word) ? `"${word}"` : word);
