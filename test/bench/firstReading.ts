import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { buildProgram } from "./bundles.ts";
import { type Bench, type Figure, limited, median, megabytes, milliseconds, times } from "./figure.ts";
import { makeGigabyte } from "./transcripts.ts";

const Run = z.object({ cpu: z.number(), whole: z.number(), peak: z.number(), found: z.array(z.number().nullable()) });

const runs = { product: 9, minimal: 9, everyLine: 3 } as const;

export const firstReading: Figure = {
  id: "first-reading",
  title: "First reading of 1 GB in 68 transcripts",
  async measure(bench) {
    const folder = path.join(bench.dir, "gigabyte");
    const made = makeGigabyte(folder);
    const bytes = made.reduce((sum, file) => sum + file.bytes, 0);
    bench.say(`${made.length} transcripts of ${megabytes(bytes)} are made`);
    // The first run of all also brings the files into the page cache.
    const everyLine = await runOften("everyLine", folder, bench);
    const minimal = await runOften("minimal", folder, bench);
    const product = await runOften("product", folder, bench);
    const isSame = product.found.every((tokens, at) => tokens !== null && tokens === minimal.found[at]);
    return {
      rows: [
        limited(
          "CPU against `JSON.parse` of every line",
          product.cpu / everyLine.cpu,
          1 / 20,
          (value) => `1/${(1 / value).toFixed(0)}`,
        ),
        limited("CPU against a minimal program that finds the last usage only", product.cpu / minimal.cpu, 3, times),
      ],
      notes: [
        `${megabytes(bytes)}; CPU time of each program after loading, median of ${runs.product}, ${runs.minimal} and ${runs.everyLine} fresh processes: Plimsoll ${milliseconds(product.cpu)}, minimal ${milliseconds(minimal.cpu)}, every line ${milliseconds(everyLine.cpu)}; files in the page cache.`,
        `The minimal program and Plimsoll ${isSame ? "found the same figure in every file" : "DIFFER in a figure"}. Plimsoll also finds the state of the turn, a second response to judge the figure by, whose conversation it is and the person's last prompt: it looks at some twenty lines a file where the minimal program looks at one or two.`,
        `With the start of Node and the loading of the code: Plimsoll ${milliseconds(product.whole)}, minimal ${milliseconds(minimal.whole)}, ${times(product.whole / minimal.whole)}. Per transcript, after loading: ${milliseconds(product.cpu / made.length)} and ${milliseconds(minimal.cpu / made.length)}. A run so short is over before V8 has compiled much of what it runs.`,
        `The process that read all of it with Plimsoll's code held ${megabytes(product.peak)} at most.`,
      ],
    };
  },
};

type Result = {
  readonly cpu: number;
  /** With the start of Node and the loading of the code. */
  readonly whole: number;
  readonly peak: number;
  readonly found: readonly (number | null)[];
};

/** CPU in ms, the median of several processes. */
async function runOften(program: keyof typeof runs, folder: string, bench: Bench): Promise<Result> {
  const all: z.infer<typeof Run>[] = [];
  const script = await buildProgram("readers.ts", bench.dir);
  for (let run = 0; run < runs[program]; run += 1) {
    const { stdout } = await promisify(execFile)(process.execPath, [script, program, folder]);
    all.push(Run.parse(JSON.parse(stdout)));
  }
  const cpu = median(all.map((run) => run.cpu / 1000));
  bench.say(`${program}: ${milliseconds(cpu)} CPU`);
  return {
    cpu,
    whole: median(all.map((run) => run.whole / 1000)),
    peak: Math.max(...all.map(({ peak }) => peak)),
    found: all[0]?.found ?? [],
  };
}
