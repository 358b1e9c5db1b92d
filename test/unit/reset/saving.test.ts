import assert from "node:assert/strict";
import { phaseWord } from "../../../server/core/reset/journalled.ts";
import type { StateLook } from "../../../server/protocol/save.ts";
import { digest, end, good, looked, type Make, minute, notPrepared, observed, run, tick, words } from "./events.ts";
import { savedWell, toPreparing, toSaved, toWriting } from "./paths.ts";

const writing = run(toWriting()).state;
const whileWriting = (...makes: readonly Make[]) => run(makes, writing);

describe("what is in the way of saving", () => {
  it("is refused before anything is typed", () => {
    const result = run([...toPreparing(), notPrepared]);
    assert.equal(end(result).because.gate, "save-possible");
    assert.ok(!words(result).some((word) => word.startsWith("type")));
  });

  const ends: readonly StateLook[] = [
    { kind: "link" },
    { kind: "outside" },
    { kind: "not-a-file" },
    { kind: "too-large", size: 2_000_000 },
  ];
  for (const look of ends)
    it(`${look.kind} refuses at once: waiting does not make it right`, () => {
      const ended = end(whileWriting(tick(0), looked(look)));
      assert.deepEqual([ended.outcome, ended.because.gate, ended.cleared], ["refused", "saved-well", false]);
      assert.ok(ended.because.reason.length > 10);
    });

  const passes: readonly (readonly [StateLook, because: RegExp])[] = [
    [{ kind: "missing" }, /saved nothing/],
    [{ kind: "echo" }, /wrote back what it was asked/],
    [{ kind: "wrong-code", size: 4200, digest: digest("c") }, /check code/],
    [{ kind: "too-small", size: 300, digest: digest("d") }, /only 300 bytes/],
    [{ kind: "unreadable", why: "EACCES" }, /cannot be read/],
    [good, /still changing/],
  ];
  for (const [look, because] of passes)
    it(`${look.kind} may yet become right, and is the reason told after five minutes`, () => {
      const result = whileWriting(tick(0), looked(look));
      assert.equal(phaseWord(result.state), "saving/writing");
      assert.deepEqual(words(run([tick(5 * minute)], result.state)), ["look-at-save"]);
      const ended = end(run([tick(5 * minute + 1)], result.state));
      assert.deepEqual([ended.outcome, ended.because.gate], ["refused", "saved-well"]);
      assert.match(ended.because.reason, because);
    });

  it("is told as the last look saw it", () => {
    const ended = end(whileWriting(looked({ kind: "missing" }), looked({ kind: "echo" }, 500), tick(5 * minute + 1)));
    assert.match(ended.because.reason, /wrote back/);
  });

  it("is that nothing is saved where no look was ever answered", () => {
    assert.match(end(whileWriting(tick(0), tick(5 * minute + 1))).because.reason, /saved nothing/);
  });
});

describe("what is saved", () => {
  it("is good at the second equal look two seconds after the first, never at the first", () => {
    assert.equal(phaseWord(whileWriting(looked(good, 0), looked(good, 1999)).state), "saving/writing");
    assert.equal(phaseWord(whileWriting(looked(good, 0), looked(good, 2000)).state), "saved/briefing");
    assert.equal(phaseWord(whileWriting(looked(good, 9_000_000)).state), "saving/writing");
  });

  it("begins anew with every change, and when it was gone in between", () => {
    const other: StateLook = { ...good, digest: digest("e") };
    assert.equal(
      phaseWord(whileWriting(looked(good, 0), looked(other, 2000), looked(other, 3999)).state),
      "saving/writing",
    );
    assert.equal(
      phaseWord(whileWriting(looked(good, 0), looked(other, 2000), looked(other, 4000)).state),
      "saved/briefing",
    );
    const gone = [looked(good, 0), looked({ kind: "missing" }, 1000), looked(good, 2500)];
    assert.equal(phaseWord(whileWriting(...gone).state), "saving/writing");
  });

  it("is looked at with every tick", () => {
    assert.deepEqual(words(whileWriting(tick(0), tick(1000), tick(2000))), [
      "look-at-save",
      "look-at-save",
      "look-at-save",
    ]);
  });
});

describe("a turn that ends without anything good saved", () => {
  const idle = observed({ turn: "idle" });

  it("is given fifteen seconds", () => {
    assert.deepEqual(words(whileWriting(idle, tick(15_000))), ["look-at-save"]);
    assert.equal(end(whileWriting(idle, tick(15_001))).outcome, "refused");
  });

  it("that has begun again has all its time again", () => {
    assert.deepEqual(words(whileWriting(idle, observed({ turn: "working" }), tick(60_000))), ["look-at-save"]);
  });

  it("is not cut off once something good was seen", () => {
    const result = whileWriting(idle, looked(good, 0), tick(60_000), looked(good, 60_000));
    assert.equal(phaseWord(result.state), "saved/briefing");
  });
});

describe("a permission that the agent waits for", () => {
  const asks = (at: number) => observed({ turn: "waiting", at: Number(observed()(0).at) + at });
  const goesOn = (at: number) => observed({ turn: "working", at: Number(observed()(0).at) + at });

  it("stops the clock of the save", () => {
    const result = whileWriting(asks(minute), tick(20 * minute), goesOn(21 * minute));
    assert.deepEqual(words(result), ["look-at-save"]);
    assert.deepEqual(words(run([tick(25 * minute)], result.state)), ["look-at-save"]);
    assert.equal(end(run([tick(25 * minute + 1)], result.state)).outcome, "refused");
  });

  it("is waited for half an hour, all of it together", () => {
    assert.deepEqual(words(whileWriting(asks(0), tick(30 * minute))), ["look-at-save"]);
    const ended = end(whileWriting(asks(0), tick(30 * minute + 1)));
    assert.equal(ended.outcome, "aborted");
    assert.match(ended.because.reason, /permission/);
    const twice = whileWriting(asks(0), goesOn(20 * minute), asks(21 * minute));
    assert.deepEqual(words(run([tick(31 * minute)], twice.state)), ["look-at-save"]);
    assert.equal(end(run([tick(31 * minute + 1)], twice.state)).outcome, "aborted");
  });

  it("is not taken for the turn's end", () => {
    assert.deepEqual(words(whileWriting(observed({ turn: "idle" }), asks(1), tick(minute))), ["look-at-save"]);
  });
});

describe("a turn that does not end after the save", () => {
  const waits = (mayEscape: boolean, between: readonly Make[] = []) =>
    run([...toWriting({ mayEscape }), ...savedWell, ...between, briefWritten, notYet]).state;
  const briefWritten: Make = (attempt) => ({
    kind: "brief-written",
    at: start,
    attempt,
    result: { path: "/w/brief.md", digest: digest("b") },
  });
  const notYet: Make = (attempt) => ({
    kind: "judged",
    at: start,
    attempt,
    report: { passed: 3, unsaved: 0, waiting: [{ gate: "turn-ended", reason: "the agent is working", remedy: "" }] },
    baseline: { compactions: 0 },
    assisted: false,
  });
  const start = observed()(0).at;

  it("is waited for a minute, then given up", () => {
    assert.deepEqual(words(run([tick(minute)], waits(false))), ["judge:act/again"]);
    const ended = end(run([tick(minute + 1)], waits(false)));
    assert.deepEqual([ended.outcome, ended.cleared, ended.saved?.receipt?.size], ["aborted", false, 4200]);
    assert.match(ended.because.reason, /the agent is working/);
  });

  it("gets one Escape where that is allowed, and half a minute more", () => {
    const first = run([tick(minute + 1)], waits(true));
    assert.deepEqual(words(first), ["escape"]);
    const later = run([tick(minute + 2), notYet, tick(minute + 20_000), notYet], first.state);
    assert.deepEqual(words(later), ["judge:act/again", "judge:act/again"]);
    assert.equal(end(run([tick(minute + 30_002)], later.state)).outcome, "aborted");
  });

  it("gets none once the save's own turn is over: whatever it waits for, an idle agent is left alone", () => {
    const idle = [observed({ turn: "idle" })];
    assert.equal(end(run([tick(minute + 1)], waits(true, idle))).outcome, "aborted");
  });

  it("gets none where nothing could be saved", () => {
    const forced = run([
      ...toWriting({ mayEscape: true }),
      observed({ turn: "overflow" }),
      briefWritten,
      notYet,
      tick(minute + 1),
    ]);
    assert.equal(end(forced).outcome, "aborted");
  });

  it("that asked for the person's answer is not escaped from twice", () => {
    const result = run([tick(minute + 1), tick(minute + 40_000)], waits(true));
    assert.deepEqual(words(result).filter((word) => word === "escape").length, 1);
  });

  it("is no wait at all where it ends at once", () => {
    assert.equal(phaseWord(run(toSaved()).state), "saved/briefing");
  });
});
