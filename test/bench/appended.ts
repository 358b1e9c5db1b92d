import { appendFileSync } from "node:fs";
import path from "node:path";
import { adapters } from "../../server/agents/registry.ts";
import { conversationOf } from "../../server/core/fold.ts";
import { createTail, type Tail } from "../../server/shell/transcripts/tail.ts";
import { type Figure, limited, median, milliseconds, times } from "./figure.ts";
import { type Made, makeLongTranscript, makeTranscript } from "./transcripts.ts";

const batches = 60;
const perBatch = 25;

type Side = { readonly made: Made; readonly tail: Tail; readonly walls: number[]; readonly cpus: number[] };

export const appended: Figure = {
  id: "appended-line",
  title: "One appended line at a 1 GB file against a 1 MB file",
  async measure(bench) {
    const folder = path.join(bench.dir, "appended");
    const large = await begin(makeLongTranscript(folder, 1e9, 1));
    bench.say("the large file is made and read once");
    const small = await begin(makeTranscript(folder, 1e6, 2));
    let tokens = 50_000;
    for (let batch = -5; batch < batches; batch += 1)
      // Turn about, so that whatever else the machine does hits both.
      for (const side of batch % 2 === 0 ? [large, small] : [small, large])
        tokens = await appendBatch(side, tokens, batch >= 0);
    const wall = median(large.walls) / median(small.walls);
    const cpu = median(large.cpus) / median(small.cpus);
    return {
      rows: [
        limited("time from the append to the new reading", wall, 1.2, times),
        limited("CPU for it", cpu, 1.2, times),
      ],
      notes: [
        `Medians of ${batches * perBatch} appended responses each, turn about, the CPU by ${perBatch}: ${milliseconds(median(large.walls))} and ${milliseconds(median(large.cpus))} CPU at ${(large.made.bytes / 1e9).toFixed(1)} GB, ${milliseconds(median(small.walls))} and ${milliseconds(median(small.cpus))} CPU at ${(small.made.bytes / 1e6).toFixed(1)} MB; in one process, without the wait for the file system's event.`,
      ],
    };
  },
};

async function begin(made: Made): Promise<Side> {
  const tail = createTail({ adapter: adapters.claude, path: made.path, root: path.dirname(made.path) });
  await tail.read();
  return { made, tail, walls: [], cpus: [] };
}

async function appendBatch({ made, tail, walls, cpus }: Side, from: number, isCounted: boolean): Promise<number> {
  let tokens = from;
  const lines = Array.from({ length: perBatch }, () => {
    tokens += 3;
    return { line: made.scribe.answer(tokens), tokens };
  });
  const before = process.cpuUsage();
  for (const { line, tokens: expected } of lines) {
    const start = performance.now();
    appendFileSync(made.path, line);
    const result = await tail.read();
    const reading =
      result.kind === "read"
        ? conversationOf(result.state.fold, { humanSearchComplete: result.state.isWhole }).reading
        : undefined;
    if (isCounted) walls.push(performance.now() - start);
    if (reading?.kind !== "measured" || reading.tokens !== expected) throw new Error("the reading is another one");
  }
  const { user, system } = process.cpuUsage(before);
  if (isCounted) cpus.push((user + system) / 1000 / perBatch);
  return tokens;
}
