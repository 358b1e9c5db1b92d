import type { ParsedLine } from "../agents/adapter.ts";
import type { TranscriptFact } from "../core/transcript.ts";

/** Facts of the lines parsed so far, in file order, with the count of what was parsed. */
export type Facts = {
  readonly add: (parsed: ParsedLine) => void;
  readonly list: () => readonly TranscriptFact[];
  readonly records: () => number;
  readonly badLines: () => number;
};

/** `before`: facts that no counted line gave. */
export function createFacts(before: readonly TranscriptFact[] = []): Facts {
  const facts = [...before];
  let records = 0;
  let badLines = 0;
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
