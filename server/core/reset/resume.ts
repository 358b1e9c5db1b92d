import type { LineRef } from "../../protocol/lines.ts";
import { advance, submit } from "./advance.ts";
import { ask, end, stay } from "./steps.ts";
import type { Because, Confirmed, Event, EventOf, Order, Resuming, Step } from "./types.ts";

/** How long a good moment for the brief is waited for, ms. */
const briefMs = 2 * 60_000;
/** The person's own words wait for the turn before them to end, ms. */
const carryMs = 60 * 60_000;
/** How long the first figure of the fresh conversation is waited for, ms. */
const settleMs = 60_000;

type At<S extends Resuming["step"]> = Extract<Resuming, { step: S }>;

/** What is said in the new conversation: the brief, then the person's own words in their order (DESIGN §8.7). */
export function toResuming(state: Confirmed, { at, carried, lost, problem }: EventOf<"collected">): Step {
  const { order, attempt, before, saved, conversationId } = state;
  const words: LineRef[] = [
    ...order.carry.map((text): LineRef => ({ kind: "held", ...text })),
    ...carried.map((prompt): LineRef => ({ kind: "carried", ...prompt })),
  ];
  const isBare = order.then === "stop" && words.length === 0;
  const queue = isBare ? [] : [briefLine(order, saved?.brief?.line, words.length > 0), ...words];
  const base = {
    phase: "resuming",
    order,
    attempt,
    before,
    conversationId,
    queue,
    lost,
    ...(saved === undefined ? {} : { saved }),
  } as const;
  if (problem !== undefined && !isBare) return end({ ...base, step: "settling", since: at }, "not-briefed", problem);
  if (isBare) return end({ ...base, step: "settling", since: at }, "confirmed", bareWords);
  return stay({ ...base, step: "waiting", since: at, asking: false });
}

function briefLine({ resetId, then, asksPerson }: Order, line: LineRef | undefined, hasWords: boolean): LineRef {
  if (line !== undefined) return line;
  if (hasWords) return { kind: "brief", resetId, then: "next" };
  return { kind: "brief", resetId, then: asksPerson || then !== "continue" ? "wait" : "continue" };
}

const bareWords = { reason: "a new conversation began in the same agent", remedy: "Nothing to do." };

export function onResuming(state: Resuming, event: Event): Step {
  switch (state.step) {
    case "waiting":
      return waiting(state, event);
    case "submitting":
      return submitting(state, event);
    case "settling":
      return settling(state, event);
  }
}

function waiting(state: At<"waiting">, event: Event): Step {
  const again = (): Step =>
    state.asking ? stay(state) : ask({ ...state, asking: true }, { before: "brief", look: "again" });
  switch (event.kind) {
    case "observed":
      return event.humanSpoke && isUntold(state) ? end(state, "not-briefed", tookOver) : again();
    case "tick":
      return isLate(state, event.at) ? end(state, "not-briefed", state.because ?? noMoment) : again();
    case "judged":
      return judged(state, event);
    default:
      return stay(state);
  }
}

/** Nothing of ours was said in the new conversation yet. */
const isUntold = ({ queue, order }: Resuming): boolean =>
  queue.some(({ kind }) => kind === "brief" || kind === "command") && order.goal === "reset";

const isLate = ({ queue, since }: At<"waiting">, at: number): boolean => {
  const isWords = queue[0]?.kind === "held" || queue[0]?.kind === "carried";
  return at - since > (isWords ? carryMs : briefMs);
};

const tookOver: Because = {
  reason: "you went on in the new conversation yourself, so the brief was not typed",
  remedy: "Tell the agent to read its saved state if it should know it.",
};
const noMoment: Because = {
  reason: "no good moment for the brief came",
  remedy: "Tell the agent to read its saved state, or undo.",
};

/** A draft or a dialog in the fresh conversation passes: it is asked again until the time is up. */
function judged(state: At<"waiting">, { at, report, baseline, assisted }: EventOf<"judged">): Step {
  const problem = report.refused ?? report.waiting[0];
  const [line] = state.queue;
  if (line === undefined) return stay({ ...state, step: "settling", since: at });
  if (problem !== undefined && !assisted) {
    const because = { gate: problem.gate, reason: problem.reason, remedy: problem.remedy };
    // A text that the window no longer holds does not come back.
    if (problem.gate === "brief-deliverable") return end(state, "not-briefed", because);
    return stay({ ...state, asking: false, because });
  }
  const { asking: _asking, because: _because, since: _since, ...rest } = state;
  return submit((submission) => ({ ...rest, step: "submitting", submission }), {
    line,
    before: baseline,
    assisted,
    at,
  });
}

function submitting(state: At<"submitting">, event: Event): Step {
  return advance(state, event, (result) => {
    const { submission: _submission, ...rest } = state;
    switch (result.kind) {
      case "confirmed": {
        const queue = state.queue.slice(1);
        return queue.length === 0
          ? stay({ ...rest, queue, step: "settling", since: event.at })
          : stay({ ...rest, queue, step: "waiting", since: event.at, asking: false });
      }
      case "untouched":
        return result.again
          ? stay({ ...rest, step: "waiting", since: event.at, asking: false, because: result.because })
          : end(state, "not-briefed", result.because);
      default:
        return end(state, "not-briefed", result.because);
    }
  });
}

function settling(state: At<"settling">, event: Event): Step {
  const tokens = event.kind === "observed" ? event.tokens : undefined;
  if (tokens !== undefined) return end(state, "confirmed", briefedWords, { afterTokens: tokens });
  return event.kind === "tick" && event.at - state.since > settleMs
    ? end(state, "confirmed", briefedWords)
    : stay(state);
}

export const briefedWords: Because = {
  reason: "a new conversation began in the same agent and was told where it stands",
  remedy: "Nothing to do.",
};
