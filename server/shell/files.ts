import { constants } from "node:fs";
import { open, readdir, realpath, stat } from "node:fs/promises";
import { gone, known, type Lookup, unknown } from "./processes/process.ts";

export type FileFacts = {
  readonly size: number;
  /** Epoch ms of the last write. */
  readonly writtenAt: number;
  /** Epoch ms. Where the file system keeps no births, Node gives 0 or the last change: then the last write. */
  readonly bornAt: number;
};

export const fileFacts = (path: string): Promise<Lookup<FileFacts>> =>
  looked(async () => {
    const { size, mtimeMs, birthtimeMs } = await stat(path);
    return { size, writtenAt: mtimeMs, bornAt: birthtimeMs > 0 ? Math.min(birthtimeMs, mtimeMs) : mtimeMs };
  });

export const names = (folder: string): Promise<Lookup<readonly string[]>> => looked(() => readdir(folder));

export const real = (path: string): Promise<Lookup<string>> => looked(() => realpath(path));

/** A pipe put in the place of a file must not hold us up: nobody may ever write into it. */
export const readFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** At most `limit` bytes from the start of a file, or from its end. A longer file is cut, not refused. */
export const bytesOf = (path: string, limit: number, from: "start" | "end" = "start"): Promise<Lookup<Buffer>> =>
  looked(async () => {
    const file = await open(path, readFlags);
    try {
      const { size } = await file.stat();
      const length = Math.min(size, limit);
      const { buffer, bytesRead } = await file.read(
        Buffer.alloc(length),
        0,
        length,
        from === "end" ? size - length : 0,
      );
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  });

/** Value of a lookup, or undefined where nothing is known: for what is shown, never for what is decided. */
export const ifKnown = <T>(lookup: Lookup<T>): T | undefined => (lookup.kind === "known" ? lookup.value : undefined);

async function looked<T>(look: () => Promise<T>): Promise<Lookup<T>> {
  try {
    return known(await look());
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "failed";
    return code === "ENOENT" || code === "ENOTDIR" ? gone : unknown(code);
  }
}
