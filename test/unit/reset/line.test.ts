import assert from "node:assert/strict";
import { phaseWord } from "../../../server/core/reset/journalled.ts";
import { TypeRefusal } from "../../../server/protocol/terminals.ts";
import {
  approved,
  cancelled,
  claimed,
  compactOrder,
  end,
  erased,
  judged,
  judgedCompacted,
  judgedNo,
  judgedNotYet,
  lookedAgain,
  type Make,
  minute,
  notPressed,
  notTyped,
  observed,
  pressed,
  pressUnknown,
  run,
  shown,
  tick,
  words,
} from "./events.ts";
import { compactPressed, toBriefing, toClearing, toSaving } from "./paths.ts";

/** Where a line is under way, and how a reset ends there. After the clear everything but success is one outcome. */
const places = [
  { name: "the save", typing: toSaving(), outcome: (word: string) => word },
  { name: "the clear", typing: toClearing(), outcome: (word: string) => word },
  { name: "the brief", typing: toBriefing(), outcome: () => "not-briefed" },
] as const;

/** Ends of the clear that are not known for certain, seen from the line. */
const undecidedEnds = (name: string) => name === "the clear";

for (const { name, typing, outcome } of places) {
  const isCleared = name === "the brief";
  const shownLine = [...typing, shown()];
  const pressing = [...shownLine, judged()];
  const out = [...pressing, pressed()];
  const endOf = (makes: readonly Make[]) => {
    const ended = end(run(makes));
    assert.equal(ended.cleared, isCleared);
    return ended;
  };

  describe(`${name}, before anything stands in the box`, () => {
    for (const reason of TypeRefusal.options) {
      if (reason === "not-connected") continue;
      it(`${reason}: nothing was written, and it is told with a reason and a remedy of its own`, () => {
        const ended = endOf([...typing, notTyped(reason)]);
        assert.equal(ended.outcome, outcome("refused"));
        assert.ok(ended.because.reason.length > 10 && ended.because.remedy.length > 5 && ended.because.gate);
      });
    }

    it("tells a line that was taken back from one that may still stand there", () => {
      assert.equal(endOf([...typing, notTyped("not-shown", true, true)]).outcome, outcome("taken-back"));
      assert.equal(endOf([...typing, notTyped("not-shown", true, false)]).outcome, outcome("left-in-box"));
      assert.equal(endOf([...typing, notTyped("not-connected", true, false)]).outcome, outcome("left-in-box"));
    });
  });

  describe(`${name}, between paste and Enter`, () => {
    it("is taken back when the last look refuses, has to wait, or finds the agent's own compaction", () => {
      for (const look of [judgedNo("turn-ended"), judgedNotYet(), judgedCompacted]) {
        const result = run([...shownLine, look]);
        assert.match(words(result).at(-1) ?? "", /^erase/);
        assert.equal(endOf([...shownLine, look, erased()]).outcome, outcome("taken-back"));
        assert.equal(endOf([...shownLine, look, erased(false)]).outcome, outcome("left-in-box"));
      }
      assert.equal(endOf([...shownLine, judgedNo("turn-ended"), erased()]).because.gate, "turn-ended");
    });

    it("is looked at again within three seconds when the screen moved but still shows it", () => {
      const result = run([...pressing, notPressed("changed", 9)]);
      assert.match(words(result).at(-1) ?? "", /^judge:.*last$/);
      const press = run([judged()], result.state).effects[0];
      assert.ok(press?.kind === "press" && press.sequence === 9);
      assert.match(words(run([...pressing, notPressed("changed", 9, 3000)])).at(-1) ?? "", /^erase/);
      assert.match(words(run([...pressing, notPressed("changed")])).at(-1) ?? "", /^erase/);
    });

    it("is looked at again when the answer came too late, which says nothing of the screen", () => {
      for (const reason of ["not-connected", "token"] as const) {
        assert.match(words(run([...pressing, notPressed(reason)])).at(-1) ?? "", /^judge/);
        assert.match(words(run([...pressing, notPressed(reason, undefined, 3000)])).at(-1) ?? "", /^erase/);
      }
    });

    it("is taken back however long it went on", () => {
      const again = [notPressed("changed", 9, 1000), judged(), notPressed("changed", 10, 2000), judged()];
      const result = run([...pressing, ...again, notPressed("changed", 11, 3000), erased()]);
      assert.equal(end(result).outcome, outcome("taken-back"));
    });
  });

  describe(`${name}, after Enter`, () => {
    const { state } = run(out);

    it("gets one further Enter at most, only after a look and a last look of its own", () => {
      const second = run([tick(3001), lookedAgain(true), judged(), pressed(4500)], state);
      assert.deepEqual(
        words(second).map((word) => word.split(":")[0]),
        ["look", "judge", "press"],
      );
      assert.deepEqual(words(run([tick(8000), tick(9000), lookedAgain(true)], second.state)), []);
    });

    it("gets none before three seconds are over, and asks only once", () => {
      assert.deepEqual(words(run([tick(3000)], state)), []);
      assert.equal(words(run([tick(3001), tick(3500), tick(4000)], state)).length, 1);
    });

    it("gets none when the line is no longer in the box", () => {
      const result = run([tick(3001), lookedAgain(false), tick(5000), tick(6000)], state);
      assert.equal(words(result).length, 1);
    });

    it("gets none when the agent is seen working", () => {
      const working = observed({ evidence: { kind: "working" } });
      assert.deepEqual(words(run([working, tick(3001), tick(60_000)], state)), []);
    });

    it("gets none when no answer came to the first key: it may have gone out", () => {
      const lost = run([...pressing, pressUnknown]);
      assert.match(phaseWord(lost.state), /proof$/);
      assert.deepEqual(words(run([tick(4000), tick(6000), tick(10_000)], lost.state)), []);
    });

    it("leaves the evidence of the first to come when the second is refused, and takes back nothing that ran", () => {
      const second = [...out, tick(3001), lookedAgain(true), judged()];
      assert.match(phaseWord(run([...second, notPressed("changed")]).state), /proof$/);
      const kept = [...out, tick(3001), lookedAgain(true), judgedNo("turn-ended"), erased(false)];
      assert.match(phaseWord(run(kept).state), /proof$/);
      assert.deepEqual(words(run([tick(5000), tick(9000)], run(kept).state)), []);
    });

    it("is taken back where both keys were swallowed", () => {
      const swallowed = [...out, tick(3001), lookedAgain(true), judgedNo("turn-ended"), erased()];
      assert.equal(endOf(swallowed).outcome, outcome("taken-back"));
    });

    it("tells wrong command, prompt, error and no smaller apart", () => {
      for (const failed of ["wrong-command", "not-a-command", "error", "not-smaller"] as const) {
        const ended = endOf([...out, observed({ evidence: { kind: "failed", outcome: failed, afterTokens: 5 } })]);
        assert.equal(ended.outcome, outcome(failed));
        assert.ok(ended.because.reason.length > 10 && ended.because.remedy.length > 5);
      }
    });

    it("had no effect where nothing is seen for ten seconds, and is not known where it was worked on for ten minutes", () => {
      assert.ok(!words(run([tick(10_000)], state)).some((word) => word.startsWith("end")));
      assert.equal(endOf([...out, tick(10_001)]).outcome, outcome("no-effect"));
      const working = run([observed({ evidence: { kind: "working" } })], state).state;
      assert.deepEqual(words(run([tick(10 * minute)], working)), []);
      assert.equal(end(run([tick(10 * minute + 1)], working)).outcome, outcome("unconfirmed"));
      const after = phaseWord(run([tick(10 * minute + 1)], working).state);
      assert.equal(after, undecidedEnds(name) ? "needs-reconcile" : "none");
    });

    it("is confirmed without its figures when they do not come within five seconds", () => {
      const proven = run([observed({ evidence: { kind: "confirmed", settled: false } })], state).state;
      assert.equal(run([tick(4999)], proven).state, proven);
      assert.notEqual(phaseWord(run([tick(5000)], proven).state), phaseWord(proven));
    });
  });
}

describe("a click that calls the save off", () => {
  const typing = toSaving();
  const outcomeOf = (...makes: readonly Make[]) => end(run([...typing, ...makes]));

  it("while the line is being typed takes it back as soon as it shows", () => {
    const result = run([...typing, cancelled, shown()]);
    assert.equal(words(result).at(-1), "erase:save");
    const ended = end(run([erased()], result.state));
    assert.equal(ended.outcome, "taken-back");
    assert.match(ended.because.reason, /you cancelled it/);
    assert.equal(outcomeOf(cancelled, shown(), erased(false)).outcome, "left-in-box");
  });

  it("while the line is being typed holds even when the window did not answer: it is not typed again", () => {
    const ended = outcomeOf(cancelled, notTyped("not-connected"));
    assert.deepEqual([ended.outcome, /you cancelled it/.test(ended.because.reason)], ["aborted", true]);
    assert.equal(outcomeOf(cancelled, notTyped("not-shown", true, true)).outcome, "taken-back");
  });

  it("at the last look takes it back, and a late answer to that look presses nothing", () => {
    const look = run([...typing, shown()]).state;
    const result = run([cancelled, () => judged()(look.attempt), erased()], look);
    assert.deepEqual(words(result), ["erase:save", "end:taken-back"]);
  });

  it("after Enter ends it: what the agent saves stays", () => {
    assert.equal(outcomeOf(shown(), judged(), pressed(), cancelled).outcome, "aborted");
  });
});

describe("late evidence", () => {
  const undecided = run([...compactPressed, tick(10_001)]);

  it("is shown and never acted on", () => {
    assert.equal(phaseWord(undecided.state), "needs-reconcile");
    const late = run(
      [observed({ evidence: { kind: "confirmed", settled: true, afterTokens: 9000 } })],
      undecided.state,
    );
    assert.deepEqual([words(late), end(late).afterTokens], [["end:confirmed"], 9000]);
    const failed = run([observed({ evidence: { kind: "failed", outcome: "error" } })], undecided.state);
    assert.deepEqual(words(failed), ["end:error"]);
    for (const kind of ["nothing", "working"] as const)
      assert.equal(run([observed({ evidence: { kind } })], undecided.state).state, undecided.state);
  });

  it("of a clear is a clear that was not briefed, with the way back", () => {
    const clear = [...toClearing(), shown(), judged(), pressed(), tick(10_001)];
    const proof = observed({ evidence: { kind: "confirmed", settled: true, conversationId: "new" } });
    const ended = end(run([proof], run(clear).state));
    assert.deepEqual([ended.outcome, ended.cleared, ended.nextConversationId], ["not-briefed", true, "new"]);
    const bare = run([...toClearing({ then: "stop" }), shown(), judged(), pressed(), tick(10_001)]);
    const stopped = end(run([proof], bare.state));
    assert.deepEqual([stopped.outcome, stopped.cleared], ["confirmed", true]);
  });

  it("does not stand in the way of the next click", () => {
    assert.equal(phaseWord(run([approved({ approvalId: "a2" })], undecided.state).state), "prepared");
    const { effects } = run([approved(compactOrder), judged(), claimed(), () => pressed()(1)], undecided.state);
    assert.equal(effects.filter(({ kind }) => kind === "press").length, 0);
  });

  it("is given up by a click", () => {
    const result = run([cancelled], undecided.state);
    assert.deepEqual([phaseWord(result.state), words(result)], ["none", []]);
  });
});
