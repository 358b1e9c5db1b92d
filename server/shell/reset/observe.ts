import type { TurnState } from "../../core/conversation.ts";
import { evidenceOf } from "../../core/reset/evidence.ts";
import { digestOfLine, submissionOf } from "../../core/reset/journalled.ts";
import type { EventOf, Evidence, Open, Submission } from "../../core/reset/types.ts";
import { turnOfWatched, type Watched } from "../watched.ts";

/** What an open reset is told when something on disk or in the window changed. */
export function observedOf(watched: Watched, state: Open, at: number): EventOf<"observed"> {
  const { instance, conversation } = watched;
  const turn = turnOfWatched(watched);
  const reading = conversation?.reading;
  const isInPlace = state.phase !== "resuming" || instance.conversationId === state.conversationId;
  return {
    kind: "observed",
    at,
    evidence: evidence(watched, state, turn),
    turn: turnWord(turn),
    ...("since" in turn && turn.since !== undefined ? { turnSince: turn.since } : {}),
    humanSpoke: humanSpoke(watched, state),
    compactions: conversation?.compactions ?? 0,
    toolCalls: conversation?.toolCalls ?? 0,
    answers: conversation?.answers ?? 0,
    ...(isInPlace && reading?.kind === "measured" ? { tokens: reading.tokens } : {}),
  };
}

function evidence(watched: Watched, state: Open, turn: TurnState): Evidence {
  const { instance, conversation } = watched;
  const under = lineUnder(state);
  if (under === undefined) return { kind: "nothing" };
  return evidenceOf(
    {
      ...under,
      since: "claimedAt" in state ? state.claimedAt : state.order.at,
      digest: digestOfLine(instance.agent, under.line),
    },
    {
      ...(instance.conversationId === undefined ? {} : { conversationId: instance.conversationId }),
      ...(conversation === undefined ? {} : { conversation }),
      turn,
    },
  );
}

/** The line whose effect is looked for. */
function lineUnder(state: Open): (Pick<Submission, "line" | "before"> & { readonly enterAt: number }) | undefined {
  if (state.phase === "needs-reconcile") return { line: state.line, before: state.before, enterAt: state.order.at };
  const submission = submissionOf(state);
  if (submission?.step === "proof")
    return { line: submission.line, before: submission.before, enterAt: submission.pressedAt };
  if (submission?.step === "handed")
    return { line: submission.line, before: submission.before, enterAt: submission.since };
  return undefined;
}

/** In the old conversation: since the click. In the fresh one: any prompt before ours. */
function humanSpoke({ conversation, instance }: Watched, state: Open): boolean {
  if (state.phase === "resuming") {
    const prompt = instance.conversationId === state.conversationId ? conversation?.lastPrompt : undefined;
    return prompt !== undefined && state.queue.every((line) => digestOfLine(instance.agent, line) !== prompt.digest);
  }
  const human = conversation?.lastHuman;
  const isSame = instance.conversationId === state.order.conversationId;
  return isSame && human?.kind === "known" && human.recordId !== state.order.lastHumanId;
}

function turnWord(turn: TurnState): EventOf<"observed">["turn"] {
  switch (turn.kind) {
    case "idle":
    case "working":
    case "tool-pending":
    case "waiting":
    case "stalled":
      return turn.kind;
    case "error":
      return turn.overflow ? "overflow" : "error";
    default:
      return "other";
  }
}
