import assert from "node:assert/strict";
import { phaseWord } from "../../../server/core/reset/journalled.ts";
import type { Order } from "../../../server/core/reset/types.ts";
import type { LineRef } from "../../../server/protocol/lines.ts";
import {
  briefWritten,
  claimed,
  cleared,
  collected,
  digest,
  end,
  judged,
  type Make,
  minute,
  observed,
  resetId,
  run,
  start,
  tick,
  words,
} from "./events.ts";
import { line, next, toResuming, toSaved } from "./paths.ts";

const lineOf = (makes: readonly Make[], kind: "type" | "hand-over" = "type"): readonly LineRef[] =>
  run(makes).effects.flatMap((effect) => (effect.kind === kind ? [effect.line] : []));

describe("what the fresh conversation is told", () => {
  const brief = (change: Partial<Order>, found: Make = collected()) =>
    lineOf([...toResuming(change, found), ...next]).at(-1);

  it("is to go on, or to wait", () => {
    assert.deepEqual(brief({ then: "continue" }), { kind: "brief", resetId, then: "continue" });
    assert.deepEqual(brief({ then: "wait" }), { kind: "brief", resetId, then: "wait" });
  });

  it("is to wait where the last message had asked the person something", () => {
    assert.deepEqual(brief({ then: "continue", asksPerson: true }), { kind: "brief", resetId, then: "wait" });
  });

  it("is nothing where it is to stop: no line, and the end at once", () => {
    const result = run(toResuming({ then: "stop" }));
    const ended = end(result);
    assert.deepEqual([ended.outcome, ended.cleared, ended.nextConversationId], ["confirmed", true, "new"]);
    assert.ok(!words(result).includes("judge:brief/again"));
  });

  it("is nothing where it is to stop, even if what was saved has changed", () => {
    const problem = { gate: "saved-well", reason: "it changed", remedy: "Look." };
    assert.equal(end(run(toResuming({ then: "stop" }, collected({ problem })))).outcome, "confirmed");
  });

  it("is the workflow's own line where it has one", () => {
    const own: LineRef = { kind: "command", name: "dr-next", taskId: "ABC-12" };
    const cleared = [...toSaved(), briefWritten(own), judged(), claimed(), ...line(clearedProof)];
    assert.deepEqual(lineOf([...cleared, collected(), ...next]).at(-1), own);
  });

  it("is nothing where what was saved is not the same any more: it says so and types nothing", () => {
    const problem = { gate: "saved-well", reason: "it changed", remedy: "Look." };
    const result = run(toResuming({ carry: [{ textId: "x1", digest: digest("1") }] }, collected({ problem, lost: 2 })));
    const ended = end(result);
    assert.deepEqual([ended.outcome, ended.because, ended.cleared], ["not-briefed", problem, true]);
    assert.deepEqual([ended.undelivered, ended.lost], [["x1"], 2]);
  });

  const clearedProof = cleared;
});

describe("what the person said", () => {
  const carry = [
    { textId: "x1", digest: digest("1") },
    { textId: "x2", digest: digest("2") },
  ];
  const found = collected({
    carried: [
      { recordId: "r1", digest: digest("3") },
      { recordId: "r2", digest: digest("4") },
    ],
    lost: 1,
  });
  const told = [...next, ...line()];

  it("follows the brief in its order: with the click first, then what was recorded after the claim", () => {
    const result = run([
      ...toResuming({ carry, then: "stop" }, found),
      ...told,
      ...told,
      ...told,
      ...told,
      ...told,
      observed({ tokens: 30_000 }),
    ]);
    const pressedLines = result.effects.flatMap((effect) => (effect.kind === "press" ? [effect.line] : []));
    assert.deepEqual(pressedLines.slice(2), [
      { kind: "brief", resetId, then: "next" },
      { kind: "held", textId: "x1", digest: digest("1") },
      { kind: "held", textId: "x2", digest: digest("2") },
      { kind: "carried", recordId: "r1", digest: digest("3") },
      { kind: "carried", recordId: "r2", digest: digest("4") },
    ]);
    const ended = end(result);
    assert.deepEqual([ended.outcome, ended.undelivered, ended.lost], ["confirmed", [], 1]);
  });

  it("is reported where it was not delivered: held texts by name, recorded ones by number", () => {
    const endAfter = (count: number) =>
      end(run([...toResuming({ carry }, found), ...Array.from({ length: count }, () => told).flat(), agentEnds]));
    assert.deepEqual([endAfter(0).undelivered, endAfter(0).lost], [["x1", "x2"], 3]);
    assert.deepEqual([endAfter(1).undelivered, endAfter(1).lost], [["x1", "x2"], 3]);
    assert.deepEqual([endAfter(2).undelivered, endAfter(2).lost], [["x2"], 3]);
    assert.deepEqual([endAfter(3).undelivered, endAfter(3).lost], [[], 3]);
    assert.deepEqual([endAfter(4).undelivered, endAfter(4).lost], [[], 2]);
    assert.deepEqual([endAfter(5).outcome, endAfter(5).undelivered, endAfter(5).lost], ["confirmed", [], 1]);
  });

  it("waits an hour for its turn, the brief two minutes", () => {
    const briefed = run([...toResuming({ carry }), ...told]).state;
    assert.deepEqual(words(run([tick(60 * minute)], briefed)), ["judge:brief/again"]);
    assert.equal(end(run([tick(60 * minute + 1)], briefed)).outcome, "not-briefed");
    const waits = run(toResuming({ carry })).state;
    assert.deepEqual(words(run([tick(2 * minute)], waits)), ["judge:brief/again"]);
    const ended = end(run([tick(2 * minute + 1)], waits));
    assert.deepEqual([ended.outcome, ended.undelivered], ["not-briefed", ["x1", "x2"]]);
  });

  it("is not typed over: who goes on in the fresh conversation is not briefed, but still gets their own words", () => {
    const spoke = observed({ humanSpoke: true, turn: "idle" });
    assert.equal(end(run([...toResuming({ carry }), spoke])).outcome, "not-briefed");
    const briefed = run([...toResuming({ carry }), ...told]).state;
    assert.deepEqual(words(run([spoke, judged()], briefed)), ["judge:brief/again", "type:held"]);
  });

  const agentEnds: Make = () => ({ kind: "agent-gone", at: start });
});

describe("a moment that is not good for the brief", () => {
  it("is waited out, and what stood in the way is said at the end", () => {
    const draft = judged({
      report: {
        passed: 10,
        waiting: [],
        unsaved: 0,
        refused: { gate: "prompt-box-empty", reason: "a draft", remedy: "Send it." },
      },
    });
    const waits = run([...toResuming(), observed(), draft]);
    assert.equal(phaseWord(waits.state), "resuming/waiting");
    const ended = end(run([tick(2 * minute + 1)], waits.state));
    assert.deepEqual(ended.because, { gate: "prompt-box-empty", reason: "a draft", remedy: "Send it." });
  });
});
