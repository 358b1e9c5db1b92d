import type { TranscriptLine } from "../../agents/adapter.ts";

/** Bytes read at once: the event loop is never held longer than it takes to cut and parse these. */
export const chunkLength = 1024 * 1024;
/** A longer line is not held whole: bytes. */
export const wholeMost = 1024 * 1024;
/** Bytes kept of the beginning and of the end of a longer line. */
const edgeLength = 64 * 1024;

const newline = 0x0a;

type Take = (line: TranscriptLine) => void;

/** Cuts appended bytes into lines. A half line is held until its end comes; nothing is parsed twice. */
export type ForwardLines = {
  readonly feed: (bytes: Buffer, take: Take) => void;
  /** Bytes of the line that has not ended. */
  readonly held: () => number;
  /** The held bytes as a line, where it is short enough to be whole. They stay held. */
  readonly peek: () => TranscriptLine | undefined;
  readonly drop: () => void;
};

export function createForwardLines(): ForwardLines {
  let parts: Buffer[] = [];
  let length = 0;
  /** Set once the line is too long: its beginning; `parts` then only cover its end. */
  let head: Buffer | undefined;

  function hold(bytes: Buffer): void {
    if (bytes.length === 0) return;
    length += bytes.length;
    if (head === undefined) {
      // Copied: the reader reuses its buffer.
      parts.push(Buffer.from(bytes));
      if (length <= wholeMost) return;
      const all = Buffer.concat(parts);
      head = Buffer.from(all.subarray(0, edgeLength));
      parts = [Buffer.from(all.subarray(Math.max(edgeLength, all.length - edgeLength)))];
      return;
    }
    const end = bytes.subarray(Math.max(0, bytes.length - edgeLength));
    const all = Buffer.concat([...parts, end]);
    parts = [Buffer.from(all.subarray(Math.max(0, all.length - edgeLength)))];
  }

  function line(): TranscriptLine {
    return head === undefined
      ? { whole: true, bytes: parts.length === 1 ? (parts[0] ?? Buffer.alloc(0)) : Buffer.concat(parts) }
      : { whole: false, head, tail: Buffer.concat(parts), length };
  }

  function drop(): void {
    parts = [];
    length = 0;
    head = undefined;
  }

  function feed(bytes: Buffer, take: Take): void {
    let from = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, from)) {
      if (length === 0) take(lineOf(bytes.subarray(from, end)));
      else {
        hold(bytes.subarray(from, end));
        take(line());
        drop();
      }
      from = end + 1;
    }
    hold(bytes.subarray(from));
  }

  return { feed, held: () => length, peek: () => (length > 0 && head === undefined ? line() : undefined), drop };
}

/** Takes a line; false ends the walk. */
type TakeOlder = (line: TranscriptLine) => boolean;

/** Cuts a file into lines from its end backwards, newest line first. */
export type BackwardLines = {
  /** The block that ends where the last one began. False once `take` had enough. */
  readonly feed: (bytes: Buffer, take: TakeOlder) => boolean;
  /** The start of the file was reached: what is left is its first line. */
  readonly finish: (take: TakeOlder) => void;
};

export function createBackwardLines(): BackwardLines {
  /** Beginning of the line that reaches into earlier blocks; `undefined` before the first block. */
  let head: Buffer | undefined;
  /** End of it, once it is too long to hold whole. */
  let tail: Buffer | undefined;
  let length = 0;

  /** Puts earlier bytes before what is known of the line. */
  function prepend(bytes: Buffer): void {
    length += bytes.length;
    if (tail !== undefined && bytes.length >= edgeLength) {
      head = Buffer.from(bytes.subarray(0, edgeLength));
      return;
    }
    const joined = head === undefined ? Buffer.from(bytes) : Buffer.concat([bytes, head]);
    if (tail === undefined && joined.length <= wholeMost) {
      head = joined;
      return;
    }
    tail ??= Buffer.from(joined.subarray(joined.length - edgeLength));
    head = Buffer.from(joined.subarray(0, edgeLength));
  }

  function flush(take: TakeOlder): boolean {
    const line: TranscriptLine | undefined =
      head === undefined || length === 0
        ? undefined
        : tail === undefined
          ? { whole: true, bytes: head }
          : { whole: false, head, tail, length };
    head = undefined;
    tail = undefined;
    length = 0;
    return line === undefined || take(line);
  }

  function feed(bytes: Buffer, take: TakeOlder): boolean {
    let end = bytes.lastIndexOf(newline);
    if (end < 0) {
      prepend(bytes);
      return true;
    }
    if (length > 0 || end + 1 < bytes.length) {
      if (length === 0) {
        if (!take(lineOf(bytes.subarray(end + 1)))) return false;
      } else {
        prepend(bytes.subarray(end + 1));
        if (!flush(take)) return false;
      }
    }
    for (let before = lastBefore(bytes, end); before >= 0; before = lastBefore(bytes, end)) {
      if (!take(lineOf(bytes.subarray(before + 1, end)))) return false;
      end = before;
    }
    prepend(bytes.subarray(0, end));
    return true;
  }

  return { feed, finish: flush };
}

/** `lastIndexOf` takes a negative start as counted from the end. */
const lastBefore = (bytes: Buffer, end: number): number => (end === 0 ? -1 : bytes.lastIndexOf(newline, end - 1));

function lineOf(bytes: Buffer): TranscriptLine {
  return bytes.length <= wholeMost
    ? { whole: true, bytes }
    : {
        whole: false,
        head: bytes.subarray(0, edgeLength),
        tail: bytes.subarray(bytes.length - edgeLength),
        length: bytes.length,
      };
}
