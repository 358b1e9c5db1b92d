import type { TranscriptAdapter } from "../adapter.ts";
import { parseLine } from "./parse.ts";
import { promptIn } from "./prompt.ts";

const id = /^rollout-.*-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl$/i;

export const codex: TranscriptAdapter = {
  id: "codex",
  conversationIdOf: (path) => id.exec(path.split(/[\\/]/).at(-1) ?? "")?.[1],
  recognises(head) {
    const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString("latin1", 0, 64 * 1024);
    return /"type"\s*:\s*"(session_meta|event_msg|response_item|turn_context|compacted)"/.test(text);
  },
  parseLine,
  promptIn,
};
