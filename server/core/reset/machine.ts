import { assertNever } from "../assertNever.ts";
import { confirmOn, confirmTick } from "./confirm.ts";
import { ask, end, stay } from "./steps.ts";
import { onErased, onLastLook, onLooked, onPressed, onTyped } from "./submit.ts";
import type { Event, Reset, Step } from "./types.ts";

/** An armed reset waits at most this long for the turn's end (DESIGN §8), ms. */
const armedMs = 60 * 60_000;
/** A prompt pasted for the person waits at most this long for their Enter, ms. */
const handedOverMs = 10 * 60_000;

export const noReset: Reset = { phase: "none", attempt: 0 };

/**
 * The one reset of one agent. Pure: time arrives on the event, effects are data. An event that does not fit the phase
 * returns the same state, no effects: late and duplicate answers are harmless.
 */
export function reduce(state: Reset, event: Event): Step {
  switch (event.kind) {
    case "approved":
      return state.phase === "none" || state.phase === "needs-reconcile"
        ? ask({ phase: "prepared", order: event.order, attempt: state.attempt }, "prepare")
        : stay(state);
    case "judged":
      return event.attempt === state.attempt ? judged(state, event) : stay(state);
    case "claim-answered":
      return state.phase === "claimed" && event.attempt === state.attempt ? claimed(state, event) : stay(state);
    case "typed":
      return state.phase === "dispatched" && event.attempt === state.attempt ? onTyped(state, event) : stay(state);
    case "pressed":
      return state.phase === "dispatched" && event.attempt === state.attempt ? onPressed(state, event) : stay(state);
    case "erased":
      return state.phase === "dispatched" && event.attempt === state.attempt ? onErased(state, event) : stay(state);
    case "looked":
      return state.phase === "confirming" && event.attempt === state.attempt ? onLooked(state, event) : stay(state);
    case "handed":
      return state.phase === "handed-over" && event.attempt === state.attempt ? handed(state, event) : stay(state);
    case "observed":
      return observed(state, event);
    case "cancelled":
      return cancelled(state);
    case "agent-gone":
      return agentGone(state);
    case "closing":
      return state.phase === "prepared" || state.phase === "armed"
        ? end(state, "aborted", { reason: "the window was closed", remedy: "Ask again." })
        : stay(state);
    case "recovered":
      return recovered(state, event.at);
    case "tick":
      return tick(state, event.at);
    default:
      return assertNever(event);
  }
}

function judged(state: Reset, event: Extract<Event, { kind: "judged" }>): Step {
  if (state.phase === "dispatched") return onLastLook(state, event);
  if (state.phase !== "prepared" && !(state.phase === "armed" && state.asking)) return stay(state);
  const { order, attempt } = state;
  const { report, baseline, at } = event;
  if (state.phase === "armed" && baseline.compactions !== state.compactions)
    return end(state, "aborted", { reason: "the agent compacted by itself meanwhile", remedy: "Look at the gauge." });
  if (report.refused !== undefined && event.assisted)
    return {
      state: { phase: "handed-over", order, attempt, before: baseline, since: at, pasted: false },
      effects: [{ kind: "hand-over", attempt }],
    };
  if (report.refused !== undefined) return end(state, "refused", report.refused);
  const first = report.waiting[0];
  if (first !== undefined)
    return stay({
      phase: "armed",
      order,
      attempt,
      since: state.phase === "armed" ? state.since : at,
      compactions: baseline.compactions,
      waitsFor: first.reason,
      asking: false,
    });
  return { state: { phase: "claimed", order, attempt, before: baseline }, effects: [{ kind: "claim", attempt }] };
}

function claimed(state: Extract<Reset, { phase: "claimed" }>, event: Extract<Event, { kind: "claim-answered" }>): Step {
  if (!event.won)
    return end(state, "refused", {
      gate: "no-other-reset",
      reason: "another window is resetting this agent",
      remedy: "Wait for it.",
    });
  const { order, attempt, before } = state;
  return {
    state: {
      phase: "dispatched",
      order,
      attempt,
      before,
      step: "typing",
      presses: 0,
      sequence: 0,
      lookUntil: event.at,
    },
    effects: [{ kind: "type", attempt }],
  };
}

function handed(state: Extract<Reset, { phase: "handed-over" }>, event: Extract<Event, { kind: "handed" }>): Step {
  return event.pasted
    ? stay({ ...state, pasted: true })
    : end(state, "refused", { reason: "the line could not be pasted", remedy: "Type the command yourself." });
}

function observed(state: Reset, event: Extract<Event, { kind: "observed" }>): Step {
  switch (state.phase) {
    case "armed":
      if (event.compactions !== state.compactions)
        return end(state, "aborted", {
          reason: "the agent compacted by itself meanwhile",
          remedy: "Look at the gauge.",
        });
      return state.asking ? stay(state) : ask({ ...state, asking: true }, "armed");
    case "confirming":
    case "handed-over":
    case "needs-reconcile":
      return confirmOn(state, event);
    default:
      return stay(state);
  }
}

function cancelled(state: Reset): Step {
  switch (state.phase) {
    case "prepared":
    case "armed":
      return end(state, "aborted", { reason: "you cancelled it", remedy: "Ask again at any time." });
    case "handed-over":
      return end(state, "aborted", {
        reason: "you cancelled it; the pasted line may still stand in the prompt box",
        remedy: "Delete it there.",
      });
    case "needs-reconcile":
      return stay({ phase: "none", attempt: state.attempt });
    default:
      return stay(state);
  }
}

function agentGone(state: Reset): Step {
  const remedy = "Look at the terminal.";
  switch (state.phase) {
    case "none":
      return stay(state);
    case "prepared":
    case "armed":
      return end(state, "aborted", { reason: "the agent has ended", remedy });
    case "claimed":
    case "handed-over":
      return end(state, "aborted", { reason: "the agent has ended before Enter", remedy });
    case "dispatched":
      // The host refuses the key by itself (its own last look); its answer tells what became of the line.
      return stay(state);
    case "confirming":
      return end(state, "unconfirmed", { reason: "the agent ended right after Enter", remedy });
    case "needs-reconcile":
      return stay({ phase: "none", attempt: state.attempt });
  }
}

/** The owner of this journal died (DESIGN §8 *Crash*). Nothing here ever leads to a second key. */
function recovered(state: Reset, at: number): Step {
  switch (state.phase) {
    case "none":
    case "needs-reconcile":
      return stay(state);
    case "prepared":
    case "armed":
    case "claimed":
      return end(state, "aborted", { reason: "Plimsoll was restarted; nothing had been typed", remedy: "Ask again." });
    case "handed-over":
      return end(state, "aborted", {
        reason: "Plimsoll was restarted while it waited for your Enter",
        remedy: "The pasted line may still stand in the prompt box.",
      });
    case "dispatched":
    case "confirming": {
      const { order, attempt, before } = state;
      return stay({ phase: "needs-reconcile", order, attempt, before, since: at });
    }
  }
}

function tick(state: Reset, at: number): Step {
  switch (state.phase) {
    case "armed":
      if (at - state.since > armedMs)
        return end(state, "aborted", { reason: "the turn did not end within an hour", remedy: "Ask again." });
      return state.asking ? stay(state) : ask({ ...state, asking: true }, "armed");
    case "confirming":
      return confirmTick(state, at);
    case "handed-over":
      return at - state.since > handedOverMs
        ? end(state, "unconfirmed", {
            reason: "no new conversation was seen within ten minutes",
            remedy: "The pasted line may still stand in the prompt box: press Enter or delete it.",
          })
        : stay(state);
    default:
      return stay(state);
  }
}
