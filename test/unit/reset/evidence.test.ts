import assert from "node:assert/strict";
import type { Conversation } from "../../../server/core/conversation.ts";
import { evidenceOf } from "../../../server/core/reset/evidence.ts";
import type { Order } from "../../../server/core/reset/types.ts";
import { conversation } from "../gates/goodFacts.ts";
import { order } from "./events.ts";

const at = 1_796_072_133_000;
const clicked: Order = { ...order, at, conversationId: "old" };
const before = { conversationId: "old", tokens: 287_000, compactions: 0, lastPromptId: "h1", lastCommandAt: at - 5000 };
const old: Conversation = { ...conversation, conversationId: "old" };
const idle = { kind: "idle" } as const;
const digest = "d1";
const evidence = (
  command: Order["command"],
  conversationId: string | undefined,
  now: Conversation | undefined,
  turn: Parameters<typeof evidenceOf>[3]["turn"] = idle,
) =>
  evidenceOf({ ...clicked, command }, before, digest, {
    ...(conversationId === undefined ? {} : { conversationId }),
    ...(now === undefined ? {} : { conversation: now }),
    turn,
  });
const reading = (tokens: number, readAt: number): Conversation["reading"] => ({
  kind: "measured",
  tokens,
  at: readAt,
  estimate: true,
  suspect: false,
  sole: false,
});

describe("what became of a clear", () => {
  /** Version 7: its first 48 bits are its birth. */
  const thread = (born: number) => {
    const hex = born.toString(16).padStart(12, "0");
    return `${hex.slice(0, 8)}-${hex.slice(8)}-7001-893d-47df0040fa48`;
  };

  it("is confirmed by a thread born after the click (Codex)", () => {
    assert.equal(evidence("clear", thread(at + 60), undefined).kind, "confirmed");
  });

  it("is another command where an older thread came to the front, or a fork", () => {
    assert.deepEqual(evidence("clear", thread(at - 60_000), undefined), { kind: "failed", outcome: "wrong-command" });
    const fork: Conversation = { ...conversation, forkedFrom: "old" };
    assert.deepEqual(evidence("clear", thread(at + 60), fork), { kind: "failed", outcome: "wrong-command" });
  });

  it("is confirmed by a conversation that begins with the command (Claude)", () => {
    const born: Conversation = { ...conversation, bornOfClear: true, lastCommand: { at: at + 200, name: "clear" } };
    assert.equal(evidence("clear", "new", born).kind, "confirmed");
  });

  it("is another command where an earlier conversation was resumed", () => {
    const earlier: Conversation = {
      ...conversation,
      bornOfClear: true,
      lastCommand: { at: at - 90_000, name: "clear" },
    };
    assert.equal(evidence("clear", "earlier", earlier).kind, "failed");
    assert.equal(evidence("clear", "earlier", { ...conversation, firstReading: 20_000 }).kind, "failed");
  });

  it("is not known while the new conversation cannot be read yet, or nothing changed", () => {
    assert.equal(evidence("clear", "new", undefined).kind, "nothing");
    assert.equal(evidence("clear", "new", conversation).kind, "nothing");
    assert.equal(evidence("clear", undefined, undefined).kind, "nothing");
    assert.equal(evidence("clear", "old", old).kind, "nothing");
    assert.equal(evidence("clear", "old", old, { kind: "working" }).kind, "working");
  });

  it("arrived as a prompt where the model got our words", () => {
    const told: Conversation = { ...old, lastPrompt: { at, recordId: "h2", digest } };
    assert.deepEqual(evidence("clear", "old", told), { kind: "failed", outcome: "not-a-command" });
  });
});

describe("what became of a compaction", () => {
  const compacted: Conversation = {
    ...old,
    compactions: 1,
    lastCompaction: { at: at + 500, trigger: "manual" },
    reading: reading(6000, at + 500),
  };

  it("is confirmed by one more boundary in the same conversation", () => {
    assert.deepEqual(evidence("compact", "old", compacted), { kind: "confirmed", settled: true, afterTokens: 6000 });
    assert.deepEqual(evidence("compact", "old", compacted, { kind: "working" }), {
      kind: "confirmed",
      settled: false,
      afterTokens: 6000,
    });
  });

  it("waits for the new figure", () => {
    const stale = { ...compacted, reading: reading(287_000, at - 1) };
    assert.deepEqual(evidence("compact", "old", stale), { kind: "confirmed", settled: false });
    const unknown: Conversation = { ...compacted, reading: { kind: "compacted-unknown", at: at + 500 } };
    assert.deepEqual(evidence("compact", "old", unknown), { kind: "confirmed", settled: true });
  });

  it("was of no use where it is not smaller", () => {
    const larger = { ...compacted, reading: reading(290_000, at + 600) };
    assert.deepEqual(evidence("compact", "old", larger), {
      kind: "failed",
      outcome: "not-smaller",
      afterTokens: 290_000,
    });
  });

  it("is not proven by the agent's own compaction, or by one in another conversation", () => {
    const own: Conversation = { ...compacted, lastCompaction: { at: at + 500, trigger: "auto" } };
    assert.equal(evidence("compact", "old", own).kind, "nothing");
    assert.equal(evidence("compact", "new", compacted).kind, "nothing");
  });

  it("failed where the agent says so, or the turn ended in an error", () => {
    const failed: Conversation = { ...old, lastCommand: { at: at + 10, name: "compact", failed: "error" } };
    assert.deepEqual(evidence("compact", "old", failed), { kind: "failed", outcome: "error" });
    const broken = evidence("compact", "old", old, { kind: "error", since: at + 10, overflow: false });
    assert.deepEqual(broken, { kind: "failed", outcome: "error" });
    assert.equal(evidence("compact", "old", old, { kind: "error", since: at - 10, overflow: false }).kind, "nothing");
  });

  it("is something else that was sent in the meantime, but not a prompt that was only found late", () => {
    const said = (promptAt: number): Conversation => ({
      ...old,
      lastPrompt: { at: promptAt, recordId: "h2", digest: "d2" },
    });
    assert.deepEqual(evidence("clear", "old", said(at + 10)), { kind: "other-prompt", working: false });
    assert.deepEqual(evidence("clear", "old", said(at + 10), { kind: "working" }), {
      kind: "other-prompt",
      working: true,
    });
    assert.equal(evidence("clear", "old", said(at - 10)).kind, "nothing");
  });

  it("was another command where another ran", () => {
    const other: Conversation = { ...old, lastCommand: { at: at + 10, name: "model" } };
    assert.deepEqual(evidence("compact", "old", other), { kind: "failed", outcome: "wrong-command" });
  });
});
