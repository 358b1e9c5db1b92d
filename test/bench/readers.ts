// One of three programs over every transcript of a folder, in a process of its own: `readers.ts <program> <folder>`.
// Prints the CPU time it took after loading and with it (µs), and what the process held at most (bytes).
import { type FileHandle, open, readdir } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { adapters } from "../../server/agents/registry.ts";
import { conversationOf } from "../../server/core/fold.ts";
import { createTail } from "../../server/shell/transcripts/tail.ts";
import { peakBytes } from "./processes.ts";

const chunkLength = 1024 * 1024;
const blockLength = 64 * 1024;

type Program = (file: string) => Promise<number | undefined>;

/** The product's own: the bounded tail, the fold, and what is shown of it. */
const product: Program = async (file) => {
  const result = await createTail({ adapter: adapters.claude, path: file, root: path.dirname(file) }).read();
  if (result.kind !== "read") throw new Error(`${file}: ${result.kind}`);
  const { fold, isWhole, records, badLines } = result.state;
  const { reading } = conversationOf(fold, { humanSearchComplete: isWhole, records, badLines });
  return reading.kind === "measured" ? reading.tokens : undefined;
};

const Answer = z.object({
  type: z.literal("assistant"),
  isSidechain: z.boolean().optional(),
  message: z.object({
    usage: z.object({
      input_tokens: z.number(),
      cache_creation_input_tokens: z.number(),
      cache_read_input_tokens: z.number(),
    }),
  }),
});

/** No more than the last usage: what somebody would write in an afternoon. */
const minimal: Program = async (file) => {
  await using handle = await open(file, "r");
  const { size } = await handle.stat();
  let rest = Buffer.alloc(0);
  for (let from = size; from > 0; ) {
    const length = Math.min(blockLength, from);
    from -= length;
    const block = Buffer.concat([await readBlock(handle, from, length), rest]);
    const first = from === 0 ? -1 : block.indexOf(0x0a);
    if (from > 0 && first < 0) {
      rest = block;
      continue;
    }
    const found = lastUsage(block.subarray(first + 1));
    if (found !== undefined) return found;
    rest = block.subarray(0, Math.max(0, first));
  }
  return undefined;
};

async function readBlock(handle: FileHandle, from: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, from);
  return buffer.subarray(0, bytesRead);
}

function lastUsage(lines: Buffer): number | undefined {
  for (let end = lines.length; end > 0; ) {
    const start = lines.lastIndexOf(0x0a, end - 1);
    const line = lines.subarray(start + 1, end);
    end = start;
    if (!line.includes('"usage":{')) continue;
    const usage = usageOf(line);
    if (usage !== undefined) return usage;
  }
  return undefined;
}

function usageOf(line: Buffer): number | undefined {
  const record: unknown = JSON.parse(line.toString("utf8"));
  const answer = Answer.safeParse(record);
  if (!answer.success || answer.data.isSidechain === true) return undefined;
  const { usage } = answer.data.message;
  return usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens;
}

/** `JSON.parse` of every line, read in chunks. */
const everyLine: Program = async (file) => {
  await using handle = await open(file, "r");
  const buffer = Buffer.allocUnsafe(chunkLength);
  let rest = Buffer.alloc(0);
  let lines = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, chunkLength);
    if (bytesRead === 0) return lines;
    const chunk =
      rest.length === 0 ? buffer.subarray(0, bytesRead) : Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
    let from = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, from)) {
      JSON.parse(chunk.toString("utf8", from, end));
      lines += 1;
      from = end + 1;
    }
    rest = Buffer.from(chunk.subarray(from));
  }
};

const programs: Readonly<Record<string, Program>> = { product, minimal, everyLine };
const [name = "", folder = ""] = process.argv.slice(2);
const program = programs[name];
if (program === undefined) throw new Error(`no program ${name}`);
const files = (await readdir(folder)).filter((file) => file.endsWith(".jsonl")).map((file) => path.join(folder, file));
const before = process.cpuUsage();
const found: (number | undefined)[] = [];
for (const file of files) found.push(await program(file));
const { user, system } = process.cpuUsage(before);
const whole = user + system + before.user + before.system;
process.stdout.write(JSON.stringify({ cpu: user + system, whole, peak: peakBytes(process.pid), found }));
