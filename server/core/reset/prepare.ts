import { ask, begin, end, stay } from "./steps.ts";
import type { Because, Event, EventOf, Open, Reset, Step } from "./types.ts";

/** An armed reset waits at most this long for the turn's end (DESIGN §8.1), ms. */
const armedMs = 60 * 60_000;

type Prepared = Extract<Reset, { phase: "prepared" }>;
type Armed = Extract<Reset, { phase: "armed" }>;

export const compacted: Because = {
  reason: "the agent compacted by itself meanwhile",
  remedy: "Look at the gauge.",
};

export const spoke: Because = {
  gate: "nothing-said-since",
  reason: "a prompt was sent after the click",
  remedy: "Click again when the agent is done.",
};

export function onPrepared(state: Prepared, event: Event): Step {
  return event.kind === "judged" ? judged(state, event) : stay(state);
}

export function onArmed(state: Armed, event: Event): Step {
  switch (event.kind) {
    case "judged":
      return event.baseline.compactions === state.compactions ? judged(state, event) : end(state, "aborted", compacted);
    case "observed":
      if (event.humanSpoke) return end(state, "aborted", spoke);
      return event.compactions === state.compactions ? again(state) : end(state, "aborted", compacted);
    case "tick":
      return event.at - state.since > armedMs
        ? end(state, "aborted", { reason: "the turn did not end within an hour", remedy: "Ask again." })
        : again(state);
    default:
      return stay(state);
  }
}

/** Before which line the reset is judged when it begins. */
const question = (state: Prepared | Armed) => (state.order.savesFirst ? "save" : "act");

const again = (state: Armed): Step =>
  state.asking ? stay(state) : ask({ ...state, asking: true }, { before: question(state), look: "again" });

export const prepare = (state: Prepared): Step => ask(state, { before: question(state), look: "first" });

function judged(state: Prepared | Armed, { at, report, baseline, assisted }: EventOf<"judged">): Step {
  const { order, attempt } = state;
  if (report.refused !== undefined && !assisted) return end(state, "refused", report.refused);
  const first = report.waiting[0];
  if (report.refused === undefined && first !== undefined)
    return stay({
      phase: "armed",
      order,
      attempt,
      since: state.phase === "armed" ? state.since : at,
      compactions: baseline.compactions,
      waitsFor: first.reason,
      asking: false,
    });
  const next: Open = order.savesFirst
    ? { phase: "saving", step: "locking", order, attempt, before: baseline, assisted }
    : { phase: "claimed", order, attempt, before: baseline, assisted };
  return begin(next, (asked) => ({ kind: "claim", attempt: asked }));
}

export const lostClaim: Because = {
  gate: "no-other-reset",
  reason: "another window is resetting this agent",
  remedy: "Wait for it.",
};
