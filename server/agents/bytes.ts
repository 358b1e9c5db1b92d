import type { TranscriptLine } from "./adapter.ts";

/** Bytes of a line that decide what kind it is: nothing further in is looked at before parsing. */
const headLength = 768;
const tailLength = 2048;

/** A line as the parsers see it: no BOM, no white space or NULs around it. */
export type Edges = {
  /** All of the line, unless it was too long to keep. */
  readonly whole?: Buffer;
  readonly headBytes: Buffer;
  readonly tailBytes: Buffer;
  /** First and last bytes as text, one character a byte. */
  readonly head: string;
  readonly tail: string;
  readonly length: number;
};

/** Undefined where the line holds nothing. */
export function edgesOf(line: TranscriptLine): Edges | undefined {
  if (line.whole) {
    const whole = trimmed(view(line.bytes), true, true);
    if (whole.length === 0) return undefined;
    return edged(whole, whole, whole.length, whole);
  }
  const headBytes = trimmed(view(line.head), true, false);
  return edged(headBytes, trimmed(view(line.tail), false, true), line.length);
}

function edged(headBytes: Buffer, tailBytes: Buffer, length: number, whole?: Buffer): Edges {
  let tail: string | undefined;
  return {
    ...(whole === undefined ? {} : { whole }),
    headBytes,
    tailBytes,
    head: headBytes.toString("latin1", 0, Math.min(headBytes.length, headLength)),
    // Most lines are known by their beginning: the end is made text only where it is asked for.
    get tail() {
      tail ??=
        tailBytes.length <= headLength && headBytes === tailBytes
          ? ""
          : tailBytes.toString("latin1", Math.max(0, tailBytes.length - tailLength));
      return tail;
    },
    length,
  };
}

/** Whether the line can be an object at all. The rest is left to the parser, where the line is parsed. */
export const looksLikeObject = ({ headBytes, tailBytes }: Edges): boolean =>
  headBytes[0] === 0x7b && tailBytes[tailBytes.length - 1] === 0x7d;

const view = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function trimmed(bytes: Buffer, atStart: boolean, atEnd: boolean): Buffer {
  let start = 0;
  let end = bytes.length;
  if (atStart) {
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) start = 3;
    while (start < end && isSpace(bytes[start])) start += 1;
    // A crashed append leaves NULs before the next record; a line of nothing but NULs stays one bad line.
    let afterNuls = start;
    while (afterNuls < end && bytes[afterNuls] === 0) afterNuls += 1;
    if (afterNuls < end) start = afterNuls;
  }
  if (atEnd) while (end > start && isSpace(bytes[end - 1])) end -= 1;
  return start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end);
}

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0x0a;

/** JSON of a whole line, or undefined where it is none. */
export function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}

/** Values of every `"key":"value"` in the bytes; inside a string the quotes are escaped, so that none is found there. */
export function stringsOf(bytes: Buffer, key: string): readonly string[] {
  const found: string[] = [];
  const needle = `"${key}":"`;
  for (let at = bytes.indexOf(needle); at >= 0; at = bytes.indexOf(needle, at + needle.length)) {
    const from = at + needle.length;
    const end = bytes.indexOf(0x22, from);
    if (end < 0) break;
    if (end - from <= 200) found.push(bytes.toString("utf8", from, end));
  }
  return found;
}

/** No date is later, epoch ms. */
const latest = 8.64e15;

/** Epoch ms of an ISO time, or of a number that can be one. */
export function timeOf(value: unknown): number | undefined {
  const at = typeof value === "string" ? Date.parse(value) : typeof value === "number" ? value : Number.NaN;
  return Number.isFinite(at) && at > 0 && at <= latest ? at : undefined;
}
