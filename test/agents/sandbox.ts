// Folders and a launcher for one agent that sees nothing of this machine: not its environment, not its configuration.
import { chmod, mkdir, realpath, writeFile } from "node:fs/promises";
import path from "node:path";

export type Sandbox = {
  readonly home: string;
  readonly tmp: string;
  /** Real path of the project folder, to open in VS Code. */
  readonly project: string;
  /** To put in front of PATH: holds the launcher under the agent's own name. */
  readonly bin: string;
};

export async function makeSandbox(dir: string): Promise<Sandbox> {
  await mkdir(dir, { recursive: true });
  const root = await realpath(dir);
  const sandbox = {
    home: path.join(root, "home"),
    tmp: path.join(root, "tmp"),
    project: path.join(root, "project"),
    bin: path.join(root, "bin"),
  };
  for (const folder of Object.values(sandbox)) await mkdir(folder, { recursive: true });
  return sandbox;
}

export async function writeLauncher(
  sandbox: Sandbox,
  name: string,
  command: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const full = {
    PATH: [sandbox.bin, path.dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(path.delimiter),
    HOME: sandbox.home,
    TMPDIR: sandbox.tmp,
    SHELL: "/bin/bash",
    LANG: "C.UTF-8",
    // What a VS Code terminal says about itself; agents draw and report accordingly.
    TERM: "xterm-256color",
    TERM_PROGRAM: "vscode",
    COLORTERM: "truecolor",
    ...env,
  };
  const words = [...Object.entries(full).map(([key, value]) => `${key}=${value}`), ...command].map(quote);
  const file = path.join(sandbox.bin, name);
  await writeFile(file, `#!/bin/sh\nexec env -i ${words.join(" ")} "$@"\n`);
  await chmod(file, 0o755);
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
