import { end, stay } from "./steps.ts";
import type { Because, Event, Reset, Step } from "./types.ts";

/** How long a command may show no effect at all (DESIGN §8.6), ms. */
const noEffectMs = 10_000;
/** How long a compaction that is being worked on may take, ms. */
const workingMs = 10 * 60_000;
/** When a swallowed Enter is looked for, ms after it. */
const secondLookMs = 3000;
/** How long the new figure may take after the proof, ms. */
const settleMs = 5000;

type Waiting = Extract<Reset, { phase: "confirming" | "handed-over" | "needs-reconcile" }>;
type Confirming = Extract<Reset, { phase: "confirming" }>;

/** What disk says now. Screen text is never asked. */
export function confirmOn(state: Waiting, { at, evidence }: Extract<Event, { kind: "observed" }>): Step {
  switch (evidence.kind) {
    case "nothing":
      return stay(state);
    case "working":
      return worked(state);
    case "other-prompt":
      if (state.phase === "handed-over") return end(state, "aborted", insteadOfOurs);
      return evidence.working ? worked(state) : stay(state);
    case "confirmed":
      if (
        evidence.settled ||
        (state.phase === "confirming" && state.confirmedAt !== undefined && at - state.confirmedAt >= settleMs)
      )
        return end(state, "confirmed", confirmedWords(state), evidence.afterTokens);
      return state.phase === "confirming" && state.confirmedAt === undefined
        ? stay({ ...state, confirmedAt: at })
        : stay(state);
    case "failed":
      return end(state, evidence.outcome, failedWords[evidence.outcome], evidence.afterTokens);
  }
}

const worked = (state: Waiting): Step =>
  state.phase === "confirming" && !state.workingSeen ? stay({ ...state, workingSeen: true }) : stay(state);

const insteadOfOurs: Because = {
  reason: "a prompt was sent instead of the pasted line",
  remedy: "If the pasted line was part of it, interrupt the turn; ask again when the agent is done.",
};

const confirmedWords = (state: Waiting): Because => ({
  reason:
    state.order.command === "clear"
      ? "a new conversation began in the same agent"
      : "the agent wrote one compaction into the same conversation",
  remedy: state.phase === "needs-reconcile" ? "It was confirmed late." : "Nothing to do.",
});

const failedWords = {
  "wrong-command": { reason: "another command ran instead", remedy: "Look at the terminal." },
  "not-a-command": {
    reason: "the line reached the model as a prompt, not as a command",
    remedy: "Look at the terminal; interrupt the turn if you do not want it.",
  },
  error: {
    reason: "the agent reported an error",
    remedy: "Look at the terminal; clearing may help where compacting fails.",
  },
  "not-smaller": { reason: "it ran, but the conversation did not get smaller", remedy: "Clearing will." },
} as const;

export function confirmTick(state: Confirming, at: number): Step {
  const waited = at - state.pressedAt;
  if (state.confirmedAt !== undefined) {
    return at - state.confirmedAt >= settleMs ? end(state, "confirmed", confirmedWords(state)) : stay(state);
  }
  if (state.workingSeen) return waited > workingMs ? reconcile(state, at, "unconfirmed") : stay(state);
  if (waited > noEffectMs) return reconcile(state, at, "no-effect");
  if (waited > secondLookMs && state.presses === 1 && !state.looking) {
    const attempt = state.attempt + 1;
    return { state: { ...state, attempt, looking: true }, effects: [{ kind: "look", attempt }] };
  }
  return stay(state);
}

const undecidedWords = {
  unconfirmed: {
    reason: "no proof that the command ran was written in time",
    remedy: "Look at the terminal; nothing is typed again by itself.",
  },
  "no-effect": {
    reason: "the agent neither worked nor wrote anything",
    remedy: "Look at the terminal; nothing is typed again by itself.",
  },
} as const;

/** Not decided in time: said so, never repeated by itself. Late evidence is still shown. */
function reconcile(state: Confirming, at: number, outcome: keyof typeof undecidedWords): Step {
  const { order, attempt, before } = state;
  const { effects } = end(state, outcome, undecidedWords[outcome]);
  return { state: { phase: "needs-reconcile", order, attempt, before, since: at }, effects };
}
