// Big pinned packages (an editor, the agents) are installed once per lockfile, outside the tree.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export type Pinned = {
  readonly name: string;
  /** Folder with package.json, package-lock.json and .npmrc. */
  readonly manifest: string;
  /** Changes the cache key when the steps of `finish` change. */
  readonly recipe: string;
  readonly finish?: (root: string) => Promise<void>;
};

/** The folder that holds node_modules. Two runs at once both install; the first to finish wins, the other uses it. */
export async function ensureInstalled(pinned: Pinned): Promise<string> {
  const cache = path.join(process.env["XDG_CACHE_HOME"] ?? path.join(homedir(), ".cache"), "plimsoll-test");
  const lockfile = await readFile(path.join(pinned.manifest, "package-lock.json"));
  const key = createHash("sha256").update(lockfile).update(pinned.recipe).digest("hex").slice(0, 16);
  const target = path.join(cache, `${pinned.name}-${key}`);
  if (existsSync(target)) return target;

  await mkdir(cache, { recursive: true });
  const draft = await mkdtemp(path.join(cache, `.${pinned.name}-`));
  try {
    for (const file of ["package.json", "package-lock.json", ".npmrc"]) {
      await cp(path.join(pinned.manifest, file), path.join(draft, file));
    }
    await npm(draft, "ci", "--ignore-scripts");
    await pinned.finish?.(draft);
    await rename(draft, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return target;
}

/** npm as a person in `folder` would run it: without what an outer `npm run` put into the environment about itself. */
export async function npm(folder: string, ...args: readonly string[]): Promise<void> {
  const outer =
    /^npm_(lifecycle|package|execpath|command|node_execpath)|^npm_config_(local_prefix|prefix|ignore_scripts)$/i;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !outer.test(name)));
  await run("npm", [...args, "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: folder,
    env: { ...env, INIT_CWD: folder },
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === "win32",
  });
}
