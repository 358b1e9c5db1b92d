import type { LineRef } from "../../protocol/lines.ts";
import { advance, submit } from "./advance.ts";
import { lostClaim } from "./prepare.ts";
import { toResuming } from "./resume.ts";
import { begin, end, stay } from "./steps.ts";
import type { Confirmed, Dispatched, Event, EventOf, Order, Reset, Step, Undecided } from "./types.ts";

type Claimed = Extract<Reset, { phase: "claimed" }>;

/** The one line that a reset is about. */
function actLine({ goal, workflow, target }: Order): LineRef {
  switch (goal) {
    case "compact":
      return { kind: "compact", sentence: workflow === "snapshot" ? "snapshot" : "default" };
    case "undo":
      return { kind: "resume", conversationId: target ?? "" };
    default:
      return { kind: "clear" };
  }
}

/** The claim stands in the journal before the first byte; only its winner goes on (R121). */
export function onClaimed(state: Claimed, event: Event): Step {
  if (event.kind !== "claim-answered") return stay(state);
  if (!event.won) return end(state, "refused", lostClaim);
  const { order, attempt, before, saved, assisted } = state;
  const next = {
    phase: "dispatched",
    order,
    attempt,
    before,
    claimedAt: event.at,
    ...(saved === undefined ? {} : { saved }),
  } as const;
  const { at } = event;
  return submit((submission) => ({ ...next, submission }), { line: actLine(order), before, assisted, at });
}

export function onDispatched(state: Dispatched, event: Event): Step {
  return advance(state, event, (result) => {
    switch (result.kind) {
      case "untouched":
        return result.again ? waitAgain(state, event.at, result.because.reason) : end(state, "refused", result.because);
      case "taken-back":
      case "left-in-box":
        return end(state, result.kind, result.because);
      case "confirmed":
        return confirmed(state, event.at, result.proof);
      case "undecided":
        return reconcile(state, event.at, result.outcome, result.because);
      case "failed":
        return end(state, result.outcome, result.because, after(result.afterTokens));
      case "given-up":
        return end(state, result.outcome, result.because);
    }
  });
}

const after = (tokens: number | undefined) => (tokens === undefined ? {} : { afterTokens: tokens });

/** Nothing was written: the click still stands, and is tried again when the window answers. */
function waitAgain({ order, attempt, before, saved }: Dispatched, since: number, waitsFor: string): Step {
  const { compactions } = before;
  if (saved === undefined) return stay({ phase: "armed", order, attempt, since, compactions, waitsFor, asking: false });
  return stay({ phase: "saved", step: "waiting", order, attempt, saved, compactions, since, waitsFor, asking: false });
}

function confirmed(
  state: Dispatched,
  _at: number,
  proof: { readonly afterTokens?: number; readonly conversationId?: string },
): Step {
  const { order, attempt, before, saved, claimedAt } = state;
  if (order.goal === "compact") return end(state, "confirmed", compactedWords, after(proof.afterTokens));
  if (order.goal === "undo" || proof.conversationId === undefined || saved === undefined)
    return end(state, "confirmed", backWords, after(proof.afterTokens));
  const { conversationId } = proof;
  return begin({ phase: "confirmed", order, attempt, before, saved, claimedAt, conversationId }, (asked) => ({
    kind: "collect",
    attempt: asked,
    saved,
    claimedAt,
  }));
}

const compactedWords = {
  reason: "the agent wrote one compaction into the same conversation",
  remedy: "Nothing to do.",
};
const backWords = {
  reason: "it is back in the conversation from before the clear",
  remedy: "Files changed since are not undone.",
};

/** The new conversation is there: what is to be said in it is put together. */
export function onConfirmed(state: Confirmed, event: Event): Step {
  return event.kind === "collected" ? toResuming(state, event) : stay(state);
}

/** Not decided in time: said so, never repeated by itself. Late evidence is still shown. */
function reconcile(
  state: Dispatched,
  at: number,
  outcome: "no-effect" | "unconfirmed",
  because: { readonly reason: string; readonly remedy: string },
): Step {
  const { order, attempt, before, saved, submission } = state;
  const { effects } = end(state, outcome, because);
  const next: Undecided = {
    phase: "needs-reconcile",
    order,
    attempt,
    before,
    since: at,
    line: submission.line,
    ...(saved === undefined ? {} : { saved }),
  };
  return { state: next, effects };
}

/** Shown, never acted on by itself: the fresh conversation is not briefed this late. */
export function onUndecided(state: Undecided, { evidence }: EventOf<"observed">): Step {
  if (evidence.kind === "failed") return end(state, evidence.outcome, lateFailure, after(evidence.afterTokens));
  if (evidence.kind !== "confirmed" || !evidence.settled) return stay(state);
  const next = evidence.conversationId === undefined ? {} : { nextConversationId: evidence.conversationId };
  const details = { ...after(evidence.afterTokens), ...next };
  return state.order.goal === "reset" && state.order.then !== "stop"
    ? end(state, "not-briefed", lateWords, details)
    : end(state, "confirmed", { reason: "it was confirmed late", remedy: "Nothing to do." }, details);
}

const lateWords = {
  reason: "the clear was seen so late that nothing was typed after it",
  remedy: "Tell the agent to read its saved state, or undo.",
};
const lateFailure = { reason: "it was seen late what became of it", remedy: "Look at the terminal." };
