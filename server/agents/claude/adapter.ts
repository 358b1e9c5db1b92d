import type { TranscriptAdapter } from "../adapter.ts";
import { parseLine } from "./parse.ts";
import { promptIn } from "./prompt.ts";

const id = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl$/i;

export const claude: TranscriptAdapter = {
  id: "claude",
  conversationIdOf(path) {
    const parts = path.split(/[\\/]/);
    // `<id>/subagents/agent-….jsonl` belongs to a conversation, it is none.
    return parts.includes("subagents") ? undefined : id.exec(parts.at(-1) ?? "")?.[1];
  },
  recognises(head) {
    const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString("latin1", 0, 64 * 1024);
    // `history.jsonl` beside the transcripts names sessions, too, but its lines have no kind.
    return (
      /"type"\s*:\s*"[a-z-]+"/.test(text) &&
      /"(sessionId|parentUuid|isSidechain|leafUuid)"\s*:/.test(text) &&
      !/^\s*\{"display"/.test(text)
    );
  },
  parseLine,
  promptIn,
};
