import { phaseWord } from "../../../server/core/reset/journalled.ts";
import { noReset, reduce } from "../../../server/core/reset/machine.ts";
import type { Baseline, Effect, Event, EventOf, Order, Reset, SavePlace } from "../../../server/core/reset/types.ts";
import type { LineRef } from "../../../server/protocol/lines.ts";
import type { StateLook } from "../../../server/protocol/save.ts";
import type { TypeRefusal } from "../../../server/protocol/terminals.ts";

/** One event, once the attempt that it belongs to is known. */
export type Make = (attempt: number) => Event;

/** Everything happens at this time unless a test says how many ms later. */
export const start = 1_796_072_133_000;
export const resetId = "0123456789ab";
export const digest = (letter: string): string => letter.repeat(64);

export const order: Order = {
  resetId,
  instanceId: "claude-7-1",
  terminalId: "t1",
  goal: "reset",
  path: "approved",
  origin: "normal",
  requestedBy: "person",
  then: "continue",
  review: false,
  savesFirst: true,
  mayEscape: false,
  workflow: "state-file",
  carry: [],
  approvalId: "a1",
  at: start,
  conversationId: "old",
  lastHumanId: "h1",
  asksPerson: false,
};
export const compactOrder: Partial<Order> = { goal: "compact", savesFirst: false, then: "stop" };
export const undoOrder: Partial<Order> = { goal: "undo", savesFirst: false, then: "stop", target: "older" };
export const before: Baseline = { conversationId: "old", tokens: 287_000, compactions: 0, lastPromptId: "h1" };
export const place: SavePlace = {
  dir: `/w/api/.plimsoll/${resetId}`,
  statePath: `/w/api/.plimsoll/${resetId}/state.md`,
  code: "ba9876543210",
};

const saveLine: LineRef = { kind: "save", resetId };
/** A workflow's own save command, then the line that asks for its proof. */
export const twoLines: readonly LineRef[] = [
  { kind: "command", name: "dr-save", taskId: "ABC-12" },
  { kind: "receipt", resetId },
];
export const good = { kind: "well-formed", size: 4200, digest: digest("a") } as const satisfies StateLook;

const refusal = (gate: string) => ({ gate, reason: `${gate} said no`, remedy: "Do something." });
const passed: EventOf<"judged">["report"] = { passed: 31, waiting: [], unsaved: 0 };

export const approved =
  (change: Partial<Order> = {}): Make =>
  () => ({ kind: "approved", at: start, order: { ...order, ...change } });
export const judged =
  (change: Partial<EventOf<"judged">> = {}): Make =>
  (attempt) => ({ kind: "judged", at: start, attempt, report: passed, baseline: before, assisted: false, ...change });
export const judgedNo = (gate = "mode-allows"): Make => judged({ report: { ...passed, refused: refusal(gate) } });
export const judgedNotYet = (gate = "turn-ended"): Make => judged({ report: { ...passed, waiting: [refusal(gate)] } });
export const judgedCompacted = judged({ baseline: { ...before, compactions: 1 } });
/** Only the prompt box cannot be seen. */
export const judgedBlind = judged({ report: { ...passed, refused: refusal("prompt-box-visible") }, assisted: true });
export const claimed =
  (won = true): Make =>
  (attempt) => ({ kind: "claim-answered", at: start, attempt, won });
export const prepared =
  (lines: readonly LineRef[] = [saveLine]): Make =>
  (attempt) => ({ kind: "save-prepared", at: start, attempt, result: { place, lines: [...lines] } });
export const notPrepared: Make = (attempt) => ({
  kind: "save-prepared",
  at: start,
  attempt,
  result: refusal("save-possible"),
});
export const looked =
  (look: StateLook, clock = 0, change: Partial<EventOf<"save-looked">> = {}): Make =>
  (attempt) => ({
    kind: "save-looked",
    at: start,
    attempt,
    clock,
    look,
    conversationId: "old",
    transcriptBytes: 9000,
    lastHumanId: "h1",
    toolCalls: 4,
    answers: 7,
    ...change,
  });
export const briefWritten =
  (line?: LineRef): Make =>
  (attempt) => ({
    kind: "brief-written",
    at: start,
    attempt,
    result: { path: `${place.dir}/brief.md`, digest: digest("b"), ...(line === undefined ? {} : { line }) },
  });
export const briefNotWritten: Make = (attempt) => ({
  kind: "brief-written",
  at: start,
  attempt,
  result: refusal("brief-complete"),
});
export const shown =
  (sequence = 5, after = 0): Make =>
  (attempt) => ({ kind: "typed", at: start + after, attempt, result: { outcome: "shown", sequence } });
export const notTyped =
  (reason: TypeRefusal, wrote = false, isErased = false): Make =>
  (attempt) => ({
    kind: "typed",
    at: start,
    attempt,
    result: { outcome: "refused", reason, wrote, erased: isErased },
  });
export const pressed =
  (after = 0): Make =>
  (attempt) => ({
    kind: "pressed",
    at: start + after,
    attempt,
    result: { outcome: "pressed", at: start + after },
  });
export const notPressed =
  (reason: TypeRefusal, stillShown?: number, after = 0): Make =>
  (attempt) => ({
    kind: "pressed",
    at: start + after,
    attempt,
    result: { outcome: "refused", reason, ...(stillShown === undefined ? {} : { stillShown }) },
  });
export const pressUnknown: Make = (attempt) => ({
  kind: "pressed",
  at: start,
  attempt,
  result: { outcome: "unknown" },
});
export const lookedAgain =
  (isShown: boolean, after = 4000): Make =>
  (attempt) => ({ kind: "looked", at: start + after, attempt, shown: isShown, sequence: 11 });
export const erased =
  (isErased = true): Make =>
  (attempt) => ({ kind: "erased", at: start, attempt, erased: isErased });
export const handed =
  (pasted = true): Make =>
  (attempt) => ({ kind: "handed", at: start, attempt, pasted });
export const collected =
  (change: Partial<EventOf<"collected">> = {}): Make =>
  (attempt) => ({ kind: "collected", at: start, attempt, carried: [], lost: 0, ...change });
export const notCollected = collected({ problem: refusal("saved-well") });
export const escaped: Make = (attempt) => ({ kind: "escaped", at: start, attempt, sent: true });
export const observed =
  (change: Partial<EventOf<"observed">> = {}): Make =>
  () => ({
    kind: "observed",
    at: start,
    evidence: { kind: "nothing" },
    turn: "working",
    humanSpoke: false,
    compactions: 0,
    toolCalls: 4,
    answers: 7,
    ...change,
  });
export const confirmed = observed({ evidence: { kind: "confirmed", settled: true } });
export const cleared = observed({ evidence: { kind: "confirmed", settled: true, conversationId: "new" } });
const plain =
  (kind: "reviewed" | "cancelled" | "agent-gone" | "closing" | "recovered"): Make =>
  () => ({ kind, at: start });
export const reviewed = plain("reviewed");
export const cancelled = plain("cancelled");
export const agentGone = plain("agent-gone");
export const closing = plain("closing");
export const recovered = plain("recovered");
export const tick =
  (after: number): Make =>
  () => ({ kind: "tick", at: start + after });

export const minute = 60_000;

export type Run = { readonly state: Reset; readonly effects: readonly Effect[] };

/** Runs events through the machine, each as the answer to the question that is open, and gathers every effect. */
export function run(makes: readonly Make[], from: Reset = noReset): Run {
  let state = from;
  const effects: Effect[] = [];
  for (const make of makes) {
    const step = reduce(state, make(state.attempt));
    state = step.state;
    effects.push(...step.effects);
  }
  return { state, effects };
}

export const end = ({ effects }: Run): Extract<Effect, { kind: "end" }> => {
  const ends = effects.filter((effect) => effect.kind === "end");
  const [only] = ends;
  if (only === undefined || ends.length !== 1) throw new Error(`it ended ${ends.length} times`);
  return only;
};

/** An effect in one word. */
function effectWord(effect: Effect): string {
  switch (effect.kind) {
    case "judge":
      return `judge:${effect.question.before}/${effect.question.look}`;
    case "type":
    case "look":
    case "erase":
    case "hand-over":
    case "press":
      return `${effect.kind}:${effect.line.kind}`;
    case "end":
      return `end:${effect.outcome}`;
    default:
      return effect.kind;
  }
}

export const words = ({ effects }: Pick<Run, "effects">): string[] => effects.map(effectWord);
/** Where it stands and what is to be done, as the tables say it. */
export const stepWord = (result: Run): string => [phaseWord(result.state), ...words(result)].join(" ");
