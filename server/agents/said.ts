import type { TranscriptFact } from "../core/transcript.ts";

/** What may stand behind the last character of a sentence: white space and markup that closes. */
const closing: ReadonlySet<string> = new Set([..."*_`~|\"'”’»)]}>"]);

/** What the model said to the person: of its texts the last that holds anything. */
export function saidFacts(
  texts: readonly (string | undefined)[],
  at: number | undefined,
): readonly Extract<TranscriptFact, { kind: "said" }>[] {
  const last = texts.findLast((text) => text !== undefined && text.trim() !== "");
  return last === undefined ? [] : [{ kind: "said", at, isQuestion: endsWithQuestion(last) }];
}

/** Whether the text ends with a question mark. */
function endsWithQuestion(text: string): boolean {
  let end = text.length - 1;
  while (end >= 0 && (closing.has(text.charAt(end)) || text.charAt(end).trim() === "")) end -= 1;
  return text.charAt(end) === "?" || text.charAt(end) === "？";
}
