import { closeSync, constants, fstatSync, openSync, readlinkSync } from "node:fs";
import { WriteStream } from "node:tty";

export type Size = { readonly cols: number; readonly rows: number };

/** The size of the terminal a shell runs in, now; undefined where it cannot be known. */
export type ReadSize = (shellPid: number) => Size | undefined;

/**
 * Linux: asks the terminal behind the shell's standard input. A stream that was opened before answers with the size it
 * had then, so each look opens a new one (about 0.8 ms). Nothing is read from it: no input is taken from the agent.
 */
export const readTtySize: ReadSize = (shellPid) => {
  try {
    const path = readlinkSync(`/proc/${shellPid}/fd/0`);
    return /^\/dev\/pts\/\d+$/.test(path) ? sizeOf(path) : undefined;
  } catch {
    return undefined; // the shell ended, or its terminal belongs to somebody else: the size is unknown, and that is said
  }
};

function sizeOf(path: string): Size | undefined {
  const descriptor = openSync(path, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK);
  const opened = fstatSync(descriptor, { bigint: true });
  try {
    const stream = new WriteStream(descriptor);
    stream.on("error", () => stream.destroy());
    const { columns, rows } = stream;
    stream.destroy();
    return columns > 0 && rows > 0 ? { cols: columns, rows } : undefined;
  } finally {
    closeIfOpen(descriptor, opened.rdev);
  }
}

/** libuv opens the terminal once more for itself and closes only that one. Where it did not, the number is free again. */
function closeIfOpen(descriptor: number, device: bigint): void {
  try {
    if (fstatSync(descriptor, { bigint: true }).rdev === device) closeSync(descriptor);
  } catch {
    // already closed
  }
}
