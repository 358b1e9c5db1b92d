import type { FileHandle } from "node:fs/promises";
import type { TranscriptAdapter, TranscriptLine } from "../../agents/adapter.ts";
import { createFold, type Fold, foldOn } from "../../core/fold.ts";
import type { Prompt } from "../../core/humanPrompts.ts";
import { withBuffer } from "./buffers.ts";
import { createFacts, type Facts } from "./facts.ts";
import { chunkLength, createForwardLines, type ForwardLines } from "./lines.ts";
import { type FileState, lookAt, openTranscript, readAt } from "./tailFile.ts";
import { firstReading, printLength } from "./tailFirst.ts";
import { firstResponse } from "./tailHead.ts";

/** Everything known of a transcript so far. */
export type TailState = {
  readonly fold: Fold;
  /** Whether every line from the file's start on was read. */
  readonly isWhole: boolean;
  readonly records: number;
  readonly badLines: number;
  /** Bytes of the file that were looked at or deliberately skipped: its size, but for what came since. */
  readonly bytes: number;
};

export type TailResult =
  | { readonly kind: "unchanged" }
  /** `restarted`: the file is another one than before, or was cut or rewritten; it was read anew. */
  | { readonly kind: "read"; readonly state: TailState; readonly restarted: boolean }
  | { readonly kind: "gone" }
  | { readonly kind: "failed"; readonly problem: string };

export type TailOptions = {
  readonly adapter: TranscriptAdapter;
  readonly path: string;
  /** Folder that the file must really lie in. */
  readonly root?: string | undefined;
  /** What we typed: such a prompt does not end the search for the person's last one. */
  readonly isOurs?: ((prompt: Prompt) => boolean) | undefined;
  /** Most bytes read backwards from the end. */
  readonly backwardMost?: number | undefined;
};

export type Tail = {
  /**
   * Reads what is new. The first time, from the end backwards as far as is needed; `onEarly` is told as soon as the size
   * and the turn are known where the search for the person's last prompt takes longer. Calls must not overlap.
   */
  readonly read: (onEarly?: (state: TailState) => void) => Promise<TailResult>;
};

/** An unended last line that is a complete record is taken when nothing followed it for this long, ms. */
const settledMs = 2000;

type Prints = { readonly start?: Buffer | undefined; readonly before?: Buffer | undefined };

type Known = {
  readonly file: FileState;
  readonly offset: number;
  readonly start: Buffer;
  readonly before: Buffer;
  readonly lines: ForwardLines;
  readonly state: TailState;
};

/** Follows one file with bounded memory. Holds no descriptor between reads. */
export function createTail({ adapter, path, root, isOurs, backwardMost }: TailOptions): Tail {
  let known: Known | undefined;

  async function read(onEarly?: (state: TailState) => void): Promise<TailResult> {
    if (known !== undefined) {
      const looked = await lookAt(path);
      if (looked.kind !== "there") return lost(looked);
      if (isSame(known.file, looked.state)) return settle(known, looked.state);
    }
    const opened = await openTranscript(path, root);
    if (opened.kind !== "open") return lost(opened);
    try {
      const { file, state } = opened;
      const before = known;
      const goesOn = before !== undefined && (await isContinued(before, file, state));
      const after = await withBuffer((buffer) =>
        goesOn ? append(before, file, state, buffer) : begin(file, state, buffer, onEarly),
      );
      known = after;
      return { kind: "read", state: after.state, restarted: before !== undefined && !goesOn };
    } catch (error) {
      return lost({ kind: "failed", problem: error instanceof Error ? error.message : "it cannot be read" });
    } finally {
      await opened.file.close().catch(() => undefined);
    }
  }

  function lost(result: Extract<TailResult, { kind: "gone" | "failed" }>): TailResult {
    if (result.kind === "gone") known = undefined;
    return result;
  }

  async function begin(
    file: FileHandle,
    state: FileState,
    buffer: Buffer,
    onEarly?: (state: TailState) => void,
  ): Promise<Known> {
    const lines = createForwardLines();
    const first = await firstReading({
      adapter,
      file,
      size: state.size,
      buffer,
      lines,
      isOurs,
      backwardMost,
      onEarly:
        onEarly &&
        ((facts) => onEarly(stateOf(foldOn(createFold(adapter.id), facts.list()), facts, false, state.size))),
    });
    const { facts, isWhole } = first;
    const last = lines.peek();
    if (last !== undefined && isComplete(last)) {
      facts.add(adapter.parseLine(last));
      lines.drop();
    }
    const fold = foldOn(createFold(adapter.id), facts.list());
    return remember(file, state, first.offset, lines, stateOf(fold, facts, isWhole, first.offset), first.prints);
  }

  async function append(before: Known, file: FileHandle, state: FileState, buffer: Buffer): Promise<Known> {
    const { lines } = before;
    let { offset } = before;
    let after = before.state;
    let end: Buffer | undefined;
    while (offset < state.size) {
      const bytes = await readAt(file, buffer, offset, Math.min(chunkLength, state.size - offset));
      if (bytes.length === 0) break;
      offset += bytes.length;
      end = Buffer.from(bytes.subarray(-printLength));
      const facts = createFacts();
      lines.feed(bytes, (line) => facts.add(adapter.parseLine(line)));
      const needsBase =
        after.fold.readings.first === undefined && facts.list().some(({ kind }) => kind === "compacted");
      const first = needsBase ? await firstResponse(adapter, file, buffer) : undefined;
      if (first !== undefined) after = { ...after, fold: foldOn(after.fold, [first]) };
      after = grown(after, facts, offset);
    }
    return remember(file, state, offset, lines, after, { start: before.start, before: end });
  }

  /** Nothing new. A complete last line whose end never came was left by an agent that was killed. */
  function settle(before: Known, state: FileState): TailResult {
    const last = before.lines.held() > 0 && Date.now() - state.writtenAt > settledMs ? before.lines.peek() : undefined;
    if (last === undefined || !isComplete(last)) return { kind: "unchanged" };
    const facts = createFacts();
    facts.add(adapter.parseLine(last));
    before.lines.drop();
    known = { ...before, state: grown(before.state, facts, before.offset) };
    return { kind: "read", state: known.state, restarted: false };
  }

  return { read };
}

const stateOf = (fold: Fold, facts: Facts, isWhole: boolean, bytes: number): TailState => ({
  fold,
  isWhole,
  records: facts.records(),
  badLines: facts.badLines(),
  bytes,
});

const grown = (state: TailState, facts: Facts, bytes: number): TailState => ({
  ...state,
  fold: foldOn(state.fold, facts.list()),
  records: state.records + facts.records(),
  badLines: state.badLines + facts.badLines(),
  bytes,
});

const isSame = (a: FileState, b: FileState): boolean =>
  a.size === b.size && a.writtenAt === b.writtenAt && a.inode === b.inode && a.device === b.device;

/** Whether the file is the one we know, grown at its end: same file, not shorter, same bytes at the places we remember. */
async function isContinued(before: Known, file: FileHandle, state: FileState): Promise<boolean> {
  const { inode, device } = before.file;
  if (inode !== state.inode || device !== state.device || state.size < before.offset) return false;
  const start = await readAt(file, Buffer.alloc(printLength), 0, before.start.length);
  if (!start.equals(before.start)) return false;
  const end = await readAt(file, Buffer.alloc(printLength), before.offset - before.before.length, before.before.length);
  return end.equals(before.before);
}

/** Keeps the bytes by which the file is known again. `known`: those that need no read. */
async function remember(
  file: FileHandle,
  state: FileState,
  offset: number,
  lines: ForwardLines,
  tailState: TailState,
  known: Prints = {},
): Promise<Known> {
  const length = Math.min(printLength, offset);
  const start = known.start?.length === length ? known.start : await readAt(file, Buffer.alloc(length), 0, length);
  const before =
    known.before?.length === length ? known.before : await readAt(file, Buffer.alloc(length), offset - length, length);
  return { file: state, offset, start, before, lines, state: tailState };
}

/** Whether an unended line is a whole record after all. */
function isComplete(line: TranscriptLine): boolean {
  if (!line.whole || line.bytes.at(-1) !== 0x7d) return false;
  try {
    JSON.parse(Buffer.from(line.bytes).toString("utf8"));
    return true;
  } catch {
    return false;
  }
}
