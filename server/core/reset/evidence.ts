import type { Conversation, TurnState } from "../conversation.ts";
import { threadTime } from "../threadTime.ts";
import type { Baseline, Evidence, Order } from "./types.ts";

/** What is seen of the agent after Enter: the conversation it is in now, as read from disk. */
export type Observed = {
  readonly conversationId?: string;
  readonly conversation?: Conversation;
  readonly turn: TurnState;
};

const nothing: Evidence = { kind: "nothing" };

/** Ids made before the click belong to an older conversation that was resumed; clocks may differ by this much, ms. */
const skewMs = 2000;

/**
 * Tells apart what became of the command, from disk alone (DESIGN §8.6). `lineDigest`: digest of the line we typed, to
 * know it when it reached the model as words.
 */
export function evidenceOf(order: Order, before: Baseline, lineDigest: string, now: Observed): Evidence {
  const { conversation, turn } = now;
  const prompt = conversation?.lastPrompt;
  if (prompt !== undefined && prompt.recordId !== before.lastPromptId && prompt.digest === lineDigest)
    return { kind: "failed", outcome: "not-a-command" };
  const proof = order.command === "clear" ? cleared(order, before, now) : compacted(before, now);
  if (proof.kind !== "nothing") return proof;
  return now.conversationId === before.conversationId ? otherwise(order, before, conversation, turn) : nothing;
}

function cleared(order: Order, before: Baseline, { conversationId, conversation }: Observed): Evidence {
  if (conversationId === undefined || conversationId === before.conversationId) return nothing;
  const bornAt = threadTime(conversationId);
  if (bornAt !== undefined) {
    return bornAt >= order.at - skewMs && conversation?.forkedFrom === undefined
      ? { kind: "confirmed", settled: true }
      : { kind: "failed", outcome: "wrong-command" };
  }
  if (conversation === undefined) return nothing;
  if (conversation.bornOfClear) {
    return (conversation.lastCommand?.at ?? conversation.lastRecordAt ?? 0) >= order.at - skewMs
      ? { kind: "confirmed", settled: true }
      : { kind: "failed", outcome: "wrong-command" };
  }
  return conversation.firstReading === undefined ? nothing : { kind: "failed", outcome: "wrong-command" };
}

function compacted(before: Baseline, { conversationId, conversation, turn }: Observed): Evidence {
  if (conversation === undefined || conversationId !== before.conversationId) return nothing;
  if (conversation.compactions <= before.compactions || conversation.lastCompaction?.trigger === "auto") return nothing;
  const { reading, lastCompaction } = conversation;
  const isNew = "at" in reading && reading.at >= (lastCompaction?.at ?? 0);
  const settled = turn.kind === "idle" && isNew;
  if (reading.kind !== "measured" || !isNew) return { kind: "confirmed", settled };
  return settled && before.tokens !== undefined && reading.tokens >= before.tokens
    ? { kind: "failed", outcome: "not-smaller", afterTokens: reading.tokens }
    : { kind: "confirmed", settled, afterTokens: reading.tokens };
}

function otherwise(order: Order, before: Baseline, conversation: Conversation | undefined, turn: TurnState): Evidence {
  const command = conversation?.lastCommand;
  if (command !== undefined && command.at > (before.lastCommandAt ?? 0)) {
    if (command.failed !== undefined) return { kind: "failed", outcome: "error" };
    if (command.name !== order.command) return { kind: "failed", outcome: "wrong-command" };
  }
  if (turn.kind === "error" && (turn.since ?? 0) > order.at) return { kind: "failed", outcome: "error" };
  const prompt = conversation?.lastPrompt;
  // An older one may be found only now, when the search through the transcript comes to it.
  if (prompt !== undefined && prompt.recordId !== before.lastPromptId && prompt.at > order.at)
    return { kind: "other-prompt", working: turn.kind === "working" };
  return turn.kind === "working" ? { kind: "working" } : nothing;
}
