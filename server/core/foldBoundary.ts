import type { AgentId } from "../protocol/agents.ts";
import type { TranscriptFact } from "./transcript.ts";

type Compacted = Extract<TranscriptFact, { kind: "compacted" }>;

/** Compactions that were told of, as far as one of them may be told again. */
export type Boundaries = { readonly ids: readonly string[]; readonly lastAt?: number };

export const noBoundaries: Boundaries = { ids: [] };

/** Both records that tell of one Codex compaction (`compacted`, `context_compacted`) fall within this time, ms. */
const sameCompactionMs = 2000;
/** Ids kept to recognise a boundary that is written again. */
const keptIds = 64;

/**
 * The boundaries after this one, or undefined where it was told of before: a resume writes old records again, and Codex
 * announces its compaction after the size that came out of it.
 */
export function foldBoundaries(
  agent: AgentId,
  { ids, lastAt }: Boundaries,
  { recordId }: Compacted,
  at: number,
): Boundaries | undefined {
  if (recordId !== undefined && ids.includes(recordId)) return undefined;
  if (agent === "codex" && lastAt !== undefined && Math.abs(at - lastAt) <= sameCompactionMs) return undefined;
  return { ids: recordId === undefined ? ids : [...ids.slice(1 - keptIds), recordId], lastAt: at };
}
