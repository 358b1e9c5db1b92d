import type { TranscriptAdapter } from "../adapter.ts";
import { parseLine } from "./parse.ts";

const id = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl$/i;

export const claude: TranscriptAdapter = {
  id: "claude",
  conversationIdOf(path) {
    const parts = path.split(/[\\/]/);
    // `<id>/subagents/agent-….jsonl` belongs to a conversation, it is none.
    return parts.includes("subagents") ? undefined : id.exec(parts.at(-1) ?? "")?.[1]?.toLowerCase();
  },
  recognises(head) {
    const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString("latin1", 0, 64 * 1024);
    return (
      /"(sessionId|parentUuid|isSidechain)"\s*:/.test(text) ||
      /"type"\s*:\s*"(user|assistant)"[\s\S]*"message"\s*:\s*\{/.test(text)
    );
  },
  parseLine,
};
