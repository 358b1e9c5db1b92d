import type * as z from "zod";
import type { ResetEnded } from "../../server/protocol/messages.ts";
import { size } from "./amounts.ts";
import { plain, unslanted } from "./plain.ts";
import { verb } from "./steps.ts";

export type Ended = z.output<typeof ResetEnded.params>;

/** One sentence, one remedy. `good`: it did what was asked. */
export function endedWords(ended: Ended): { readonly message: string; readonly good: boolean } {
  const name = plain(ended.name, 24);
  if (ended.outcome === "confirmed") return { message: `${name}: ${confirmed(ended)}`, good: true };
  const what = happened(ended);
  return { message: `${name}: ${what}${sentence(ended.reason)}${sentence(ended.remedy)}`, good: false };
}

function confirmed({ command, beforeTokens: before, afterTokens: after, conversationId }: Ended): string {
  const figures =
    before !== undefined && after !== undefined
      ? `${size(before)} → ${size(after)}.`
      : `${command === "clear" ? "cleared" : "compacted"}${before === undefined ? "" : `, was ${size(before)}`}.`;
  if (command === "compact") return `${figures} The same conversation, as a summary.`;
  const id = conversationId === undefined ? "" : ` ${plain(conversationId, 60)}`;
  return `${figures} A new conversation; the old one is kept: /resume${id}`;
}

function happened({ outcome, command, gate, beforeTokens, afterTokens }: Ended): string {
  const done = command === "clear" ? "cleared" : "compacted";
  switch (outcome) {
    case "confirmed":
      return `${done}.`;
    case "refused":
      return `not ${done}, nothing was typed.`;
    case "aborted":
      return `${verb(command)} was called off.`;
    case "taken-back":
      return `not ${done}: the pasted line was taken back, Enter was not pressed.`;
    case "left-in-box":
      // With its agent or its terminal the prompt box is gone too.
      if (gate === "agent-running" || gate === "terminal-open") return `not ${done}: Enter was not pressed.`;
      return `not ${done}: Enter was not pressed, and the pasted line may still stand in its prompt box.`;
    case "wrong-command":
      return `another command ran than the one pasted.`;
    case "not-a-command":
      return `the line arrived as an ordinary prompt.`;
    case "no-effect":
      return `Enter was pressed, but nothing happened.`;
    case "error":
      return `the agent reported an error.`;
    case "not-smaller":
      return beforeTokens !== undefined && afterTokens !== undefined
        ? `${done}, but it is not smaller (${size(beforeTokens)} → ${size(afterTokens)}).`
        : `${done}, but it is not smaller.`;
    case "unconfirmed":
      return `it is not known whether it was ${done}.`;
  }
}

/** The worker's words, as a sentence behind ours. */
function sentence(text: string): string {
  const words = unslanted(text, 500);
  if (words === "") return "";
  // The name of a setting stays as it is written.
  const first = words.startsWith("plimsoll.") ? words : words.charAt(0).toUpperCase() + words.slice(1);
  return ` ${/[.!?]$/u.test(first) ? first : `${first}.`}`;
}

export const refusedWords = (name: string, verbWord: string, reason: string, remedy: string): string =>
  `${plain(name, 24)}: can't ${verbWord} now.${sentence(reason)}${sentence(remedy)}`;
