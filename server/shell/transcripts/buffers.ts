import { chunkLength } from "./lines.ts";

/** Buffers kept for the next read: a new one for each would cost more than the read itself. */
const keptMost = 4;

const free: Buffer[] = [];

/** Lends a buffer of a chunk for as long as the work takes. What is to stay must be copied out of it. */
export async function withBuffer<T>(work: (buffer: Buffer) => Promise<T>): Promise<T> {
  const buffer = free.pop() ?? Buffer.allocUnsafeSlow(chunkLength);
  try {
    return await work(buffer);
  } finally {
    if (free.length < keptMost) free.push(buffer);
  }
}
