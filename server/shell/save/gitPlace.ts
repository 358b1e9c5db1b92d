import { lstatSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { readPlain } from "./inside.ts";

/** Where git keeps its files for a folder. `shared`: what all worktrees of the repository have in common. */
export type GitPlace = {
  /** Root of the working tree the folder lies in. */
  readonly root: string;
  readonly gitDir: string;
  readonly shared: string;
  /** It is a further worktree of a repository. */
  readonly isLinked: boolean;
};

/** A `.git` file and its like hold one path, bytes. */
const smallFile = 4096;

/**
 * The repository of a folder, found as git finds it but without running git: hooks and settings of a repository are
 * programs of somebody. Undefined: none, or one that cannot be read (its `.git` is a link, or names nothing).
 */
export function gitPlaceOf(cwd: string): GitPlace | undefined {
  try {
    let root = realpathSync(cwd);
    for (;;) {
      const place = gitPlaceAt(root);
      if (place !== undefined) return place === "unusable" ? undefined : place;
      const parent = dirname(root);
      if (parent === root) return undefined;
      root = parent;
    }
  } catch {
    return undefined;
  }
}

/** `unusable`: there is a `.git`, so the search ends here. Undefined: there is none. */
function gitPlaceAt(root: string): GitPlace | "unusable" | undefined {
  const dotGit = join(root, ".git");
  const stat = lstatSync(dotGit, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (stat.isDirectory())
    return isGitDir(dotGit) ? { root, gitDir: dotGit, shared: dotGit, isLinked: false } : undefined;
  if (!stat.isFile()) return "unusable";
  const named = /^gitdir: (.+)$/.exec(smallText(dotGit) ?? "")?.[1];
  if (named === undefined) return "unusable";
  const gitDir = resolve(root, named);
  if (!isDir(gitDir)) return "unusable";
  // Only a further worktree has this file; a submodule has not.
  const common = smallText(join(gitDir, "commondir"));
  if (common === undefined) return isGitDir(gitDir) ? { root, gitDir, shared: gitDir, isLinked: false } : "unusable";
  const shared = isAbsolute(common) ? common : resolve(gitDir, common);
  return isDir(shared) ? { root, gitDir, shared, isLinked: true } : "unusable";
}

const isDir = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
const isGitDir = (path: string): boolean =>
  lstatSync(join(path, "HEAD"), { throwIfNoEntry: false }) !== undefined && isDir(join(path, "objects"));

/** Text of a small file without the line's end; undefined where there is none. */
export function smallText(path: string): string | undefined {
  const read = readPlain(path, smallFile);
  return read.kind === "read" ? read.bytes.toString("utf8").trimEnd() : undefined;
}
