import { appendFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { type Figure, limited, megabytes, milliseconds, quantile } from "./figure.ts";
import { createLab, type Lab, tokensOf, usualActive } from "./lab.ts";
import { peakBytes } from "./processes.ts";
import { randomFrom } from "./records.ts";
import type { Made } from "./transcripts.ts";

const samplesPerAgent = 120;
/** Between two appends to the same transcript, on average, ms. */
const meanPauseMs = 400;

export const latency: Figure = {
  id: "latency",
  title: "From an append to the new reading, with 5 active of 1 000 transcripts",
  async measure(bench) {
    const lab = await createLab(bench, { others: 995, make: usualActive });
    try {
      const samples = (await Promise.all(lab.active.map((made, seed) => sample(lab, made, seed)))).flat();
      const at = (share: number) => quantile(samples, share);
      return {
        rows: [
          limited("99 of 100 take at most", at(0.99), 100, milliseconds),
          limited("memory the worker held at most", peakBytes(lab.worker.pid), 100e6, megabytes),
        ],
        notes: [
          `${samples.length} appends at random times to five transcripts, each a tool's result of 2 to 60 KB and a response; until the view's message has arrived here over IPC. Time that passed, so it depends on what else the machine does.`,
          `Half took at most ${milliseconds(at(0.5))}, 95 of 100 ${milliseconds(at(0.95))}, the longest ${milliseconds(at(1))}. 25 ms of each are waited on purpose, so that a burst of writes is read and told once.`,
        ],
      };
    } finally {
      await lab.stop();
    }
  },
};

async function sample({ worker }: Lab, { path, sessionId, scribe }: Made, seed: number): Promise<readonly number[]> {
  const random = randomFrom(seed);
  const samples: number[] = [];
  for (let tokens = 50_003; samples.length < samplesPerAgent; tokens += 3) {
    await pause(-Math.log(1 - random()) * meanPauseMs);
    const lines = scribe.toolResult(2000 * 30 ** random()) + scribe.answer(tokens);
    const start = performance.now();
    appendFileSync(path, lines);
    samples.push((await worker.seen(`${tokens} tokens`, (view) => tokensOf(view, sessionId) === tokens)) - start);
  }
  return samples;
}
