import type { FileHandle } from "node:fs/promises";
import type { TranscriptAdapter } from "../agents/adapter.ts";
import { isHuman } from "../core/humanPrompts.ts";
import type { TranscriptFact } from "../core/transcript.ts";
import { createFacts, type Facts } from "./facts.ts";
import {
  type BackwardLines,
  chunkLength,
  createBackwardLines,
  createForwardLines,
  type ForwardLines,
} from "./lines.ts";
import { readAt } from "./tailFile.ts";

/** A file up to this size is read whole, bytes (R4). */
const wholeFileMost = 2 * 1024 * 1024;
/** First block read of a larger one; each further block is twice as long, up to a chunk. */
const firstBlock = 256 * 1024;
/** How far back the person's last prompt is looked for, bytes. */
const backwardDefault = 1024 ** 3;
/** Where the conversation's own first response must stand, bytes from the start. */
const headMost = 2 * 1024 * 1024;
/** What is read at once of the file's beginning; a real first response ends within it (facts/claude-code a). */
const headBlock = 256 * 1024;
/** Blocks read backwards before the reading is shown without the person's last prompt. */
const earlyAfter = 4;

type Job = {
  readonly adapter: TranscriptAdapter;
  readonly file: FileHandle;
  readonly size: number;
  /** Receives the half line at the file's end. */
  readonly lines: ForwardLines;
  readonly isOurs: ((digest: string) => boolean) | undefined;
  readonly backwardMost: number | undefined;
  readonly onEarly: ((facts: Facts) => void) | undefined;
};

type First = { readonly facts: Facts; readonly isWhole: boolean; readonly offset: number };

/** The first reading of a file: all of a small one, of a large one no more than is needed. */
export async function firstReading(job: Job): Promise<First> {
  return job.size <= wholeFileMost ? readWhole(job) : readBackwards(job);
}

async function readWhole({ adapter, file, size, lines }: Job): Promise<First> {
  const facts = createFacts();
  const buffer = Buffer.allocUnsafe(Math.max(1, Math.min(chunkLength, size)));
  let offset = 0;
  while (offset < size) {
    const bytes = await readAt(file, buffer, offset, Math.min(buffer.length, size - offset));
    if (bytes.length === 0) break;
    lines.feed(bytes, (line) => facts.add(adapter.parseLine(line)));
    offset += bytes.length;
  }
  return { facts, isWhole: true, offset };
}

async function readBackwards(job: Job): Promise<First> {
  const { adapter, file, size, isOurs } = job;
  const most = job.backwardMost ?? backwardDefault;
  const buffer = Buffer.allocUnsafe(chunkLength);
  const end = await holdHalfLine(job, buffer);
  const facts = createFacts();
  const lines = createBackwardLines();
  const missing = { size: true, turn: true, human: true };
  let from = end;
  let blocks = 0;
  let length = firstBlock;
  while (from > 0 && (missing.size || missing.turn || missing.human) && end - from < most) {
    length = Math.min(length, chunkLength, from);
    const bytes = await readAt(file, buffer, from - length, length);
    if (bytes.length < length) break;
    from -= length;
    length *= 2;
    blocks += 1;
    const block = createFacts();
    lines.feed(bytes, (line) => block.add(adapter.parseLine(line)));
    if (from === 0) finish(lines, block, adapter);
    const isOld = !missing.size && !missing.turn;
    for (const fact of block.list()) notice(missing, fact, isOurs);
    facts.prepend(block, isOld);
    if (blocks === earlyAfter && !missing.size && !missing.turn && missing.human) job.onEarly?.(facts);
  }
  if (from > 0) facts.prepend(await readHead(job, from, buffer), false);
  return { facts, isWhole: from === 0, offset: size };
}

/** The first line of the file has no line end before it. */
function finish(lines: BackwardLines, block: Facts, adapter: TranscriptAdapter): void {
  const first = createFacts();
  lines.finish((line) => first.add(adapter.parseLine(line)));
  block.prepend(first, false);
}

function notice(
  missing: { size: boolean; turn: boolean; human: boolean },
  fact: TranscriptFact,
  isOurs: Job["isOurs"],
): void {
  switch (fact.kind) {
    case "usage":
    case "compacted":
      missing.size = false;
      return;
    case "prompt":
      if (fact.midTurn !== true) missing.turn = false;
      if (isHuman(fact) && isOurs?.(fact.digest) !== true) missing.human = false;
      return;
    case "working":
    case "turn-started":
    case "turn-ended":
    case "interrupted":
    case "api-error":
    case "tool-called":
      missing.turn = false;
      return;
    default:
      return;
  }
}

/** Feeds what stands after the last line end into `lines`; returns where the complete lines end. */
async function holdHalfLine({ file, size, lines }: Job, buffer: Buffer): Promise<number> {
  let end = size;
  let start = 0;
  while (end > 0) {
    const length = Math.min(end === size ? firstBlock : chunkLength, end);
    const bytes = await readAt(file, buffer, end - length, length);
    const last = bytes.lastIndexOf(0x0a);
    if (last >= 0) {
      start = end - length + last + 1;
      break;
    }
    end -= length;
  }
  for (let at = start; at < size; ) {
    const bytes = await readAt(file, buffer, at, Math.min(chunkLength, size - at));
    if (bytes.length === 0) break;
    lines.feed(bytes, () => undefined);
    at += bytes.length;
  }
  return start;
}

/**
 * Beginning of a file whose middle was not read: whose conversation it is, whether a clear made it, and its own first
 * response, without which a compaction's figure cannot be judged (DESIGN §4). Nothing else of it is news.
 */
async function readHead({ adapter, file }: Job, limit: number, buffer: Buffer): Promise<Facts> {
  const lines = createForwardLines();
  const found: TranscriptFact[] = [];
  let isBorn = false;
  let usage: TranscriptFact | undefined;
  const most = Math.min(limit, headMost);
  for (let at = 0; at < most && usage === undefined; ) {
    const bytes = await readAt(file, buffer, at, Math.min(headBlock, most - at));
    if (bytes.length === 0) break;
    at += bytes.length;
    lines.feed(bytes, (line) => {
      if (usage !== undefined) return;
      const parsed = adapter.parseLine(line);
      for (const fact of parsed.kind === "record" ? parsed.facts : []) {
        if (fact.kind === "usage") usage ??= fact;
        if (fact.kind === "opened" && !found.some(({ kind }) => kind === "opened")) found.push(fact);
        if (!isBorn && (fact.kind === "command" || fact.kind === "prompt")) {
          isBorn = true;
          if (fact.kind === "command") found.push(fact);
        }
      }
    });
  }
  const facts = createFacts();
  const all: readonly TranscriptFact[] = [
    ...found,
    ...(usage === undefined ? [] : [usage]),
    { kind: "gap", at: undefined },
  ];
  const head = createFacts();
  head.add({ kind: "record", facts: all });
  // The lines themselves are not counted: those between were not read either.
  facts.prepend({ ...head, records: () => 0 }, false);
  return facts;
}
