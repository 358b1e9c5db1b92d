import assert from "node:assert/strict";
import fc from "fast-check";
import { isPoll, phaseWord, submissionOf } from "../../../server/core/reset/journalled.ts";
import { noReset, reduce } from "../../../server/core/reset/machine.ts";
import type { Effect, Event, Order, Reset, Step } from "../../../server/core/reset/types.ts";
import { TypeRefusal } from "../../../server/protocol/terminals.ts";
import {
  approved,
  briefWritten,
  claimed,
  cleared,
  collected,
  compactOrder,
  confirmed,
  digest,
  erased,
  good,
  handed,
  judged,
  judgedBlind,
  looked,
  lookedAgain,
  type Make,
  minute,
  notTyped,
  observed,
  prepared,
  pressed,
  reviewed,
  shown,
  start,
  tick,
  twoLines,
  undoOrder,
} from "./events.ts";
import { events } from "./everyEvent.ts";

/** One event to come, whatever the state will be then. `late`: it answers an earlier question. `wait`: after so many ms. */
export type Coming = {
  readonly isLikely: boolean;
  readonly pick: number;
  readonly late: number;
  readonly wait: number;
};

export const anyComing: fc.Arbitrary<Coming> = fc.record({
  isLikely: fc.constantFrom(true, true, true, true, true, true, true, true, true, true, true, false),
  pick: fc.nat({ max: 100_000 }),
  late: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2),
  wait: fc.constantFrom(0, 0, 0, 0, 1, 50, 300, 1000, 2500, 4000, 11_000, 70_000, 6 * minute, -60 * minute),
});

/** Any run. The clock may also be set back, by an hour. */
export const anyRun: fc.Arbitrary<readonly Coming[]> = fc.array(anyComing, {
  minLength: 30,
  maxLength: 90,
  size: "max",
});

const carry = [
  { textId: "x1", digest: digest("1") },
  { textId: "x2", digest: digest("2") },
];
const clicks: readonly Partial<Order>[] = [
  {},
  { carry },
  { carry, then: "stop" },
  { then: "wait", asksPerson: true, mayEscape: true },
  { review: true, mayEscape: true },
  { origin: "forced", carry },
  { then: "stop" },
  { goal: "save" },
  compactOrder,
  { ...compactOrder, savesFirst: true, workflow: "snapshot" },
  undoOrder,
];
const clicked: readonly Make[] = clicks.map((click) => approved(click));
const unlikely: readonly Make[] = [
  ...clicked,
  ...Object.values(events),
  ...TypeRefusal.options.map((reason) => notTyped(reason)),
];
const saw = {
  idle: observed({ turn: "idle" }),
  cleared: observed({ evidence: { kind: "confirmed", settled: true, conversationId: "new", afterTokens: 9000 } }),
  figure: observed({ turn: "idle", tokens: 9000 }),
};
const recorded = collected({ carried: [{ recordId: "r1", digest: digest("3") }], lost: 1 });
const asking: readonly Make[] = [judged(), judged(), judged(), judgedBlind, tick(0), saw.idle];

/** What most likely comes next: else hardly any run would ever come to a clear. */
function likely(state: Reset): readonly Make[] {
  switch (submissionOf(state)?.step) {
    case "typing":
      return [shown(), shown(), shown(), shown(), notTyped("not-connected")];
    case "last-look":
      return [judged()];
    case "pressing":
      return [pressed(), pressed(), pressed(), events["not pressed, still shown"], events["press unknown"]];
    case "erasing":
      return [erased(), erased(false)];
    case "proof":
      return [saw.cleared, cleared, confirmed, tick(0), tick(0), lookedAgain(true, 0), lookedAgain(false, 0)];
    case "handed":
      return [handed(), saw.cleared, cleared];
    case undefined:
      return likelyBetween(state);
  }
}

function likelyBetween(state: Reset): readonly Make[] {
  switch (state.phase) {
    case "none":
      return clicked;
    case "claimed":
      return [claimed()];
    case "confirmed":
      return [collected(), recorded];
    case "saved":
      return [briefWritten(), briefWritten(twoLines[0]), reviewed, looked(good, 0), looked(good, 9e9), ...asking];
    case "saving":
      return [claimed(), prepared(), prepared(twoLines), prepared([]), looked(good, 0), looked(good, 9e9), ...asking];
    case "resuming":
      return state.step === "settling" ? [saw.figure, tick(0)] : asking;
    default:
      return asking;
  }
}

export type Taken = { readonly event: Event; readonly from: Reset; readonly step: Step };

/** The event that comes in this state. */
export function eventIn(state: Reset, { isLikely, pick, late }: Coming, now: number, index: number): Event {
  const makes = isLikely ? likely(state) : unlikely;
  const make = makes[pick % makes.length] ?? tick(0);
  return timed(make(state.attempt - late), now, index);
}

/** What the machine makes of it, step by step. */
export function play(comings: readonly Coming[]): readonly Taken[] {
  let state = noReset;
  let now = start;
  return comings.map(({ isLikely, pick, late, wait }, index) => {
    now += wait;
    const event = eventIn(state, { isLikely, pick, late, wait }, now, index);
    const from = state;
    const step = reduce(from, event);
    state = step.state;
    return { event, from, step };
  });
}

function timed(event: Event, now: number, index: number): Event {
  const at = now + event.at - start;
  if (event.kind === "approved") return { ...event, at, order: { ...event.order, at, approvalId: `click ${index}` } };
  if (event.kind === "pressed" && event.result.outcome === "pressed")
    return { ...event, at, result: { ...event.result, at } };
  return { ...event, at };
}

/** What must hold at every step of every run, whatever happens. */
export function createWatch(): (taken: Taken) => void {
  let order: Order | undefined;
  let ends = 0;
  /** Keys of each claim, and of each text of the person. */
  let claims = 0;
  let keys = 0;
  let isLookedAt = false;
  let isDead = false;
  let said = new Set<string>();
  let keysOf = new Map<string, number>();

  function begins(event: Event, from: Reset): void {
    if (event.kind !== "approved") return;
    assert.ok(from.phase === "none" || from.phase === "needs-reconcile", "a second order while one is open");
    order = event.order;
    [ends, claims, keys, isDead] = [0, 0, 0, false];
    [said, keysOf] = [new Set(), new Map()];
  }

  function key({ event, from }: Taken): void {
    const submission = submissionOf(from);
    if (event.kind !== "pressed" || event.result.outcome === "refused" || submission === undefined) return;
    const id = `${from.phase} ${JSON.stringify(submission.line)}`;
    const count = (keysOf.get(id) ?? 0) + 1;
    keysOf.set(id, count);
    if (from.phase === "dispatched") keys += 1;
    const most = from.phase === "dispatched" ? keys : count;
    assert.ok(most === 1 || (most === 2 && isLookedAt), "a further Enter without a look, or a third one");
    isLookedAt = false;
  }

  function ended(effect: Extract<Effect, { kind: "end" }>, from: Reset, state: Reset): void {
    ends += 1;
    assert.ok(ends === 1 || (ends === 2 && from.phase === "needs-reconcile"), "an order ended twice");
    assert.ok(state.phase === "none" || state.phase === "needs-reconcile");
    assert.equal(effect.order.approvalId, order?.approvalId);
    for (const { textId } of effect.order.carry)
      assert.equal(effect.undelivered.includes(textId), !said.has(textId), `${textId} is said, or is reported`);
    if (effect.cleared) assert.equal(effect.order.goal, "reset");
    const isAfter = from.phase === "confirmed" || from.phase === "resuming";
    assert.ok(!isAfter || (effect.cleared && effect.nextConversationId === "new"), "a clear is always told");
    if (from.phase !== "resuming") return;
    const unsaid = from.queue.filter(({ kind }) => kind === "carried").length;
    const isSaid = effect.outcome === "confirmed";
    assert.equal(effect.lost, from.lost + (isSaid ? 0 : unsaid), "what was recorded is said, or is counted");
  }

  function done(effect: Exclude<Effect, { kind: "end" }>, { event, from, step: { state } }: Taken): void {
    assert.equal(effect.attempt, state.attempt, "its answer would be void");
    if (effect.kind === "escape")
      assert.ok(from.phase === "saved" && from.order.mayEscape && from.saved.receipt !== undefined);
    if (effect.kind !== "type" && effect.kind !== "press" && effect.kind !== "hand-over") return;
    const isAct = ["clear", "compact", "resume"].includes(effect.line.kind);
    assert.equal(isAct, state.phase === "dispatched");
    if (isAct) assert.ok(claims > 0 && !isDead, "a key for the act without a claim, or after a crash");
    if (effect.kind !== "press") return;
    const isClean = event.kind === "judged" && event.report.refused === undefined && event.report.waiting.length === 0;
    assert.ok(isClean, "Enter without a last look, or against a gate");
  }

  return (taken) => {
    const { event, from, step } = taken;
    const { state, effects } = step;
    if (state === from) {
      assert.ok(
        effects.every(({ kind }) => kind === "look-at-save"),
        "the same state, and something is done",
      );
      return;
    }
    begins(event, from);
    if (event.kind === "recovered") isDead = true;
    if (event.kind === "looked") isLookedAt = event.shown;
    if (from.phase === "claimed" && state.phase === "dispatched") [claims, keys] = [claims + 1, 0];
    key(taken);
    const [first] = from.phase === "resuming" ? from.queue : [];
    if (from.phase === "resuming" && state.phase === "resuming" && state.queue.length < from.queue.length)
      if (first?.kind === "held") said.add(first.textId);
    if (state.phase !== "none")
      assert.equal(state.order.approvalId, order?.approvalId, "an approval came in by itself");
    const isLeft = state.phase === "none" && from.phase !== "none" && from.phase !== "needs-reconcile";
    assert.equal(effects.filter(({ kind }) => kind === "end").length >= 1, isLeft || endsBeside(from, state));
    for (const effect of effects)
      if (effect.kind === "end") ended(effect, from, state);
      else done(effect, taken);
  };
}

/** Ends that leave something to be seen later, or come later. */
const endsBeside = (from: Reset, state: Reset): boolean =>
  (state.phase === "needs-reconcile" && from.phase !== "needs-reconcile") || isLateEnd(from, state);
const isLateEnd = (from: Reset, state: Reset): boolean =>
  from.phase === "needs-reconcile" && state.phase === "none" && state.attempt > from.attempt;

/** The journal holds every step but the polls; what it leads to is the same. */
export function checkReplay(taken: readonly Taken[]): void {
  let state = noReset;
  for (const { event, from, step } of taken) {
    if (step.state === from || isPoll(from, step.state)) continue;
    const replayed = "attempt" in event ? { ...state, attempt: event.attempt } : state;
    state = reduce(replayed, event).state;
    assert.equal(phaseWord(state), phaseWord(step.state));
    assert.deepEqual(essence(state), essence(step.state));
  }
}

/** All of a state but what only says that it is waiting. */
const essence = (state: Reset): object => ({
  ...state,
  attempt: 0,
  asking: undefined,
  waitsFor: undefined,
  because: undefined,
});
