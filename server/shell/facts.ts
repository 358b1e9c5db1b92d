import type { ParsedLine } from "../agents/adapter.ts";
import type { TranscriptFact } from "../core/transcript.ts";

/** Facts of the lines parsed so far, in file order, with the count of what was parsed. */
export type Facts = {
  readonly add: (parsed: ParsedLine) => void;
  /** Puts an earlier block before everything. `thin`: only what an old block still tells. */
  readonly prepend: (block: Facts, thin: boolean) => void;
  readonly list: () => readonly TranscriptFact[];
  readonly records: () => number;
  readonly badLines: () => number;
};

export function createFacts(): Facts {
  /** Blocks, newest first; each in file order. */
  const blocks: (readonly TranscriptFact[])[] = [];
  const current: TranscriptFact[] = [];
  let records = 0;
  let badLines = 0;
  return {
    add(parsed) {
      if (parsed.kind === "record") {
        records += 1;
        for (const fact of parsed.facts) current.push(fact);
      } else if (parsed.kind === "bad") badLines += 1;
    },
    prepend(block, thin) {
      blocks.push(thin ? thinned(block.list()) : block.list());
      records += block.records();
      badLines += block.badLines();
    },
    list: () => [...blocks.toReversed().flat(), ...current],
    records: () => records,
    badLines: () => badLines,
  };
}

/** Kinds that matter however old: who it is, who spoke, what was compacted. The rest would fill the memory. */
const lasting: ReadonlySet<TranscriptFact["kind"]> = new Set([
  "prompt",
  "command",
  "interrupted",
  "compacted",
  "shell-started",
  "task-ended",
  "queued",
  "dequeued",
]);

function thinned(facts: readonly TranscriptFact[]): readonly TranscriptFact[] {
  const lastUsage = facts.findLast((fact) => fact.kind === "usage");
  const opened = facts.find((fact) => fact.kind === "opened");
  return facts.filter((fact) => lasting.has(fact.kind) || fact === lastUsage || fact === opened);
}
