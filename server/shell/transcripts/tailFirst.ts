import type { FileHandle } from "node:fs/promises";
import type { TranscriptAdapter, TranscriptLine } from "../../agents/adapter.ts";
import { isHuman, type Prompt } from "../../core/humanPrompts.ts";
import type { TranscriptFact } from "../../core/transcript.ts";
import { createFacts, type Facts } from "./facts.ts";
import { chunkLength, createBackwardLines, type ForwardLines } from "./lines.ts";
import { readAt } from "./tailFile.ts";
import { firstResponse, readHead } from "./tailHead.ts";
import { createNeeds } from "./tailNeeds.ts";

/** A file up to this size is read whole, bytes (R4). */
const wholeFileMost = 2 * 1024 * 1024;
/** First block read of a larger one; each further block is twice as long, up to a chunk. */
const firstBlock = 64 * 1024;
/** How far back the person's last prompt is looked for, bytes. */
const backwardDefault = 1024 ** 3;
/** Bytes read backwards before the reading is shown without the person's last prompt. */
const earlyAfter = 8 * 1024 * 1024;
/** How much further back it is looked for what the agent may do, bytes: Codex says so before the prompt. */
const permissionMost = 128 * 1024;

export type FirstJob = {
  readonly adapter: TranscriptAdapter;
  readonly file: FileHandle;
  readonly size: number;
  /** Of at least a chunk. */
  readonly buffer: Buffer;
  /** Receives the half line at the file's end. */
  readonly lines: ForwardLines;
  readonly isOurs: ((prompt: Prompt) => boolean) | undefined;
  readonly backwardMost: number | undefined;
  readonly onEarly: ((facts: Facts) => void) | undefined;
};

/** Bytes of the file's beginning, and of what stood before the last offset, that are compared on each change. */
export const printLength = 64;

export type First = {
  readonly facts: Facts;
  readonly isWhole: boolean;
  readonly offset: number;
  readonly prints: { readonly start?: Buffer | undefined; readonly before?: Buffer | undefined };
};

/** The first reading of a file: all of a small one, of a large one no more than is needed. */
export async function firstReading(job: FirstJob): Promise<First> {
  return job.size <= wholeFileMost ? readWhole(job) : readBackwards(job);
}

async function readWhole({ adapter, file, size, buffer, lines }: FirstJob): Promise<First> {
  const facts = createFacts();
  let offset = 0;
  let start: Buffer | undefined;
  let before: Buffer | undefined;
  while (offset < size) {
    const bytes = await readAt(file, buffer, offset, Math.min(chunkLength, size - offset));
    if (bytes.length === 0) break;
    lines.feed(bytes, (line) => facts.add(adapter.parseLine(line)));
    offset += bytes.length;
    start ??= Buffer.from(bytes.subarray(0, printLength));
    before = Buffer.from(bytes.subarray(-printLength));
  }
  return { facts, isWhole: true, offset, prints: { start, before } };
}

/** Newest line first, until everything that is needed was seen: older lines cannot change any of it. */
async function readBackwards(job: FirstJob): Promise<First> {
  const { adapter, file, size, buffer } = job;
  const most = job.backwardMost ?? backwardDefault;
  const needs = createNeeds(job.isOurs);
  const lines = createBackwardLines();
  /** Facts of each line, newest line first. */
  const found: (readonly TranscriptFact[])[] = [];
  let records = 0;
  let badLines = 0;
  let isEarly = false;
  let isSkimmed = false;
  let isPermissionKnown = false;
  let bytesBeyond = 0;

  /** Of a long file most lines say nothing: they must not fill the memory. Only the newest permission counts. */
  const keep = (facts: readonly TranscriptFact[]): void => {
    const kept = isPermissionKnown ? facts.filter(({ kind }) => kind !== "permission") : facts;
    isPermissionKnown ||= kept.some(({ kind }) => kind === "permission");
    if (kept.length > 0) found.push(kept);
  };

  /** All else is known. */
  const takeBeyond = (line: TranscriptLine): boolean => {
    const parsed = adapter.parseLine(line, "lasting");
    if (parsed.kind === "record") keep(parsed.facts.filter(({ kind }) => kind === "permission"));
    bytesBeyond += line.whole ? line.bytes.length : line.length;
    return !isPermissionKnown && bytesBeyond < permissionMost;
  };

  const take = (line: TranscriptLine): boolean => {
    if (needs.areMet()) return takeBeyond(line);
    const isLate = needs.isPlaced();
    isSkimmed ||= isLate;
    const parsed = adapter.parseLine(line, isLate ? "lasting" : "all");
    if (parsed.kind === "bad") badLines += 1;
    if (parsed.kind !== "record") return true;
    records += 1;
    const facts = isLate ? parsed.facts.filter(isLasting) : parsed.facts;
    keep(facts);
    // Within one line the last fact is the newest.
    for (let at = facts.length - 1; at >= 0; at -= 1) needs.notice(facts[at]);
    return !needs.areMet() || !isPermissionKnown;
  };

  const half = await holdHalfLine(job);
  let from = half.end;
  let length = firstBlock;
  let bytes = half.before;
  let goesOn = true;
  while (goesOn && from > 0 && half.end - from < most) {
    if (bytes === undefined) {
      length = Math.min(length * 2, chunkLength, from);
      bytes = await readAt(file, buffer, from - length, length);
      if (bytes.length < length) break;
    }
    from -= bytes.length;
    goesOn = lines.feed(bytes, take);
    bytes = undefined;
    if (goesOn && from === 0) lines.finish(take);
    if (!isEarly && goesOn && needs.isShowable() && half.end - from >= earlyAfter) {
      isEarly = true;
      needs.settle();
      job.onEarly?.(createFacts({ facts: oldestFirst(found), records, badLines }));
    }
  }
  const isWhole = goesOn && from === 0 && bytesBeyond === 0;
  // Of skimmed lines not everything was taken, even where they reach to the file's start.
  const head = isWhole && !isSkimmed ? undefined : await readHead(adapter, file, buffer);
  const before = head === undefined ? [] : [...head.facts, ...(await rest(job, needs.endsAtBoundary()))];
  const facts = createFacts({ facts: [...before, ...oldestFirst(found)], records, badLines });
  return { facts, isWhole, offset: size, prints: { start: head?.start.subarray(0, printLength), before: half.print } };
}

/** Whether a fact still matters once the size and the turn are known from later ones. */
const isLasting = (fact: TranscriptFact): boolean =>
  fact.kind === "prompt" ? isHuman(fact) : fact.kind !== "opened" && fact.kind !== "working";

/** What stands between the beginning and what was read: a gap, and the first response where it is needed. */
async function rest({ adapter, file, buffer }: FirstJob, needsBase: boolean): Promise<readonly TranscriptFact[]> {
  const first = needsBase ? await firstResponse(adapter, file, buffer) : undefined;
  return [{ kind: "gap", at: undefined }, ...(first === undefined ? [] : [first])];
}

const oldestFirst = (found: readonly (readonly TranscriptFact[])[]): readonly TranscriptFact[] =>
  found.toReversed().flat();

type HalfLine = {
  /** Where the complete lines end. */
  readonly end: number;
  /** Bytes before that, where the buffer still holds them. */
  readonly before: Buffer | undefined;
  /** The file's last bytes. */
  readonly print: Buffer | undefined;
};

/** Feeds what stands after the last line end into `lines`. */
async function holdHalfLine({ file, size, buffer, lines }: FirstJob): Promise<HalfLine> {
  let end = size;
  let print: Buffer | undefined;
  while (end > 0) {
    const isFirst = print === undefined;
    const length = Math.min(isFirst ? firstBlock : chunkLength, end);
    const bytes = await readAt(file, buffer, end - length, length);
    print ??= Buffer.from(bytes.subarray(-printLength));
    const last = bytes.lastIndexOf(0x0a);
    if (last >= 0 && isFirst) {
      lines.feed(bytes.subarray(last + 1), () => undefined);
      return { end: end - length + last + 1, before: bytes.subarray(0, last + 1), print };
    }
    if (last >= 0) {
      end = end - length + last + 1;
      break;
    }
    end -= length;
  }
  for (let at = end; at < size; ) {
    const bytes = await readAt(file, buffer, at, Math.min(chunkLength, size - at));
    if (bytes.length === 0) break;
    lines.feed(bytes, () => undefined);
    at += bytes.length;
  }
  return { end, before: undefined, print };
}
