import type { AgentId, CommandId } from "./agents.ts";

/** Every line Plimsoll can type, by agent. This is the whole list: nothing else is ever typed (R42). */
export type LineId = CommandId | "exit";

const compactSentence =
  "Keep the current task its state the open questions the decisions made the files in work and the next action";

/**
 * The fixed texts, byte for byte. Letters and spaces only after the command (REQUIREMENTS §1.12). Codex takes `/compact`
 * alone: with words behind it, it is an ordinary prompt (facts/codex).
 */
const lines: Readonly<Record<AgentId, Readonly<Record<LineId, string>>>> = {
  claude: { compact: `/compact ${compactSentence}`, clear: "/clear", exit: "/exit" },
  codex: { compact: "/compact", clear: "/clear", exit: "/exit" },
};

/** The exact text of a line; one line, ASCII, no Enter. */
export const lineText = (agent: AgentId, line: LineId): string => lines[agent][line];

export const allLines: readonly { readonly agent: AgentId; readonly line: LineId; readonly text: string }[] = (
  ["claude", "codex"] as const
).flatMap((agent) =>
  (["compact", "clear", "exit"] as const).map((line) => ({ agent, line, text: lineText(agent, line) })),
);
