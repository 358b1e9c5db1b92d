import type { ResetOutcome } from "../../protocol/messages.ts";
import type { Because, Effect, Open, Question, Reset, Step } from "./types.ts";

/** Nothing to do. */
export const stay = (state: Reset): Step => ({ state, effects: [] });

/** A new question to the outside: answers to earlier ones are void from here on. */
export function ask<S extends Open>(state: S, question: Question): Step {
  const attempt = state.attempt + 1;
  return { state: { ...state, attempt }, effects: [{ kind: "judge", attempt, question }] };
}

/** One more effect whose answer alone counts from here on. */
export function begin<S extends Open>(state: S, effect: (attempt: number) => Effect): Step {
  const attempt = state.attempt + 1;
  return { state: { ...state, attempt }, effects: [effect(attempt)] };
}

export type EndDetails = {
  readonly afterTokens?: number;
  readonly nextConversationId?: string;
};

/** The reset is over; what it was goes out as the last effect. */
export function end(state: Open, outcome: ResetOutcome, because: Because, details: EndDetails = {}): Step {
  const before = "before" in state ? state.before.tokens : undefined;
  const saved = "saved" in state ? state.saved : undefined;
  const next = "conversationId" in state ? state.conversationId : details.nextConversationId;
  return {
    state: { phase: "none", attempt: state.attempt + 1 },
    effects: [
      {
        kind: "end",
        outcome,
        because: plainly(because),
        order: state.order,
        cleared: state.order.goal === "reset" && next !== undefined,
        undelivered: undelivered(state),
        lost: lost(state),
        ...(saved === undefined ? {} : { saved }),
        ...(next === undefined ? {} : { nextConversationId: next }),
        ...(before === undefined ? {} : { beforeTokens: before }),
        ...(details.afterTokens === undefined ? {} : { afterTokens: details.afterTokens }),
      },
    ],
  };
}

/** Texts of the person that the window still holds. */
const undelivered = (state: Open): readonly string[] =>
  state.phase === "resuming"
    ? state.queue.flatMap((line) => (line.kind === "held" ? [line.textId] : []))
    : state.order.carry.map(({ textId }) => textId);

/** Prompts of the old conversation that were not carried over: those that could not be, and those still to be said. */
const lost = (state: Open): number =>
  state.phase === "resuming" ? state.lost + state.queue.filter(({ kind }) => kind === "carried").length : 0;

const plainly = ({ gate, reason, remedy }: Because): Because => ({
  ...(gate === undefined ? {} : { gate }),
  reason,
  remedy,
});
