import type * as z from "zod";
import type { ResetEnded } from "../../server/protocol/messages.ts";
import { bytes, count, size } from "./amounts.ts";
import { goalVerb } from "./choices.ts";
import { plain, unslanted } from "./plain.ts";
import { doneWords } from "./steps.ts";

export type Ended = z.output<typeof ResetEnded.params>;

export type EndButton = "undo" | "openSaved" | "copy" | "showTerminal" | "showLog";

/**
 * One sentence, one remedy, at most three buttons. `good`: it did what was asked. `hasText`: what the person wrote and was not
 * delivered is still there to be shown.
 */
export function endedWords(
  ended: Ended,
  hasText: boolean,
): {
  readonly message: string;
  readonly good: boolean;
  readonly buttons: readonly EndButton[];
} {
  const name = plain(ended.name, 24);
  const isConfirmed = ended.outcome === "confirmed";
  const words = isConfirmed
    ? [confirmed(ended)]
    : [happened(ended), ...savedOnly(ended), sentence(ended.reason), sentence(ended.remedy)];
  const message = [`${name}:`, ...words, ...notCarried(ended, hasText)].filter(Boolean).join(" ");
  const good = isConfirmed && ended.undelivered.length === 0 && ended.lost === 0;
  return { message, good, buttons: buttonsOf(ended, good, hasText) };
}

function buttonsOf({ cleared, saved }: Ended, good: boolean, hasText: boolean): readonly EndButton[] {
  const all: readonly EndButton[] = [
    ...(hasText && cleared ? (["copy"] as const) : []),
    ...(cleared ? (["undo"] as const) : []),
    ...(saved === undefined ? [] : (["openSaved"] as const)),
    "showTerminal",
    ...(good ? [] : (["showLog"] as const)),
  ];
  return all.slice(0, 3);
}

function confirmed({ goal, beforeTokens: before, afterTokens: after, saved }: Ended): string {
  if (goal === "save") return `saved${saved === undefined ? "" : `, ${bytes(saved.bytes)}`}.`;
  if (goal === "undo") return "back in the old conversation. Files changed since are not undone.";
  const figures =
    before !== undefined && after !== undefined
      ? `${size(before)} → ${size(after)}.`
      : `${doneWords[goal]}${before === undefined ? "" : `, was ${size(before)}`}.`;
  if (goal === "compact") return `${figures} The same conversation, as a summary.`;
  return `${figures} ${saved === undefined ? "Cleared" : `Saved (${bytes(saved.bytes)}) and cleared`}; the old conversation is kept.`;
}

function happened({ outcome, goal, gate, cleared, beforeTokens, afterTokens }: Ended): string {
  const done = doneWords[goal];
  switch (outcome) {
    case "confirmed":
      return `${done}.`;
    case "refused":
      return goal === "reset" ? "not cleared, /clear was not typed." : `not ${done}.`;
    case "aborted":
      return `${goalVerb[goal]} was called off.`;
    case "taken-back":
      return `not ${done}: the pasted line was taken back, Enter was not pressed.`;
    case "left-in-box":
      // With its agent or its terminal the prompt box is gone too.
      if (gate === "agent-running" || gate === "terminal-open") return `not ${done}: Enter was not pressed.`;
      return `not ${done}: Enter was not pressed, and the pasted line may still stand in its prompt box.`;
    case "wrong-command":
      return "another command ran than the one pasted.";
    case "not-a-command":
      return "the line arrived as an ordinary prompt.";
    case "no-effect":
      // Whether Enter was pressed is not known where the worker died, or the window did not answer.
      return "nothing happened; the pasted line may still stand in its prompt box.";
    case "error":
      return "the agent reported an error.";
    case "not-smaller":
      return beforeTokens !== undefined && afterTokens !== undefined
        ? `${done}, but it is not smaller (${size(beforeTokens)} → ${size(afterTokens)}).`
        : `${done}, but it is not smaller.`;
    case "not-briefed":
      return "cleared, but the new conversation was not told where it stands.";
    case "unconfirmed":
      return cleared ? "cleared, but not known whether it was briefed." : `it is not known whether it was ${done}.`;
  }
}

/** Something lies on disk although the rest was not done. */
function savedOnly({ saved, cleared, goal, outcome }: Ended): readonly string[] {
  if (saved === undefined) return [];
  const what = `Its state is saved (${bytes(saved.bytes)})`;
  if (cleared || outcome === "unconfirmed" || outcome === "no-effect" || goal !== "reset") return [`${what}.`];
  return [`${what}, but the conversation was not cleared.`];
}

function notCarried({ lost, undelivered, cleared }: Ended, hasText: boolean): readonly string[] {
  const isOne = lost === 1;
  const written = hasText
    ? cleared
      ? "it is shown in the editor"
      : "its document is open again"
    : "it is gone with the window it was written in";
  return [
    ...(lost === 0
      ? []
      : [
          `${count(lost, "prompt or image", "prompts or images")} of yours could not be carried over: ${isOne ? "it is" : "they are"} in the old conversation${cleared ? " (Undo)" : ""}.`,
        ]),
    ...(undelivered.length === 0 ? [] : [`What you wrote was not delivered; ${written}.`]),
  ];
}

/** The worker's words, as a sentence. */
function sentence(text: string): string {
  const words = unslanted(text, 500);
  if (words === "") return "";
  // The name of a setting stays as it is written.
  const first = words.startsWith("plimsoll.") ? words : words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?]$/u.test(first) ? first : `${first}.`;
}

export const refusedWords = (name: string, verbWord: string, reason: string, remedy: string): string =>
  [`${plain(name, 24)}: can't ${verbWord} now.`, sentence(reason), sentence(remedy)].filter(Boolean).join(" ");

/** Title of the document that shows what could not be delivered. */
export const undeliveredTitle = (name: string): string => `Not Delivered to ${plain(name, 24).replaceAll("/", "-")}`;
