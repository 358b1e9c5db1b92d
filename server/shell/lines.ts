import type { TranscriptLine } from "../agents/adapter.ts";

/** Bytes read at once: the event loop is never held longer than it takes to cut and parse these. */
export const chunkLength = 1024 * 1024;
/** A longer line is not held whole: bytes. */
export const wholeMost = 1024 * 1024;
/** Bytes kept of the beginning and of the end of a longer line. */
export const edgeLength = 64 * 1024;

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

/** Cuts a file into lines from its end backwards, block by block; each block's lines come in file order. */
export type BackwardLines = {
  /** The block that ends where the last one began. */
  readonly feed: (bytes: Buffer, take: Take) => void;
  /** The start of the file was reached: what is left is its first line. */
  readonly finish: (take: Take) => void;
};

export function createBackwardLines(): BackwardLines {
  /** Beginning of the line that reaches into earlier blocks; `undefined` before the first block. */
  let head: Buffer | undefined;
  let tail: Buffer | undefined;
  let length = 0;

  /** Puts earlier bytes before what is known of the line. */
  function prepend(bytes: Buffer): void {
    length += bytes.length;
    const joined = head === undefined ? Buffer.from(bytes) : Buffer.concat([bytes, head]);
    if (tail === undefined && joined.length <= wholeMost) {
      head = joined;
      return;
    }
    tail ??= Buffer.from(joined.subarray(joined.length - edgeLength));
    head = Buffer.from(joined.subarray(0, edgeLength));
  }

  function flush(take: Take): void {
    if (head !== undefined && length > 0)
      take(tail === undefined ? { whole: true, bytes: head } : { whole: false, head, tail, length });
    head = undefined;
    tail = undefined;
    length = 0;
  }

  function feed(bytes: Buffer, take: Take): void {
    const last = bytes.lastIndexOf(newline);
    if (last < 0) {
      prepend(bytes);
      return;
    }
    const first = bytes.indexOf(newline);
    const rest: TranscriptLine[] = [];
    prepend(bytes.subarray(last + 1));
    flush((line) => rest.push(line));
    let from = first + 1;
    while (from <= last) {
      const end = bytes.indexOf(newline, from);
      take(lineOf(bytes.subarray(from, end)));
      from = end + 1;
    }
    for (const line of rest) take(line);
    prepend(bytes.subarray(0, first));
  }

  return { feed, finish: flush };
}

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
