import assert from "node:assert/strict";
import { claude } from "../../../server/agents/claude/adapter.ts";
import type { TranscriptFact } from "../../../server/core/transcript.ts";

export const at = Date.parse("2026-10-05T09:00:00.000Z");
export const common = {
  uuid: "u1",
  timestamp: "2026-10-05T09:00:00.000Z",
  sessionId: "s1",
  cwd: "/proj/demo",
  version: "2.1.300",
};
export const user = (content: unknown, more: object = {}) => ({
  ...common,
  type: "user",
  message: { role: "user", content },
  ...more,
});
export const answer = (message: object, more: object = {}) => ({
  ...common,
  type: "assistant",
  message: {
    id: "m1",
    model: "claude-opus-4-6",
    content: [{ type: "text", text: "ok" }],
    stop_reason: "end_turn",
    ...message,
  },
  ...more,
});
export const usage = {
  input_tokens: 4,
  cache_creation_input_tokens: 1000,
  cache_read_input_tokens: 30_000,
  output_tokens: 9,
};

export const parse = (line: string) => claude.parseLine({ whole: true, bytes: Buffer.from(line) });
export function factsOf(record: unknown): readonly TranscriptFact[] {
  const parsed = parse(JSON.stringify(record));
  assert.ok(parsed.kind === "record");
  return parsed.facts.filter(({ kind }) => kind !== "opened");
}
export const kindsOf = (record: unknown) => factsOf(record).map(({ kind }) => kind);
export const promptOf = (record: unknown) => factsOf(record).find((fact) => fact.kind === "prompt");
export const usageOf = (record: unknown) => factsOf(record).find((fact) => fact.kind === "usage");
