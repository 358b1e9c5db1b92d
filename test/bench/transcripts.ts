import { randomUUID } from "node:crypto";
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import path from "node:path";
import { createScribe, type Scribe } from "./records.ts";

export type Made = {
  readonly path: string;
  readonly sessionId: string;
  readonly scribe: Scribe;
  readonly bytes: number;
};

/** Writes a transcript of about this size into the folder; it ends where a turn has ended. */
export function makeTranscript(folder: string, bytes: number, seed: number, sessionId = randomUUID()): Made {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${sessionId}.jsonl`);
  const scribe = createScribe({ sessionId, cwd: "/w/api", seed });
  const descriptor = openSync(file, "w");
  try {
    let written = writeSync(descriptor, scribe.opening());
    while (written < bytes) written += writeSync(descriptor, scribe.turn());
    return { path: file, sessionId, scribe, bytes: written };
  } finally {
    closeSync(descriptor);
  }
}

/** The same with fewer made-up turns: a gigabyte is made of a few dozen megabytes over and over. */
export function makeLongTranscript(folder: string, bytes: number, seed: number, sessionId = randomUUID()): Made {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${sessionId}.jsonl`);
  const scribe = createScribe({ sessionId, cwd: "/w/api", seed });
  const turns = Buffer.from(Array.from({ length: 100 }, () => scribe.turn()).join(""));
  const descriptor = openSync(file, "w");
  try {
    let written = writeSync(descriptor, scribe.opening());
    while (written < bytes) written += writeSync(descriptor, turns);
    written += writeSync(descriptor, scribe.turn());
    return { path: file, sessionId, scribe, bytes: written };
  } finally {
    closeSync(descriptor);
  }
}

/** About a gigabyte, as it lies on the disk of somebody who works with agents every day. */
export function makeGigabyte(folder: string, files = 68): readonly Made[] {
  return Array.from({ length: files }, (_, seed) => makeTranscript(folder, 1e9 / files, seed + 1));
}
