import type { Conversation } from "../core/conversation.ts";
import { type CompactionSettings, compactionPoint, judge, type Lines, type Pressure } from "../core/pressure.ts";
import type { AgentId } from "../protocol/agents.ts";

/** Words of the output for how full it is. */
const words: Readonly<Record<Pressure, "ok" | "soft" | "hard">> = { none: "ok", selective: "soft", full: "hard" };

/** One conversation as the command prints it: ids, numbers, times and fixed words. Nothing that was said. */
export function outputOf(
  transcript: string,
  conversation: Conversation,
  lines: Lines,
  compaction: CompactionSettings,
): Readonly<Record<string, unknown>> {
  const { agent, conversationId, reading, window, turn, lastHuman, badLines, records, compactions } = conversation;
  const measured = reading.kind === "measured" ? reading : undefined;
  const judged = judge(
    {
      tokens: measured?.tokens,
      windowSize: window?.size,
      compactionPoint: compactionPoint(agent, window?.size, compaction),
    },
    lines,
  );
  return {
    agent,
    conversationId,
    transcript,
    tokens: measured?.tokens,
    tokensPlusOutput: measured === undefined ? undefined : plusOutput(conversation, measured),
    tokensIsEstimate: reading.kind === "compacted-unknown" || measured?.estimate === true ? true : undefined,
    windowSize: window?.size,
    windowBasis: window?.basis ?? "unknown",
    percent: judged.percent,
    pressure: words[judged.pressure],
    decidedBy: judged.decidedBy,
    state: turn.kind,
    lastHumanPromptAt: lastHuman.kind === "known" ? new Date(lastHuman.at).toISOString() : undefined,
    unmeasured: reading.kind === "unmeasured" ? true : undefined,
    suspect: measured?.suspect === true ? true : undefined,
    badLines,
    records,
    compactions,
  };
}

/** A transcript that was deleted: nothing of it is known any more. */
export const outputOfGone = (
  transcript: string,
  agent: AgentId,
  conversationId: string | undefined,
): Readonly<Record<string, unknown>> => ({ agent, conversationId, transcript, state: "gone" });

/** Codex counts the output in its total already (facts/codex b). An estimate of a boundary has none. */
function plusOutput(
  { agent }: Conversation,
  { tokens, output }: { readonly tokens: number; readonly output?: number },
): number | undefined {
  if (agent === "codex") return tokens;
  return output === undefined ? undefined : tokens + output;
}
