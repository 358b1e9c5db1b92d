import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";

/**
 * Files that only their owner may read (R222): folders 0700, files 0600, of this account, with one name, no links
 * followed, published whole. Windows keeps the account's own rights instead. Errors are thrown: the caller turns them
 * into a reason.
 */

/** A state file larger than this is not read (R224), bytes. */
const capBytes = 4 * 1024 * 1024;

const noFollow = constants.O_NOFOLLOW ?? 0;
const isPosix = process.platform !== "win32";

/** A folder of ours; one that others may look into is closed to them. */
export function ensurePrivateDir(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) throw new Error(`${path} is a link`);
  if (!stat.isDirectory()) throw new Error(`${path} is not a folder`);
  if (!isPosix) return;
  requireOwn(path, stat);
  requireSafeParents(path);
  if (isClosed(stat)) return;
  const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | noFollow);
  try {
    fchmodSync(fd, 0o700);
  } finally {
    closeSync(fd);
  }
}

/** Above the folder, whoever may write may put another in its place. A sticky bit (as of /tmp) forbids that. */
function requireSafeParents(path: string): void {
  for (let at = dirname(realpathSync(path)); ; at = dirname(at)) {
    const { mode } = lstatSync(at);
    if ((mode & 0o002) !== 0 && (mode & 0o1000) === 0)
      throw new Error(`${at} may be written by anybody, and so ${path} may be replaced: take that right away`);
    if (at === dirname(at)) return;
  }
}

/**
 * Appends bytes and waits until they are on disk. False where the file is not of that size (none: 0): somebody else
 * wrote, and nothing is written.
 */
export function appendDurably(path: string, text: string, size: number): boolean {
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK | noFollow;
  const fd = openPlain(path, flags);
  try {
    const stat = fstatSync(fd);
    requirePrivate(path, stat);
    if (stat.size !== size) return false;
    try {
      writeFileSync(fd, text);
      fsyncSync(fd);
    } catch (error) {
      ftruncateSync(fd, size);
      throw error;
    }
  } finally {
    closeSync(fd);
  }
  if (size === 0) syncDir(dirname(path));
  return true;
}

/** Replaces a file as a whole. */
export function publish(path: string, text: string): void {
  const draft = draftOf(path, text);
  try {
    renameSync(draft, path);
  } catch (error) {
    removeFile(draft);
    throw error;
  }
  syncDir(dirname(path));
}

/** As `createOnce`, but nobody ever sees the file without all of its text. It has two names for a moment. */
export function publishOnce(path: string, text: string): boolean {
  const draft = draftOf(path, text);
  try {
    linkSync(draft, path);
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    throw error;
  } finally {
    removeFile(draft);
  }
  syncDir(dirname(path));
  return true;
}

/** How the drafts of a file end; one whose maker died stays behind. */
export const draftEnd = ".new";

function draftOf(path: string, text: string): string {
  const draft = `${path}.${process.pid}.${randomBytes(6).toString("hex")}${draftEnd}`;
  if (!createOnce(draft, text)) throw new Error(`${draft} exists already`);
  return draft;
}

/** The text of a private file; undefined where there is none. Throws where it may not be ours alone, or is too large. */
export function readPrivate(path: string, names = 1): string | undefined {
  return readPrivateBytes(path, names)?.toString("utf8");
}

/** `names`: so many names (hard links) the file may have. */
export function readPrivateBytes(path: string, names = 1): Buffer | undefined {
  let fd: number;
  try {
    fd = openPlain(path, constants.O_RDONLY | constants.O_NONBLOCK | noFollow);
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    throw error;
  }
  try {
    const stat = fstatSync(fd);
    requirePrivate(path, stat, names);
    if (stat.size > capBytes) throw new Error(`${path} is larger than ${capBytes} bytes`);
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

function openPlain(path: string, flags: number): number {
  try {
    return openSync(path, flags, 0o600);
  } catch (error) {
    if (isCode(error, "ELOOP")) throw new Error(`${path} is a link`);
    throw error;
  }
}

function requirePrivate(path: string, stat: Stats, names = 1): void {
  if (!stat.isFile()) throw new Error(`${path} is no plain file`);
  if (!isPosix) return;
  requireOwn(path, stat);
  if (stat.nlink > names) throw new Error(`${path} has ${stat.nlink} names (hard links): another may lead to it`);
  if (!isClosed(stat))
    throw new Error(`${path} is open to other accounts (mode ${(stat.mode & 0o777).toString(8)}, not 600)`);
}

function requireOwn(path: string, { uid }: Stats): void {
  const own = process.geteuid?.();
  if (own !== undefined && uid !== own) throw new Error(`${path} belongs to account ${uid}, not to ${own}`);
}

const isClosed = ({ mode }: Stats): boolean => (mode & 0o077) === 0;

/** Makes a file that must not exist yet: true for the one process that made it. */
export function createOnce(path: string, text: string | Uint8Array): boolean {
  let fd: number;
  try {
    fd = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow, 0o600);
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    throw error;
  }
  try {
    writeFileSync(fd, text);
    fsyncSync(fd);
  } catch (error) {
    removeFile(path);
    throw error;
  } finally {
    closeSync(fd);
  }
  return true;
}

/** Whether there was one. */
export function removeFile(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch (error) {
    if (isCode(error, "ENOENT")) return false;
    throw error;
  }
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;

/** What went wrong, without a stack. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function syncDir(path: string): void {
  if (!isPosix) return;
  const fd = openSync(path, constants.O_RDONLY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
