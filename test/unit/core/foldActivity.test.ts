import assert from "node:assert/strict";
import fc from "fast-check";
import type { PermissionState } from "../../../server/core/conversation.ts";
import { foldFacts } from "../../../server/core/fold.ts";
import type { TranscriptFact } from "../../../server/core/transcript.ts";

const usage = (at: number, responseId: string, more: object = {}): TranscriptFact => ({
  kind: "usage",
  at,
  responseId,
  tokens: 9000 + at,
  output: 1,
  ...more,
});
const unmetered = (at: number, responseId: string): TranscriptFact => ({ kind: "unmetered", at, responseId });
const call = (at: number, callId: string): TranscriptFact => ({ kind: "tool-called", at, callId });
const said = (at: number, isQuestion: boolean): TranscriptFact => ({ kind: "said", at, isQuestion });
const prompt = (at: number, more: object = {}): TranscriptFact => ({
  kind: "prompt",
  at,
  recordId: `p${at}`,
  digest: "d",
  ...more,
});
const may = (mode: Extract<PermissionState, { agent: "claude" }>["mode"]): TranscriptFact => ({
  kind: "permission",
  at: undefined,
  state: { agent: "claude", mode },
});
const fold = (...facts: readonly TranscriptFact[]) => foldFacts("claude", facts, { humanSearchComplete: true });

describe("what the agent did", () => {
  it("counts each response once, however many records tell of it", () => {
    const { answers } = fold(
      usage(1, "a"),
      usage(2, "a"),
      unmetered(3, "b"),
      usage(4, "b"),
      usage(5, "c"),
      usage(6, "a"),
    );
    assert.equal(answers, 3);
  });

  it("counts each call once, and no error, sub-agent, estimate or summary", () => {
    const told = fold(
      call(1, "t1"),
      call(2, "t1"),
      call(3, "t2"),
      { kind: "api-error", at: 4, overflow: false },
      { kind: "sidechain", at: 5 },
      usage(6, "e", { estimate: true }),
      { kind: "summarising", at: 7 },
      usage(8, "s"),
      usage(9, "s"),
    );
    assert.deepEqual([told.toolCalls, told.answers], [2, 0]);
    assert.equal(fold({ kind: "summarising", at: 1 }, { kind: "turn-started", at: 2 }, usage(3, "a")).answers, 1);
  });

  it("only ever counts up", () => {
    const some = fc.constantFrom<TranscriptFact>(
      usage(1, "a"),
      usage(2, "b"),
      unmetered(3, "c"),
      call(4, "t"),
      call(5, "u"),
      prompt(6),
      { kind: "summarising", at: 7 },
      { kind: "compacted", at: 8, trigger: "manual" },
      { kind: "gap", at: undefined },
    );
    fc.assert(
      fc.property(fc.array(some), some, (facts, next) => {
        const [before, after] = [fold(...facts), fold(...facts, next)];
        assert.ok(after.answers - before.answers >= 0 && after.answers - before.answers <= 1);
        assert.ok(after.toolCalls - before.toolCalls >= 0 && after.toolCalls - before.toolCalls <= 1);
      }),
    );
  });
});

describe("a question of the model", () => {
  const asks = (...facts: readonly TranscriptFact[]) => fold(...facts).endsWithQuestion;

  it("stands until it says something else or is prompted, by whomever", () => {
    assert.equal(asks(), false);
    assert.equal(asks(prompt(1), said(2, true)), true);
    assert.equal(asks(said(2, true), said(3, false)), false);
    assert.equal(asks(said(2, true), prompt(3)), false);
    assert.equal(asks(said(2, true), prompt(3, { source: "system" })), false);
    assert.equal(asks(said(2, true), call(3, "t"), usage(4, "m"), { kind: "turn-ended", at: 5 }), true);
  });

  it("is not of a response that was written after the prompt it came before", () => {
    assert.equal(asks(prompt(3000), said(2000, true)), false);
    assert.equal(asks(said(3000, false), said(2000, true)), false);
    assert.equal(asks(prompt(60_000), said(2000, true)), true);
    assert.equal(asks(prompt(3000), { kind: "said", at: undefined, isQuestion: true }), true);
  });
});

describe("what the agent may do", () => {
  it("is the newest that is told", () => {
    assert.equal(fold(prompt(1)).permission, undefined);
    assert.deepEqual(fold(may("plan"), prompt(1), may("auto"), usage(2, "a")).permission, {
      agent: "claude",
      mode: "auto",
    });
  });
});
