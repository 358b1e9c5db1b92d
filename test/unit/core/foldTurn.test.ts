import assert from "node:assert/strict";
import type { TurnState } from "../../../server/core/conversation.ts";
import { foldFacts } from "../../../server/core/fold.ts";
import type { TranscriptFact } from "../../../server/core/transcript.ts";

const prompt = (at: number, more: object = {}): TranscriptFact => ({
  kind: "prompt",
  at,
  recordId: `p${at}`,
  digest: `d${at}`,
  ...more,
});
const usage = (at: number, responseId: string): TranscriptFact => ({
  kind: "usage",
  at,
  responseId,
  tokens: 30_000,
  output: 1,
});
const called = (at: number, callId: string, more: object = {}): TranscriptFact => ({
  kind: "tool-called",
  at,
  callId,
  ...more,
});
const returned = (at: number, callId: string): TranscriptFact => ({ kind: "tool-returned", at, callId });
const working = (at: number): TranscriptFact => ({ kind: "working", at });
const ended = (at: number, more: object = {}): TranscriptFact => ({ kind: "turn-ended", at, ...more });
const started = (at: number, turnId?: string): TranscriptFact => ({
  kind: "turn-started",
  at,
  ...(turnId === undefined ? {} : { turnId }),
});

const turn = (facts: readonly TranscriptFact[], now?: number, humanSearchComplete = true): TurnState =>
  foldFacts("claude", facts, { humanSearchComplete, ...(now === undefined ? {} : { now }) }).turn;

describe("the turn on disk", () => {
  it("rests in a conversation that was never asked anything, and is unknown where that was not read", () => {
    assert.equal(turn([]).kind, "idle");
    assert.equal(turn([], undefined, false).kind, "unknown");
  });

  it("works from a prompt to its end", () => {
    assert.deepEqual(turn([prompt(1)]), { kind: "working", since: 1 });
    assert.deepEqual(turn([prompt(1), working(2), ended(3)]), { kind: "idle", since: 3 });
  });

  it("waits for every call's result", () => {
    const calls = [prompt(1), called(2, "a", { responseId: "m" }), called(3, "b", { responseId: "m" })];
    assert.equal(turn(calls).kind, "tool-pending");
    assert.equal(turn([...calls, returned(4, "a")]).kind, "tool-pending");
    assert.equal(turn([...calls, returned(4, "a"), returned(5, "b")]).kind, "working");
  });

  it("knows by the next response that a call returned", () => {
    assert.equal(
      turn([prompt(1), usage(2, "m1"), called(2, "a", { responseId: "m1" }), usage(3, "m2"), working(3)]).kind,
      "working",
    );
    assert.equal(
      turn([prompt(1), called(2, "a", { responseId: "m1" }), called(3, "b", { responseId: "m2" }), returned(4, "b")])
        .kind,
      "working",
    );
  });

  it("waits for the person where the tool asks", () => {
    assert.deepEqual(turn([prompt(1), called(2, "a", { waitsFor: "an answer" })]), {
      kind: "waiting",
      since: 2,
      waitingFor: "an answer",
    });
  });

  it("waits for sub-agents that outlive the turn", () => {
    const waiting = [prompt(1), ended(2), ended(3, { pendingAgents: 1 })];
    assert.deepEqual(turn(waiting), { kind: "waiting", since: 3, waitingFor: "sub-agents" });
    assert.equal(turn([...waiting, prompt(4, { source: "system" }), ended(5, { pendingAgents: 0 })]).kind, "idle");
  });

  it("rests after an interrupt, and works again on the next prompt", () => {
    const broken: readonly TranscriptFact[] = [prompt(1), called(2, "a"), { kind: "interrupted", at: 3 }];
    assert.equal(turn(broken).kind, "idle");
    assert.equal(turn([...broken, prompt(4)]).kind, "working");
  });

  it("shows a failure until the next prompt", () => {
    const failed: readonly TranscriptFact[] = [prompt(1), { kind: "api-error", at: 2, overflow: true }];
    assert.deepEqual(turn(failed), { kind: "error", since: 2, overflow: true });
    assert.equal(turn([...failed, prompt(3)]).kind, "working");
  });

  it("is not ended by another turn's end", () => {
    assert.equal(
      turn([started(1, "t1"), ended(2, { turnId: "t1" }), started(3, "t2"), ended(4, { turnId: "t1" })]).kind,
      "working",
    );
    assert.equal(turn([started(1, "t1"), prompt(2), ended(3, { turnId: "t1" })]).kind, "idle");
    assert.equal(turn([started(1, "t1"), prompt(2), ended(3, { turnId: "t0" })]).kind, "working");
  });

  it("is not changed by records that are written late", () => {
    assert.equal(turn([prompt(1), { kind: "interrupted", at: 5 }, working(4)]).kind, "idle");
    assert.equal(turn([prompt(1), ended(3), prompt(6), ended(5)]).kind, "working");
    assert.equal(
      turn([started(1, "t1"), started(3, "t2"), { kind: "interrupted", at: 4, turnId: "t1" }]).kind,
      "working",
    );
  });

  it("has failed until there is new work, whatever ends it", () => {
    const failed: TranscriptFact = { kind: "api-error", at: 2, overflow: true };
    assert.deepEqual(turn([started(1, "t1"), failed, ended(3, { turnId: "t1" })]), {
      kind: "error",
      since: 2,
      overflow: true,
    });
    assert.equal(turn([started(1, "t1"), failed, ended(3), started(4, "t2"), ended(5)]).kind, "idle");
    assert.equal(turn([prompt(1), failed, prompt(3), ended(4)]).kind, "idle");
  });

  it("ends when it ends, though the clock was put back", () => {
    assert.equal(turn([prompt(60_000), ended(14_000)]).kind, "idle");
  });

  it("goes on under a prompt that is given to it", () => {
    assert.equal(turn([prompt(1), ended(2), prompt(3, { midTurn: true })]).kind, "idle");
    assert.equal(turn([started(1, "t1"), called(2, "a"), prompt(3)]).kind, "tool-pending");
  });

  it("stalls only where it plainly works, no record came for 30 minutes, and the time is known", () => {
    const halfHour = 30 * 60_000;
    assert.equal(turn([prompt(1)], 1 + halfHour).kind, "stalled");
    assert.equal(turn([prompt(1)], halfHour).kind, "working");
    assert.equal(turn([prompt(1)]).kind, "working");
    assert.equal(turn([prompt(1), called(2, "a")], 9 * halfHour).kind, "tool-pending");
    assert.equal(turn([prompt(1), ended(2)], 9 * halfHour).kind, "idle");
  });

  it("is kept without times, too", () => {
    const bare = (kind: "turn-ended" | "working"): TranscriptFact => ({ kind, at: undefined });
    assert.deepEqual(turn([bare("working")]), { kind: "working" });
    assert.deepEqual(turn([bare("working"), bare("turn-ended")]), { kind: "idle" });
  });
});
