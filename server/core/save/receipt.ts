import type { StateLook } from "../../protocol/save.ts";
import { assertNever } from "../assertNever.ts";

/** A saved state shorter than this is a stub (R90), bytes. */
const minBytes = 1000;
/** A workflow whose own command saves leaves only a short file behind, bytes. Nothing is ever accepted below it (R90). */
export const leastBytes = 200;
/** A saved state larger than this is not read, bytes. */
export const maxBytes = 1024 * 1024;

/** Two looks that see the same content are this far apart (R91), ms. Never below half a second. */
const stabilityMs = 2000;
const leastStabilityMs = 500;

/** The file is on disk before the record of the tool call that wrote it: Claude writes its transcript that much later, ms. */
const recordLagMs = 1000;

/** How many bytes a saved state must have. `command`: the workflow's own command did the saving. */
export const bytesWanted = (variant: "state-file" | "command"): number =>
  variant === "command" ? leastBytes : minBytes;

/** What stands in the way of accepting a saved state. */
export type StateProblem = {
  readonly token: Exclude<StateLook["kind"], "well-formed"> | "changing";
  readonly reason: string;
  readonly remedy: string;
};

/** What has been seen of the saved state so far. `first`: when the content it has now was first seen, monotonic ms. */
export type LookMemory = {
  readonly last?: StateLook;
  readonly first?: { readonly digest: string; readonly clock: number; readonly toolCalls: number };
};

export type StateVerdict =
  | { readonly kind: "not-yet"; readonly problem: StateProblem }
  /** `toolCalls`: as of the first look that saw this content; a tool call after it may have made it untrue. */
  | { readonly kind: "stable"; readonly size: number; readonly digest: string; readonly toolCalls: number }
  | { readonly kind: "refused"; readonly problem: StateProblem };

/**
 * Adds one look. Existence, then freshness, then substance (the look itself says the narrowest of these, R92), then
 * stability: the same content at two looks far enough apart, so that the first is never accepted (R91). The clock starts
 * anew whenever the content was anything else in between. `looks` stays the same object where nothing was learnt.
 */
export function lookAgain(
  memory: LookMemory | undefined,
  look: StateLook,
  clock: number,
  toolCalls: number,
  waitMs: number = stabilityMs,
): { readonly looks: LookMemory; readonly verdict: StateVerdict } {
  if (look.kind !== "well-formed") {
    const isSame = memory !== undefined && memory.first === undefined && isSameLook(memory.last, look);
    const verdict = { kind: endsIt(look) ? "refused" : "not-yet", problem: problemOf(look) } as const;
    return { looks: isSame ? memory : { last: look }, verdict };
  }
  const { digest, size } = look;
  const first = memory?.first;
  if (memory === undefined || first === undefined || first.digest !== digest)
    return { looks: { last: look, first: { digest, clock, toolCalls } }, verdict: changing(look) };
  const isStable = clock - first.clock >= Math.max(leastStabilityMs, waitMs);
  const isLate = toolCalls !== first.toolCalls && clock - first.clock <= recordLagMs;
  return {
    looks: isLate ? { ...memory, first: { ...first, toolCalls } } : memory,
    verdict: isStable ? { kind: "stable", size, digest, toolCalls: first.toolCalls } : changing(look),
  };
}

const changing = (look: StateLook): StateVerdict => ({ kind: "not-yet", problem: problemOf(look) });

/** Waiting does not make these right: somebody put something else in the file's place. */
function endsIt({ kind }: StateLook): boolean {
  return kind === "link" || kind === "outside" || kind === "not-a-file" || kind === "too-large";
}

function isSameLook(a: StateLook | undefined, b: StateLook): boolean {
  if (a?.kind !== b.kind) return false;
  if ("digest" in a && "digest" in b) return a.digest === b.digest && a.size === b.size;
  if ("size" in a && "size" in b) return a.size === b.size;
  return "why" in a && "why" in b ? a.why === b.why : true;
}

/** The same as people read it, with its fixed token. */
export const problemOf = (look: StateLook): StateProblem => ({
  token: look.kind === "well-formed" ? "changing" : look.kind,
  ...problemWords(look),
});

const askAgain = "Look at the terminal, then ask again.";

/** Why a saved state is not accepted as it was last seen, and what the person can do. */
export function problemWords(look: StateLook): { readonly reason: string; readonly remedy: string } {
  switch (look.kind) {
    case "missing":
      return { reason: "it has saved nothing", remedy: askAgain };
    case "link":
      return { reason: "the saved state is a link to something else", remedy: "Remove the link, then ask again." };
    case "outside":
      return { reason: "the saved state lies outside the agent's folder", remedy: askAgain };
    case "not-a-file":
      return { reason: "the saved state is no plain file", remedy: "Remove what lies in its place, then ask again." };
    case "too-large":
      return {
        reason: `the saved state is too large (${bytes(look.size)}; 1 MB is the most)`,
        remedy: "Tell the agent to save less, then ask again.",
      };
    case "unreadable":
      return { reason: `the saved state cannot be read (${look.why})`, remedy: "Look at the file's rights." };
    case "echo":
      return { reason: "it wrote back what it was asked instead of its state", remedy: askAgain };
    case "wrong-code":
      return { reason: "the saved state does not begin with this save's check code", remedy: askAgain };
    case "too-small":
      return { reason: `it has saved only ${bytes(look.size)}, too little to go on from`, remedy: askAgain };
    case "well-formed":
      return { reason: "the saved state was still changing", remedy: "Wait for the agent, then ask again." };
    default:
      return assertNever(look);
  }
}

const bytes = (size: number): string => (size < 1000 ? `${size} bytes` : `${(size / 1000).toFixed(1)} kB`);
