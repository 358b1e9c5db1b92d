import type { ResetOutcome } from "../../protocol/messages.ts";
import type { Because, Reset, Step } from "./types.ts";

type Open = Exclude<Reset, { phase: "none" }>;

/** Nothing to do. */
export const stay = (state: Reset): Step => ({ state, effects: [] });

/** A new question to the outside: answers to earlier ones are void from here on. */
export function ask<S extends Open>(state: S, stage: "prepare" | "armed" | "last-look"): Step {
  const attempt = state.attempt + 1;
  return { state: { ...state, attempt }, effects: [{ kind: "judge", attempt, stage }] };
}

/** The reset is over; what it was goes out as the last effect. */
export function end(state: Open, outcome: ResetOutcome, because: Because, afterTokens?: number): Step {
  const before = "before" in state ? state.before.tokens : undefined;
  return {
    state: { phase: "none", attempt: state.attempt + 1 },
    effects: [
      {
        kind: "end",
        outcome,
        because: {
          ...(because.gate === undefined ? {} : { gate: because.gate }),
          reason: because.reason,
          remedy: because.remedy,
        },
        order: state.order,
        ...(before === undefined ? {} : { beforeTokens: before }),
        ...(afterTokens === undefined ? {} : { afterTokens }),
      },
    ],
  };
}
