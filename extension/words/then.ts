import { choiceTitles } from "./choices.ts";
import { plain } from "./plain.ts";

export const thenWords = {
  lead: (name: string): string =>
    `Write what the new conversation of ${name} should do first. It is kept in memory only.`,
  send: "Send With Save & Clear",
  discard: "Discard",
  empty: `There is nothing written yet. Write what the new conversation should do first, or choose ${choiceTitles.resetContinue}.`,
  shell:
    "A text that begins with ! would be run by the agent as a shell command, so it can't be sent. Put a word before it.",
  tooLong: "This text is too long to be pasted (more than 100,000 characters). Put it into a file and name the file.",
  notHere: "Open it with Plimsoll: Save, Clear, Then… first.",
} as const;

const most = 100_000;

/** Why a text can't be sent; `text` as it would be pasted. */
export function thenProblem(text: string): string | undefined {
  const words = text.trimStart();
  if (words === "") return thenWords.empty;
  if (words.startsWith("!")) return thenWords.shell;
  return text.length > most ? thenWords.tooLong : undefined;
}

/** Name of the document. Its ending is the one `contributes` knows. */
export const thenDocument = (name: string): string => `Then ${plain(name, 24).replaceAll("/", "-")}.plimsoll-then`;
