import assert from "node:assert/strict";
import { noReset, reduce } from "../../../server/core/reset/machine.ts";
import type { Effect, Event, Reset } from "../../../server/core/reset/types.ts";
import {
  approved,
  before,
  claimAnswered,
  judged,
  observed,
  pressed,
  refusing,
  shown,
  tick,
  untilPressed,
  waiting,
} from "./events.ts";

type Run = { readonly state: Reset; readonly effects: readonly Effect[] };

/** Runs events through the machine and gathers every effect. */
function run(events: readonly Event[], from: Reset = noReset): Run {
  let state = from;
  const effects: Effect[] = [];
  for (const event of events) {
    const step = reduce(state, event);
    state = step.state;
    effects.push(...step.effects);
  }
  return { state, effects };
}

const kinds = ({ effects }: Run) => effects.map(({ kind }) => kind);
const endOf = ({ effects }: Run) => {
  const end = effects.find((effect) => effect.kind === "end");
  assert.ok(end, "the reset did not end");
  return end;
};

describe("one reset", () => {
  it("goes from the click to a confirmed clear, one key, in order", () => {
    const result = run([...untilPressed, observed({ kind: "confirmed", settled: true })]);
    assert.deepEqual(kinds(result), ["judge", "claim", "type", "judge", "press", "end"]);
    assert.equal(endOf(result).outcome, "confirmed");
    assert.equal(endOf(result).beforeTokens, 287_000);
    assert.equal(result.state.phase, "none");
  });

  it("tells the sizes before and after a compaction", () => {
    const result = run([
      approved("compact"),
      ...untilPressed.slice(1),
      observed({ kind: "working" }),
      observed({ kind: "confirmed", settled: false }, 1600),
      observed({ kind: "confirmed", settled: true, afterTokens: 19_000 }, 1700),
    ]);
    assert.equal(endOf(result).afterTokens, 19_000);
  });

  it("ends with the first refusal's gate, reason and remedy, and types nothing", () => {
    const result = run([approved(), judged(1, { report: refusing("mode-allows") })]);
    assert.deepEqual(kinds(result), ["judge", "end"]);
    assert.deepEqual(endOf(result).because, {
      gate: "mode-allows",
      reason: "mode-allows said no",
      remedy: "Do something.",
    });
  });

  it("is armed by a click while the agent works, and goes on when the turn has ended", () => {
    const armed = run([approved(), judged(1, { report: waiting("turn-ended") })]);
    assert.equal(armed.state.phase, "armed");
    const done = run([observed({ kind: "nothing" }), judged(2), claimAnswered(2)], armed.state);
    assert.equal(done.state.phase, "dispatched");
    assert.deepEqual(kinds(done), ["judge", "claim", "type"]);
  });

  it("asks again only when the last question was answered", () => {
    const armed = run([approved(), judged(1, { report: waiting("turn-ended") }), tick(2000)]);
    assert.deepEqual(kinds(run([tick(3000), observed({ kind: "nothing" })], armed.state)), []);
  });

  it("is disarmed by one click", () => {
    const result = run([approved(), judged(1, { report: waiting("turn-ended") }), { kind: "cancelled", at: 1200 }]);
    assert.equal(endOf(result).outcome, "aborted");
  });

  it("is disarmed by a prompt that came after the click", () => {
    const armed = run([approved(), judged(1, { report: waiting("turn-ended") }), tick(2000)]);
    assert.equal(
      endOf(run([judged(2, { report: refusing("nothing-said-since") })], armed.state)).because.gate,
      "nothing-said-since",
    );
  });

  it("is void when the agent compacted by itself meanwhile", () => {
    const armed = run([approved(), judged(1, { report: waiting("turn-ended") })]);
    assert.equal(endOf(run([observed({ kind: "nothing" }, 2000, 1)], armed.state)).outcome, "aborted");
    const asking = run([tick(2000), judged(2, { baseline: { ...before, compactions: 1 } })], armed.state);
    assert.equal(endOf(asking).outcome, "aborted");
  });

  it("waits at most an hour", () => {
    const armed = run([approved(), judged(1, { report: waiting("turn-ended") })]);
    assert.equal(run([tick(1100 + 60 * 60_000)], armed.state).state.phase, "armed");
    assert.equal(endOf(run([tick(1101 + 60 * 60_000)], armed.state)).outcome, "aborted");
  });

  it("has one winner where two windows claim", () => {
    const result = run([approved(), judged(1), claimAnswered(1, false)]);
    assert.deepEqual(kinds(result), ["judge", "claim", "end"]);
  });

  it("keeps the first order when a second click comes", () => {
    const { state } = run([approved()]);
    assert.equal(reduce(state, approved("compact")).state, state);
  });
});

describe("between paste and Enter", () => {
  const typing = [approved(), judged(1), claimAnswered(1)] as const;
  const pasted = [...typing, shown(1)] as const;

  it("says what became of a line that was not shown", () => {
    const refusal = (wrote: boolean, erased: boolean): Event => ({
      kind: "typed",
      at: 1300,
      attempt: 1,
      result: { outcome: "refused", reason: "not-shown", wrote, erased },
    });
    assert.equal(endOf(run([...typing, refusal(false, false)])).outcome, "refused");
    assert.equal(endOf(run([...typing, refusal(true, true)])).outcome, "taken-back");
    assert.equal(endOf(run([...typing, refusal(true, false)])).outcome, "left-in-box");
  });

  it("tries again when the window did not answer before anything was written", () => {
    const unanswered: Event = {
      kind: "typed",
      at: 1300,
      attempt: 1,
      result: { outcome: "refused", reason: "not-connected", wrote: false, erased: false },
    };
    const result = run([...typing, unanswered]);
    assert.equal(result.state.phase, "armed");
    assert.deepEqual(kinds(run([tick(1800), judged(2), claimAnswered(2)], result.state)), ["judge", "claim", "type"]);
  });

  it("looks again when the window did not answer before Enter, within the three seconds", () => {
    for (const reason of ["not-connected", "token"] as const) {
      const late = (at: number): Event => ({ kind: "pressed", at, attempt: 2, result: { outcome: "refused", reason } });
      assert.equal(kinds(run([...pasted, judged(2), late(1500)])).at(-1), "judge");
      assert.equal(kinds(run([...pasted, judged(2), late(4300)])).at(-1), "erase");
    }
  });

  it("takes the line back when the last look refuses", () => {
    const result = run([...pasted, judged(2, { report: refusing("turn-ended") })]);
    assert.deepEqual(kinds(result), ["judge", "claim", "type", "judge", "erase"]);
    const end = endOf(run([{ kind: "erased", at: 1500, attempt: 2, erased: true }], result.state));
    assert.equal(end.outcome, "taken-back");
    assert.equal(end.because.gate, "turn-ended");
    assert.equal(
      endOf(run([{ kind: "erased", at: 1500, attempt: 2, erased: false }], result.state)).outcome,
      "left-in-box",
    );
  });

  it("does not press when something is not yet so at the last look", () => {
    assert.ok(!kinds(run([...pasted, judged(2, { report: waiting("turn-ended") })])).includes("press"));
  });

  it("does not press when the agent compacted by itself after the claim", () => {
    assert.ok(!kinds(run([...pasted, judged(2, { baseline: { ...before, compactions: 1 } })])).includes("press"));
  });

  const changed = (stillShown: number | undefined, at: number): Event => ({
    kind: "pressed",
    at,
    attempt: 2,
    result: { outcome: "refused", reason: "changed", ...(stillShown === undefined ? {} : { stillShown }) },
  });

  it("looks again within three seconds when the screen moved but still shows the line", () => {
    const result = run([...pasted, judged(2), changed(9, 1500)]);
    assert.deepEqual(kinds(result).slice(-2), ["press", "judge"]);
    const again = run([judged(3)], result.state).effects[0];
    assert.deepEqual(again, { kind: "press", attempt: 3, sequence: 9 });
  });

  it("takes the line back after three seconds, or when it is no longer shown", () => {
    assert.equal(kinds(run([...pasted, judged(2), changed(9, 4300)])).at(-1), "erase");
    assert.equal(kinds(run([...pasted, judged(2), changed(undefined, 1500)])).at(-1), "erase");
  });
});

describe("after Enter", () => {
  const { state } = run(untilPressed);
  const looked = (isShown: boolean): Event => ({ kind: "looked", at: 4500, attempt: 3, shown: isShown, sequence: 11 });

  it("presses once more, at most, after a look of its own and a last look of its own", () => {
    const second = run([tick(4401), looked(true), judged(4), pressed(4, 4700)], state);
    assert.deepEqual(kinds(second), ["look", "judge", "press"]);
    assert.deepEqual(kinds(run([tick(8000), tick(9000)], second.state)), []);
  });

  it("presses nothing more when the line is no longer in the box", () => {
    assert.deepEqual(kinds(run([tick(4401), looked(false), tick(5000), tick(6000)], state)), ["look"]);
  });

  it("never presses again when no answer came to the first key", () => {
    const lost = run([
      ...untilPressed.slice(0, -1),
      { kind: "pressed", at: 1400, attempt: 2, result: { outcome: "unknown" } },
    ]);
    assert.equal(lost.state.phase, "confirming");
    assert.deepEqual(kinds(run([tick(4500), tick(6000)], lost.state)), []);
  });

  it("had no effect where nothing is seen for ten seconds, and shows late evidence", () => {
    const late = run([tick(11_401)], { ...state, ...{ presses: 2 } } as Reset);
    assert.equal(endOf(late).outcome, "no-effect");
    assert.equal(late.state.phase, "needs-reconcile");
    const shownLate = run([observed({ kind: "confirmed", settled: true })], late.state);
    assert.equal(endOf(shownLate).outcome, "confirmed");
    assert.deepEqual(kinds(shownLate), ["end"]);
  });

  it("waits for a compaction that is being worked on, up to ten minutes", () => {
    const working = run([observed({ kind: "working" })], state);
    assert.deepEqual(kinds(run([tick(60_000), tick(600_000)], working.state)), []);
    assert.equal(endOf(run([tick(601_401)], working.state)).outcome, "unconfirmed");
  });

  it("tells wrong command, prompt, error and no smaller apart", () => {
    for (const outcome of ["wrong-command", "not-a-command", "error", "not-smaller"] as const)
      assert.equal(endOf(run([observed({ kind: "failed", outcome })], state)).outcome, outcome);
  });

  it("confirms without a figure when none comes within five seconds", () => {
    const proven = run([observed({ kind: "confirmed", settled: false }, 1500)], state);
    assert.deepEqual(kinds(run([tick(6000)], proven.state)), []);
    assert.equal(endOf(run([tick(6500)], proven.state)).outcome, "confirmed");
  });

  it("is unconfirmed when the agent ends", () => {
    assert.equal(endOf(run([{ kind: "agent-gone", at: 1500 }], state)).outcome, "unconfirmed");
  });
});

describe("assisted, where the prompt box cannot be seen", () => {
  const assisted = judged(1, { report: refusing("prompt-box-visible"), assisted: true });

  it("pastes for the person, never presses, and is confirmed by disk", () => {
    const result = run([approved(), assisted, { kind: "handed", at: 1200, attempt: 1, pasted: true }]);
    assert.deepEqual(kinds(result), ["judge", "hand-over"]);
    assert.equal(endOf(run([observed({ kind: "confirmed", settled: true })], result.state)).outcome, "confirmed");
  });

  it("is given up when the line could not be pasted, after ten minutes, or by a click", () => {
    const handed = run([approved(), assisted]);
    assert.equal(endOf(run([{ kind: "handed", at: 1, attempt: 1, pasted: false }], handed.state)).outcome, "refused");
    assert.equal(endOf(run([tick(601_101)], handed.state)).outcome, "unconfirmed");
    assert.equal(endOf(run([{ kind: "cancelled", at: 1300 }], handed.state)).outcome, "aborted");
  });

  it("ends when something else is sent instead, where only the person presses", () => {
    const instead = observed({ kind: "other-prompt", working: true });
    const handed = run([approved(), assisted, { kind: "handed", at: 1200, attempt: 1, pasted: true }]);
    const end = endOf(run([instead], handed.state));
    assert.equal(end.outcome, "aborted");
    assert.match(end.because.reason, /instead of the pasted line/);
  });
});

describe("a worker that died", () => {
  const recovered: Event = { kind: "recovered", at: 9000 };

  it("aborts what had typed nothing", () => {
    for (const events of [untilPressed.slice(0, 1), untilPressed.slice(0, 2)])
      assert.equal(endOf(run([...events, recovered])).outcome, "aborted");
  });

  it("never presses again what may have been typed", () => {
    for (let length = 3; length <= untilPressed.length; length += 1) {
      const result = run([recovered, tick(12_000), tick(99_000)], run(untilPressed.slice(0, length)).state);
      assert.equal(result.state.phase, "needs-reconcile");
      assert.deepEqual(kinds(result), []);
    }
  });
});

describe("an event that does not fit", () => {
  it("leaves the very same state", () => {
    const states = untilPressed.map((_, length) => run(untilPressed.slice(0, length)).state);
    const strays: Event[] = [
      judged(99),
      claimAnswered(99),
      shown(99),
      pressed(99),
      { kind: "erased", at: 1, attempt: 99, erased: true },
      { kind: "looked", at: 1, attempt: 99, shown: true, sequence: 1 },
      { kind: "handed", at: 1, attempt: 99, pasted: true },
    ];
    for (const state of states) for (const stray of strays) assert.equal(reduce(state, stray).state, state);
  });
});
