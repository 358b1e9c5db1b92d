import { codeOfLine } from "../../core/save/checkCode.ts";
import { bytesWanted, leastBytes, maxBytes } from "../../core/save/receipt.ts";
import { requestMarker } from "../../core/save/requestText.ts";
import type { StateLook } from "../../protocol/save.ts";
import { readInside, readPlain, sha256Of } from "./inside.ts";

/**
 * One look at the saved state: size, first line and digest, nothing else of it is kept or judged (R98). What it says is
 * the narrowest true cause: existence, freshness, substance (R92). Never throws. `minBytes` is never below 200 (R90).
 */
export function lookAtState(parts: {
  readonly cwd: string;
  readonly statePath: string;
  readonly code: string;
  readonly minBytes?: number;
}): StateLook {
  const read = readInside(parts.cwd, parts.statePath, maxBytes);
  if (read.kind === "unreadable") return { kind: "unreadable", why: read.why.slice(0, 200) };
  if (read.kind !== "read") return read;
  const { bytes } = read;
  const found = { size: bytes.length, digest: sha256Of(bytes) };
  if (bytes.includes(requestMarker)) return { kind: "echo" };
  if (codeOfLine(firstLineOf(bytes)) !== parts.code) return { kind: "wrong-code", ...found };
  const least = Math.max(leastBytes, parts.minBytes ?? bytesWanted("state-file"));
  return { kind: bytes.length < least ? "too-small" : "well-formed", ...found };
}

/** The line the check code stands in; more than this of one line is no such line, bytes. */
const longestLine = 400;

/** Whatever ends the line; a byte order mark counts as white space in it. */
function firstLineOf(bytes: Buffer): string {
  const head = bytes
    .subarray(0, longestLine)
    .toString("utf8")
    .replace(/^\uFEFF/, "");
  return head.split(/\r\n|\n|\r/, 1)[0] ?? "";
}

/** Sha-256 of a plain file, hex; undefined where there is none, or it is a link, or larger than 1 MiB. */
export function digestOfFile(path: string): string | undefined {
  const read = readPlain(path, maxBytes);
  return read.kind === "read" ? sha256Of(read.bytes) : undefined;
}
