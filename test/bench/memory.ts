import { appendFileSync, closeSync, openSync, writeSync } from "node:fs";
import { type Figure, limited, megabytes } from "./figure.ts";
import { createLab, type Lab, tokensOf } from "./lab.ts";
import { heldBytes, peakBytes } from "./processes.ts";
import { type Made, makeLongTranscript, makeTranscript } from "./transcripts.ts";

const limit = 100e6;
const appends = 100;

export const memory: Figure = {
  id: "memory",
  title: "Memory of the worker with long transcripts",
  async measure(bench) {
    const large = (folder: string) => makeLongTranscript(folder, 1e9, 1);
    const usual = [2, 3, 4, 5].map((seed) => (folder: string) => makeTranscript(folder, 15e6, seed));
    const lab = await createLab(bench, { others: 0, make: [large, ...usual] });
    const { pid } = lab.worker;
    try {
      const read = peakBytes(pid);
      let tokens = 40_000;
      for (let count = 0; count < appends; count += 1)
        for (const made of lab.active.slice(0, 2)) {
          tokens += 3;
          await append(lab, made, tokens, (path) => appendFileSync(path, made.scribe.toolResult(60_000)));
        }
      const followed = peakBytes(pid);
      const [first] = lab.active;
      if (first !== undefined) await append(lab, first, tokens + 3, appendHugeLine);
      const long = peakBytes(pid);
      return {
        rows: [
          limited("after the first reading of a 1 GB and four 15 MB transcripts", read, limit, megabytes),
          limited(`after ${appends * 2} appends of 60 KB to these`, followed, limit, megabytes),
          limited("after one line of 64 MiB, appended to the large one", long, limit, megabytes),
        ],
        notes: [`Most that the worker held at once (\`VmHWM\`); at the end it held ${megabytes(heldBytes(pid))}.`],
      };
    } finally {
      await lab.stop();
    }
  },
};

/** Appends something and a response, and waits until the response is seen. */
async function append(
  { worker }: Lab,
  { path, sessionId, scribe }: Made,
  tokens: number,
  something: (path: string) => void,
): Promise<void> {
  something(path);
  appendFileSync(path, scribe.answer(tokens));
  await worker.seen(`${tokens} tokens`, (view) => tokensOf(view, sessionId) === tokens);
}

/** A tool's result of 64 MiB, as an agent writes it: in pieces, and the line's end last. */
function appendHugeLine(path: string): void {
  const piece = "A".repeat(1024 ** 2);
  const descriptor = openSync(path, "a");
  try {
    writeSync(
      descriptor,
      '{"type":"user","isSidechain":false,"timestamp":"2026-10-05T09:00:10.000Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"',
    );
    for (let count = 0; count < 64; count += 1) writeSync(descriptor, piece);
    writeSync(descriptor, '"}]}}\n');
  } finally {
    closeSync(descriptor);
  }
}
