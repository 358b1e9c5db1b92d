import type { TurnState } from "./conversation.ts";
import type { TranscriptFact } from "./transcript.ts";

/** Where the turn stands, as far as the records say. */
export type TurnFold = {
  readonly phase: "unknown" | "idle" | "working" | "error" | "agents";
  readonly since?: number;
  readonly overflow: boolean;
  /** Codex: the turn that runs. */
  readonly turnId?: string;
  /** Codex: whether the running turn says what triggered it. */
  readonly attributed?: boolean;
  /** Calls without a result: id → what it asks of the person, or nothing. */
  readonly pending: ReadonlyMap<string, string | undefined>;
  /** Response the pending calls belong to: another response proves that they returned. */
  readonly responseId?: string;
  /** The last prompt came while no turn ran. */
  readonly promptedAtRest: boolean;
};

export const emptyTurn: TurnFold = { phase: "unknown", overflow: false, pending: new Map(), promptedAtRest: false };

/** No end is written later than this after it was, ms. */
const lateMostMs = 10_000;
/** A turn without any record for this long is no longer at work, ms (DESIGN §6). */
const stalledMs = 30 * 60_000;

export function foldTurn(turn: TurnFold, fact: TranscriptFact): TurnFold {
  return isLate(turn, fact) ? turn : foldFact(turn, fact);
}

/**
 * Records may be written after later ones (a response's last blocks, an end): what is older than the state changes it
 * not. An end that is older by far is of a clock that was put back.
 */
function isLate(turn: TurnFold, fact: TranscriptFact): boolean {
  if (fact.at === undefined || turn.since === undefined || fact.at >= turn.since) return false;
  if (fact.kind === "turn-ended" && turn.since - fact.at > lateMostMs) return false;
  const isWork = fact.kind === "working" || fact.kind === "tool-called";
  return turn.phase === "working" ? fact.kind === "turn-ended" : isWork;
}

function foldFact(turn: TurnFold, fact: TranscriptFact): TurnFold {
  switch (fact.kind) {
    case "prompt":
      // A turn that has an id goes on: Codex takes the prompt into it (facts/codex e).
      return fact.midTurn === true || (turn.phase === "working" && turn.turnId !== undefined)
        ? { ...turn, promptedAtRest: false }
        : { ...working(turn, fact.at), promptedAtRest: turn.phase !== "working" };
    case "turn-started":
      return {
        ...working(turn, fact.at),
        ...(fact.turnId === undefined ? {} : { turnId: fact.turnId }),
        ...(fact.attributed === undefined ? {} : { attributed: fact.attributed }),
      };
    case "working":
      return turn.phase === "working" ? turn : working(turn, fact.at);
    case "usage":
      return turn.pending.size > 0 && turn.responseId !== undefined && turn.responseId !== fact.responseId
        ? { ...turn, pending: new Map() }
        : turn;
    case "tool-called":
      return called(turn, fact);
    case "tool-returned": {
      if (!turn.pending.has(fact.callId)) return turn;
      const pending = new Map(turn.pending);
      pending.delete(fact.callId);
      return { ...turn, pending, ...since(fact.at) };
    }
    case "turn-ended":
      // The end of a turn that failed tells nothing new: older Codex writes its error first.
      if (turn.phase === "error" || isOfAnother(turn, fact.turnId)) return turn;
      return ended(fact.at, (fact.pendingAgents ?? 0) > 0 ? "agents" : "idle");
    case "interrupted":
      return isOfAnother(turn, fact.turnId) ? turn : ended(fact.at, "idle");
    case "api-error":
      return { ...ended(fact.at, "error"), overflow: fact.overflow };
    default:
      return turn;
  }
}

/** Codex ends a turn by its id; the end of an older one does not end the one that runs (facts/codex b). */
const isOfAnother = (turn: TurnFold, turnId: string | undefined): boolean =>
  turn.phase === "working" && turn.turnId !== undefined && turnId !== undefined && turn.turnId !== turnId;

function called(turn: TurnFold, fact: Extract<TranscriptFact, { kind: "tool-called" }>): TurnFold {
  const isSame = fact.responseId === undefined || fact.responseId === turn.responseId;
  const pending = new Map(isSame ? turn.pending : []);
  pending.set(fact.callId, fact.waitsFor);
  const { responseId: _, ...rest } = turn;
  return {
    ...rest,
    phase: "working",
    ...since(fact.at),
    pending,
    ...(fact.responseId === undefined ? {} : { responseId: fact.responseId }),
  };
}

function working(turn: TurnFold, at: number | undefined): TurnFold {
  const { turnId: _, attributed: __, responseId: ___, since: ____, ...rest } = turn;
  return { ...rest, phase: "working", ...since(at), pending: new Map(), overflow: false };
}

const ended = (at: number | undefined, phase: "idle" | "error" | "agents"): TurnFold => ({
  ...emptyTurn,
  phase,
  ...since(at),
});

const since = (at: number | undefined) => (at === undefined ? {} : { since: at });

type Times = { readonly lastAt: number | undefined; readonly now: number | undefined; readonly isWhole: boolean };

export function turnStateOf(turn: TurnFold, { lastAt, now, isWhole }: Times): TurnState {
  const from = turn.since === undefined ? {} : { since: turn.since };
  switch (turn.phase) {
    case "unknown":
      // A conversation that was read from its start and never asked anything rests.
      return isWhole ? { kind: "idle", ...from } : { kind: "unknown" };
    case "idle":
      return { kind: "idle", ...from };
    case "agents":
      return { kind: "waiting", ...from, waitingFor: "sub-agents" };
    case "error":
      return { kind: "error", ...from, overflow: turn.overflow };
    case "working": {
      const asked = [...turn.pending.values()].find((waitsFor) => waitsFor !== undefined);
      if (asked !== undefined) return { kind: "waiting", ...from, waitingFor: asked };
      if (turn.pending.size > 0) return { kind: "tool-pending", ...from };
      const isStalled = now !== undefined && lastAt !== undefined && now - lastAt >= stalledMs;
      return { kind: isStalled ? "stalled" : "working", ...from };
    }
  }
}
