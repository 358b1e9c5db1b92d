import type { ParsedLine } from "../../agents/adapter.ts";
import type { TranscriptFact } from "../../core/transcript.ts";

/** Facts of the lines parsed so far, in file order, with the count of what was parsed. */
export type Facts = {
  readonly add: (parsed: ParsedLine) => void;
  readonly list: () => readonly TranscriptFact[];
  readonly records: () => number;
  readonly badLines: () => number;
};

/** `known`: what was found before, with what was counted for it. */
export function createFacts(
  known: { readonly facts: readonly TranscriptFact[]; readonly records: number; readonly badLines: number } = {
    facts: [],
    records: 0,
    badLines: 0,
  },
): Facts {
  const facts = [...known.facts];
  let { records, badLines } = known;
  return {
    add(parsed) {
      if (parsed.kind === "bad") badLines += 1;
      if (parsed.kind !== "record") return;
      records += 1;
      for (const fact of parsed.facts) facts.push(fact);
    },
    list: () => facts,
    records: () => records,
    badLines: () => badLines,
  };
}
