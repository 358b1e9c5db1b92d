import { assertNever } from "../assertNever.ts";
import { onClaimed, onConfirmed, onDispatched, onUndecided } from "./act.ts";
import { follow } from "./advance.ts";
import { onArmed, onPrepared, prepare } from "./prepare.ts";
import { recovered } from "./recover.ts";
import { briefedWords, onResuming } from "./resume.ts";
import { onSaved } from "./saved.ts";
import { onSaving } from "./saving.ts";
import { end, stay } from "./steps.ts";
import { recall } from "./submission.ts";
import type { Because, Event, Open, Reset, Saving, Step } from "./types.ts";

export const noReset: Reset = { phase: "none", attempt: 0 };

/**
 * The one reset of one agent. Pure: time arrives on the event, effects are data. An event that does not fit the phase
 * returns the same state, no effects: late and duplicate answers are harmless.
 */
export function reduce(state: Reset, event: Event): Step {
  if ("attempt" in event && event.attempt !== state.attempt) return stay(state);
  switch (event.kind) {
    case "approved":
      return state.phase === "none" || state.phase === "needs-reconcile"
        ? prepare({ phase: "prepared", order: event.order, attempt: state.attempt })
        : stay(state);
    case "cancelled":
      return cancelled(state);
    case "agent-gone":
      return agentGone(state);
    case "closing":
      return isBeforeClaim(state)
        ? end(state, "aborted", { reason: "the window was closed", remedy: "Ask again." })
        : stay(state);
    case "recovered":
      return recovered(state, event.at);
    default:
      return inPhase(state, event);
  }
}

function inPhase(state: Reset, event: Event): Step {
  switch (state.phase) {
    case "none":
      return stay(state);
    case "prepared":
      return onPrepared(state, event);
    case "armed":
      return onArmed(state, event);
    case "saving":
      return onSaving(state, event);
    case "saved":
      return onSaved(state, event);
    case "claimed":
      return onClaimed(state, event);
    case "dispatched":
      return onDispatched(state, event);
    case "confirmed":
      return onConfirmed(state, event);
    case "resuming":
      return onResuming(state, event);
    case "needs-reconcile":
      return event.kind === "observed" ? onUndecided(state, event) : stay(state);
    default:
      return assertNever(state);
  }
}

/** Nothing is claimed yet: it may be called off. */
export const isBeforeClaim = (
  state: Reset,
): state is Extract<Open, { phase: "prepared" | "armed" | "saving" | "saved" }> =>
  state.phase === "prepared" || state.phase === "armed" || state.phase === "saving" || state.phase === "saved";

const byPerson: Because = { reason: "you cancelled it", remedy: "Ask again at any time." };
const byPersonInBox: Because = {
  reason: "you cancelled it; the pasted line may still stand in the prompt box",
  remedy: "Delete it there.",
};

function cancelled(state: Reset): Step {
  if (state.phase === "needs-reconcile") return stay({ phase: "none", attempt: state.attempt });
  if (state.phase === "saving" && state.step === "submitting") return calledBack(state);
  if (isBeforeClaim(state)) return end(state, "aborted", byPerson);
  if (state.phase === "resuming" && state.step === "submitting" && state.submission.step === "handed")
    return end(state, "not-briefed", byPersonInBox);
  const isHanded = state.phase === "dispatched" && state.submission.step === "handed";
  return isHanded ? end(state, "aborted", byPersonInBox) : stay(state);
}

/** The request to save is on its way: it is taken back where that can still be done. */
function calledBack(state: Extract<Saving, { step: "submitting" }>): Step {
  const { step } = state.submission;
  if (step === "proof") return end(state, "aborted", byPerson);
  const result = recall(state.submission, step === "handed" ? byPersonInBox : byPerson);
  if (result === undefined) return stay(state);
  return follow(state, result, (over) => end(state, "aborted", "because" in over ? over.because : byPerson));
}

function agentGone(state: Reset): Step {
  const remedy = "Look at the terminal.";
  const gone: Because = { gate: "agent-running", reason: "the agent has ended", remedy };
  switch (state.phase) {
    case "none":
      return stay(state);
    case "prepared":
    case "armed":
    case "saving":
    case "saved":
      return end(state, "aborted", gone);
    case "claimed":
      return end(state, "aborted", { ...gone, reason: "the agent has ended before Enter" });
    case "dispatched":
      // The host refuses the key by itself (its own last look); its answer tells what became of the line.
      if (state.submission.step === "handed")
        return end(state, "aborted", { ...gone, reason: "the agent has ended before Enter" });
      return state.submission.step === "proof"
        ? end(state, "unconfirmed", { ...gone, reason: "the agent ended right after Enter" })
        : stay(state);
    case "confirmed":
    case "resuming":
      if (state.phase === "resuming" && state.step === "settling") return end(state, "confirmed", briefedWords);
      return end(state, "not-briefed", { ...gone, reason: "the agent has ended after the clear" });
    case "needs-reconcile":
      return stay({ phase: "none", attempt: state.attempt });
    default:
      return assertNever(state);
  }
}
