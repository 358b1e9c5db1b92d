import { constants } from "node:fs";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { readFlags } from "../files.ts";

/** What tells one file from another under the same name, and an old state of it from a new one. */
export type FileState = {
  readonly device: number;
  readonly inode: number;
  readonly size: number;
  /** Epoch ms. */
  readonly writtenAt: number;
};

export type Looked =
  | { readonly kind: "there"; readonly state: FileState }
  | { readonly kind: "gone" }
  | { readonly kind: "failed"; readonly problem: string };

export type Opened =
  | { readonly kind: "open"; readonly file: FileHandle; readonly state: FileState }
  | Exclude<Looked, { kind: "there" }>;

export async function lookAt(path: string): Promise<Looked> {
  try {
    const { dev, ino, size, mtimeMs } = await stat(path);
    return { kind: "there", state: { device: dev, inode: ino, size, writtenAt: mtimeMs } };
  } catch (error) {
    return failure(error);
  }
}

/**
 * Opens a transcript for reading. With `root`, only what really lies inside it: a link that leads elsewhere is refused
 * (R4). The last step follows no link, and a pipe or device put in its place neither blocks nor is read.
 */
export async function openTranscript(path: string, root: string | undefined): Promise<Opened> {
  let file: FileHandle | undefined;
  try {
    const folder = await realFolder(dirname(path));
    const plain = join(folder, basename(path));
    file = await open(plain, flags).catch((error: unknown) => (isLink(error) ? undefined : Promise.reject(error)));
    const real = file === undefined ? await realpath(plain) : plain;
    file ??= await open(real, flags);
    const isOutside = root !== undefined && !isInside(real, root) && !isInside(real, await realpath(root));
    const stats = await file.stat();
    if (isOutside || !stats.isFile()) {
      await file.close();
      return {
        kind: "failed",
        problem: isOutside ? "it is a link that leads out of the agent's folder" : "it is no file",
      };
    }
    const { dev, ino, size, mtimeMs } = stats;
    return { kind: "open", file, state: { device: dev, inode: ino, size, writtenAt: mtimeMs } };
  } catch (error) {
    await file?.close().catch(() => undefined);
    return failure(error);
  }
}

const flags = readFlags | (constants.O_NOFOLLOW ?? 0);

const isLink = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ELOOP";

/** Real paths of folders: transcripts share few, and asking for each would cost more than reading. */
const folders = new Map<string, { readonly real: string; readonly at: number }>();
/** A folder may be moved and linked anew; that is noticed after this time, ms. */
const folderMs = 5000;
const foldersMost = 1000;

async function realFolder(folder: string): Promise<string> {
  const known = folders.get(folder);
  const now = Date.now();
  if (known !== undefined && now - known.at < folderMs && now >= known.at) return known.real;
  if (folders.size >= foldersMost) folders.clear();
  const real = await realpath(folder);
  folders.set(folder, { real, at: now });
  return real;
}

export const isInside = (path: string, root: string): boolean =>
  path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);

function failure(error: unknown): Exclude<Looked, { kind: "there" }> {
  const code = error instanceof Error && "code" in error ? String(error.code) : "failed";
  return code === "ENOENT" || code === "ENOTDIR" ? { kind: "gone" } : { kind: "failed", problem: words[code] ?? code };
}

const words: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  ELOOP: "it is a link that was put in its place",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
};

/** Reads as many of the wanted bytes as there are into the start of the buffer. */
export async function readAt(file: FileHandle, buffer: Buffer, position: number, length: number): Promise<Buffer> {
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
