import type { FileHandle } from "node:fs/promises";
import type { TranscriptAdapter, TranscriptLine } from "../../agents/adapter.ts";
import type { TranscriptFact } from "../../core/transcript.ts";
import { createForwardLines } from "./lines.ts";
import { readAt } from "./tailFile.ts";

/** Bytes of the beginning that say whose conversation it is; Codex's first line carries some 25 KB of instructions. */
const headLength = { claude: 8 * 1024, codex: 96 * 1024 } as const;
/** How every record ends. */
const closing = Buffer.from("}");
/** Where the conversation's own first response must stand, bytes from the start. */
const firstMost = 2 * 1024 * 1024;
/** Read at once in search of it; a real one ends within 160 KB (facts/claude-code a). */
const firstBlock = 256 * 1024;

/** Beginning of a file whose middle is not read: whose conversation it is, and whether a clear made it. */
export async function readHead(
  adapter: TranscriptAdapter,
  file: FileHandle,
  buffer: Buffer,
): Promise<{ readonly facts: readonly TranscriptFact[]; readonly start: Buffer }> {
  const found: TranscriptFact[] = [];
  let isOpened = false;
  let isBorn = false;
  const lines = createForwardLines();
  const bytes = await readAt(file, buffer, 0, headLength[adapter.id]);
  const start = Buffer.from(bytes.subarray(0, 256));
  const take = (line: TranscriptLine): void => {
    if (isBorn && isOpened) return;
    const parsed = adapter.parseLine(line);
    for (const fact of parsed.kind === "record" ? parsed.facts : []) {
      if (fact.kind === "opened" && !isOpened) {
        isOpened = true;
        found.push(fact);
      }
      if (isBorn || !(fact.kind === "command" || fact.kind === "prompt" || fact.kind === "usage")) continue;
      isBorn = true;
      // A later command is no birth, and a prompt of the beginning no news.
      if (fact.kind === "command") found.push(fact);
    }
  };
  lines.feed(bytes, take);
  // A first line that goes on for longer still says whose conversation it is.
  if (lines.held() === bytes.length && bytes.length > 0)
    take({ whole: false, head: bytes, tail: closing, length: bytes.length });
  return { facts: found, start };
}

/** The conversation's own first response: without it a compaction's figure cannot be judged (DESIGN §4). */
export async function firstResponse(
  adapter: TranscriptAdapter,
  file: FileHandle,
  buffer: Buffer,
): Promise<TranscriptFact | undefined> {
  const lines = createForwardLines();
  let usage: Extract<TranscriptFact, { kind: "usage" }> | undefined;
  for (let at = 0; at < firstMost && usage === undefined; ) {
    const bytes = await readAt(file, buffer, at, firstBlock);
    if (bytes.length === 0) break;
    at += bytes.length;
    lines.feed(bytes, (line) => {
      if (usage !== undefined) return;
      const parsed = adapter.parseLine(line);
      if (parsed.kind === "record") usage = parsed.facts.find((fact) => fact.kind === "usage");
    });
  }
  if (usage === undefined) return undefined;
  const { responseId, tokens } = usage;
  return { kind: "first-response", at: undefined, responseId, tokens };
}
