import { createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  type Stats,
} from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { createOnce, messageOf, removeFile } from "../secureFiles.ts";

/**
 * Files inside an agent's folder, where anybody who works there may have put a link: no component below the folder may
 * be one, and the real path must lie inside it (R96). Node has no openat, so the way is looked at before and after the
 * file is opened.
 */

/** A failure a person can read: what is so, and what they can do. */
export type Problem = { readonly kind: "problem"; readonly reason: string; readonly remedy: string };

export const problem = (reason: string, remedy: string): Problem => ({ kind: "problem", reason, remedy });

/** Runs what may throw. The message of a system error names a path and a code, never what a file holds. */
export function orProblem<T>(what: string, remedy: string, work: () => T): T | Problem {
  try {
    return work();
  } catch (error) {
    return problem(`${what} (${messageOf(error)})`, remedy);
  }
}

export type Place =
  /** `path`: real and absolute. */
  | { readonly kind: "found"; readonly path: string; readonly stat: Stats }
  | { readonly kind: "missing" | "link" | "outside" | "not-a-file" }
  | { readonly kind: "unreadable"; readonly why: string };

/** Follows a path from the agent's folder down, part by part, without following a link. */
export function placeInside(cwd: string, path: string): Place {
  try {
    const root = realpathSync(cwd);
    const parts = partsBelow(root, cwd, path);
    if (parts === undefined) return { kind: "outside" };
    const target = join(root, ...parts);
    let at = root;
    let stat: Stats | undefined;
    for (const part of parts) {
      if (stat !== undefined && !stat.isDirectory()) return { kind: "missing" };
      at = join(at, part);
      stat = lstatSync(at);
      if (stat.isSymbolicLink()) return { kind: "link" };
    }
    if (stat === undefined || realpathSync(target) !== target) return { kind: "outside" };
    return { kind: "found", path: target, stat };
  } catch (error) {
    const code = codeOf(error);
    return code === "ENOENT" || code === "ENOTDIR" ? { kind: "missing" } : { kind: "unreadable", why: code };
  }
}

/** Parts of a path below the folder, whichever of the folder's two names it begins with; undefined: not below it. */
function partsBelow(root: string, cwd: string, path: string): readonly string[] | undefined {
  const absolute = resolve(root, path);
  for (const base of [resolve(cwd), root]) {
    const below = relative(base, absolute);
    if (below !== "" && below !== ".." && !below.startsWith(`..${sep}`) && !isAbsolute(below)) return below.split(sep);
  }
  return undefined;
}

export type ReadInside =
  | { readonly kind: "read"; readonly path: string; readonly bytes: Buffer; readonly stat: Stats }
  | { readonly kind: "missing" | "link" | "outside" | "not-a-file" }
  | { readonly kind: "too-large"; readonly size: number }
  | { readonly kind: "unreadable"; readonly why: string };

/** A plain file's bytes, at most `cap` of them; its size is asked before anything is read. A hard link is a link too. */
export function readInside(cwd: string, path: string, cap: number): ReadInside {
  const before = placeInside(cwd, path);
  if (before.kind !== "found") return before;
  if (!before.stat.isFile()) return { kind: "not-a-file" };
  const read = readPlain(before.path, cap);
  if (read.kind !== "read") return read;
  if (read.stat.nlink > 1) return { kind: "link" };
  const after = placeInside(cwd, path);
  if (after.kind !== "found") return after;
  return isSameFile(read.stat, before.stat) && isSameFile(read.stat, after.stat)
    ? read
    : { kind: "unreadable", why: "it was replaced while it was read" };
}

/** The same for one path alone: its last part is no link. */
export function readPlain(path: string, cap: number): ReadInside {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | noFollow | noWait);
    const stat = fstatSync(fd);
    if (!stat.isFile()) return { kind: "not-a-file" };
    if (stat.size > cap) return { kind: "too-large", size: stat.size };
    const bytes = readUpTo(fd, cap + 1);
    return bytes.length > cap ? { kind: "too-large", size: bytes.length } : { kind: "read", path, bytes, stat };
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return { kind: "missing" };
    return code === "ELOOP" ? { kind: "link" } : { kind: "unreadable", why: code };
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Whatever the file grows to meanwhile, no more than this is held. */
function readUpTo(fd: number, limit: number): Buffer {
  const chunks: Buffer[] = [];
  let length = 0;
  while (length < limit) {
    const chunk = Buffer.alloc(Math.min(64 * 1024, limit - length));
    const count = readSync(fd, chunk, 0, chunk.length, null);
    if (count === 0) break;
    chunks.push(chunk.subarray(0, count));
    length += count;
  }
  return Buffer.concat(chunks);
}

/** Makes a folder that only its owner may enter, or takes one that is there: no link, ours. Throws otherwise. */
export function ownDir(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) throw new Error(`${path} is a link`);
  if (!stat.isDirectory()) throw new Error(`${path} is no folder`);
  if (process.getuid !== undefined && stat.uid !== process.getuid()) throw new Error(`${path} belongs to another user`);
  if (process.platform !== "win32" && (stat.mode & 0o077) !== 0) chmodSync(path, 0o700);
}

/** Replaces a file as a whole, or makes it. Its folder must be inside `cwd` and no link. Throws where it cannot. */
export function publishInside(cwd: string, path: string, text: string, mode = 0o600): void {
  const folder = placeInside(cwd, dirname(path));
  if (folder.kind !== "found") throw new Error(`${dirname(path)} cannot be used (${folder.kind})`);
  const target = join(folder.path, basename(path));
  const draft = `${target}.${randomBytes(6).toString("hex")}.new`;
  if (!createOnce(draft, text)) throw new Error(`${draft} exists already`);
  try {
    if (mode !== 0o600) chmodSync(draft, mode);
    renameSync(draft, target);
  } catch (error) {
    removeFile(draft);
    throw error;
  }
}

export const sha256Of = (bytes: Buffer | string): string => createHash("sha256").update(bytes).digest("hex");

/** The same file in the same place: device and number of the file, not its name. */
const isSameFile = (a: Stats, b: Stats): boolean => a.dev === b.dev && a.ino === b.ino;

export const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "failed";

const noFollow = constants.O_NOFOLLOW ?? 0;
/** A pipe put in the place of a file must not hold us up. */
const noWait = constants.O_NONBLOCK ?? 0;
