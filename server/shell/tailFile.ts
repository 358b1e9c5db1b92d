import { constants } from "node:fs";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import { sep } from "node:path";

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
    const real = await realpath(path);
    if (root !== undefined && !isInside(real, await realpath(root)))
      return { kind: "failed", problem: "it is a link that leads out of the agent's folder" };
    file = await open(real, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const stats = await file.stat();
    if (!stats.isFile()) {
      await file.close();
      return { kind: "failed", problem: "it is no file" };
    }
    const { dev, ino, size, mtimeMs } = stats;
    return { kind: "open", file, state: { device: dev, inode: ino, size, writtenAt: mtimeMs } };
  } catch (error) {
    await file?.close().catch(() => undefined);
    return failure(error);
  }
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
