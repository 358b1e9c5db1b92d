import { commandOf, type LineRef } from "../../protocol/lines.ts";
import type { Conversation, TurnState } from "../conversation.ts";
import { threadTime } from "../threadTime.ts";
import type { Baseline, Evidence } from "./types.ts";

/** What is seen of the agent after Enter: the conversation it is in now, as read from disk. */
export type Observed = {
  readonly conversationId?: string;
  readonly conversation?: Conversation;
  readonly turn: TurnState;
};

/**
 * A line that was submitted. `since`: when the reset was asked for; `enterAt`: when Enter was pressed, or the line pasted
 * for the person; epoch ms. `digest`: of its text.
 */
export type Submitted = {
  readonly line: LineRef;
  readonly before: Baseline;
  readonly since: number;
  readonly enterAt: number;
  readonly digest: string;
};

const nothing: Evidence = { kind: "nothing" };
const confirmed = { kind: "confirmed", settled: true } as const satisfies Evidence;

/** Ids made before the click belong to an older conversation that was resumed; clocks may differ by this much, ms. */
const skewMs = 2000;

/** Tells apart what became of a line, from disk alone (DESIGN §8.6). */
export function evidenceOf(submitted: Submitted, now: Observed): Evidence {
  const proof = proofOf(submitted, now);
  if (proof.kind !== "nothing") return proof;
  return now.conversationId === submitted.before.conversationId ? otherwise(submitted, now) : nothing;
}

function proofOf(submitted: Submitted, now: Observed): Evidence {
  const isPrompt = arrivedAsPrompt(submitted, now);
  switch (submitted.line.kind) {
    case "clear":
      return isPrompt ? notACommand : cleared(submitted, now);
    case "compact":
      return isPrompt ? notACommand : compacted(submitted, now);
    case "resume":
      return isPrompt ? notACommand : resumed(submitted.line.conversationId, submitted, now);
    case "command":
      return isPrompt || ranCommand(submitted.line.name, submitted, now) ? confirmed : nothing;
    case "exit":
      return nothing;
    default:
      return isPrompt ? confirmed : nothing;
  }
}

const notACommand: Evidence = { kind: "failed", outcome: "not-a-command" };
const wrongCommand: Evidence = { kind: "failed", outcome: "wrong-command" };

function arrivedAsPrompt({ before, digest }: Submitted, { conversation }: Observed): boolean {
  const prompt = conversation?.lastPrompt;
  return prompt !== undefined && prompt.recordId !== before.lastPromptId && prompt.digest === digest;
}

const ranCommand = (name: string, { before }: Submitted, { conversation }: Observed): boolean =>
  conversation?.lastCommand?.name === name && conversation.lastCommand.at > (before.lastCommandAt ?? 0);

function cleared({ before, since }: Submitted, { conversationId, conversation }: Observed): Evidence {
  if (conversationId === undefined || conversationId === before.conversationId) return nothing;
  const begun: Evidence = { ...confirmed, conversationId };
  const bornAt = threadTime(conversationId);
  if (bornAt !== undefined)
    return bornAt >= since - skewMs && conversation?.forkedFrom === undefined ? begun : wrongCommand;
  if (conversation === undefined) return nothing;
  if (conversation.bornOfClear)
    return (conversation.lastCommand?.at ?? conversation.lastRecordAt ?? 0) >= since - skewMs ? begun : wrongCommand;
  return conversation.firstReading === undefined ? nothing : wrongCommand;
}

function compacted({ before }: Submitted, { conversationId, conversation, turn }: Observed): Evidence {
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

/** Back in the old conversation: the agent itself says it is in that one. */
function resumed(target: string, { before }: Submitted, { conversationId, conversation }: Observed): Evidence {
  if (conversationId === undefined || conversationId === before.conversationId) return nothing;
  if (conversationId !== target) return wrongCommand;
  const reading = conversation?.reading;
  return { ...confirmed, ...(reading?.kind === "measured" ? { afterTokens: reading.tokens } : {}) };
}

function otherwise({ line, before, enterAt }: Submitted, { conversation, turn }: Observed): Evidence {
  const command = conversation?.lastCommand;
  if (command !== undefined && command.at > (before.lastCommandAt ?? 0)) {
    if (command.failed !== undefined) return { kind: "failed", outcome: "error" };
    if (command.name !== commandOf(line)) return wrongCommand;
  }
  if (turn.kind === "error" && (turn.since ?? 0) > enterAt) return { kind: "failed", outcome: "error" };
  const prompt = conversation?.lastPrompt;
  // An older one may be found only now, when the search through the transcript comes to it.
  if (prompt !== undefined && prompt.recordId !== before.lastPromptId && prompt.at > enterAt)
    return { kind: "other-prompt", working: turn.kind === "working" };
  return turn.kind === "working" ? { kind: "working" } : nothing;
}
