import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { adapters } from "../../../server/agents/registry.ts";
import type { Conversation } from "../../../server/core/conversation.ts";
import { conversationOf } from "../../../server/core/fold.ts";
import { createTail, type Tail, type TailOptions, type TailState } from "../../../server/shell/transcripts/tail.ts";

/** Runs the work with a folder that is gone afterwards. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "plimsoll-tail-")));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const claudeTail = (path: string, more: Partial<TailOptions> = {}): Tail =>
  createTail({ adapter: adapters.claude, path, ...more });

export const seen = (state: TailState): Conversation =>
  conversationOf(state.fold, {
    humanSearchComplete: state.isWhole,
    records: state.records,
    badLines: state.badLines,
  });

let count = 0;
const time = (second: number): string => new Date(Date.UTC(2026, 9, 5, 9) + second * 1000).toISOString();

export const prompt = (second: number, text = "go"): string =>
  `${JSON.stringify({ type: "user", isSidechain: false, cwd: "/proj/demo", sessionId: "s1", uuid: `u${++count}`, timestamp: time(second), message: { role: "user", content: text } })}\n`;

export const answer = (second: number, tokens: number, more: object = {}): string =>
  `${JSON.stringify({
    type: "assistant",
    isSidechain: false,
    cwd: "/proj/demo",
    sessionId: "s1",
    uuid: `u${++count}`,
    timestamp: time(second),
    message: {
      id: `m${++count}`,
      model: "claude-sonnet-4-5",
      content: [{ type: "text", text: "ok" }],
      stop_reason: "end_turn",
      usage: { input_tokens: tokens, output_tokens: 9 },
      ...more,
    },
  })}\n`;

/** A tool result of about this many bytes. */
export const output = (second: number, bytes: number): string =>
  `${JSON.stringify({ type: "user", isSidechain: false, timestamp: time(second), message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "y".repeat(bytes) }] } })}\n`;

export const boundary = (second: number, postTokens: number): string =>
  `${JSON.stringify({ type: "system", subtype: "compact_boundary", sessionId: "s1", timestamp: time(second), compactMetadata: { trigger: "manual", postTokens } })}\n`;
