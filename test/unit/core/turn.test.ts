import assert from "node:assert/strict";
import type { Conversation, TurnState } from "../../../server/core/conversation.ts";
import type { Instance } from "../../../server/core/instance.ts";
import { turnOf } from "../../../server/core/turn.ts";
import { conversation, instance } from "../gates/goodFacts.ts";

const reported = (state: "idle" | "busy" | "waiting" | "shell", since = 5000, waitingFor?: string): Instance => ({
  ...instance,
  reported: { state, since, ...(waitingFor === undefined ? {} : { waitingFor }) },
});
const written = (turn: TurnState): Conversation => ({ ...conversation, turn });
const kindOf = (...args: Parameters<typeof turnOf>) => turnOf(...args).kind;

describe("the turn of Claude", () => {
  it("is what its own record says", () => {
    assert.deepEqual(turnOf(reported("waiting", 7, "permission prompt"), conversation, undefined), {
      kind: "waiting",
      since: 7,
      waitingFor: "permission prompt",
    });
    assert.equal(kindOf(reported("busy"), conversation, undefined), "working");
    assert.equal(kindOf(reported("busy"), written({ kind: "tool-pending" }), undefined), "tool-pending");
    assert.equal(kindOf(reported("idle"), conversation, undefined), "idle");
  });

  it("is over while only a background command runs", () => {
    assert.equal(kindOf(reported("shell"), conversation, undefined), "idle");
  });

  it("is what the transcript says where that is newer: a prompt lands there first", () => {
    assert.equal(kindOf(reported("idle", 5000), written({ kind: "working", since: 5001 }), undefined), "working");
    assert.equal(kindOf(reported("idle", 5001), written({ kind: "working", since: 5000 }), undefined), "idle");
    assert.equal(kindOf(reported("idle"), written({ kind: "working" }), undefined), "working");
  });

  it("ended when both say so: the later of the two times counts", () => {
    assert.deepEqual(turnOf(reported("idle", 5000), written({ kind: "idle", since: 6000 }), undefined), {
      kind: "idle",
      since: 6000,
    });
  });

  it("is idle and empty before the first prompt, and a failure stays one", () => {
    assert.equal(kindOf(reported("idle"), undefined, undefined), "idle");
    assert.equal(kindOf(reported("idle"), written({ kind: "error", overflow: false }), undefined), "error");
  });

  it("is the transcript's where no record is there, and unknown without both", () => {
    assert.equal(kindOf(instance, conversation, undefined), "idle");
    assert.equal(kindOf(instance, undefined, undefined), "unknown");
  });
});

describe("the turn of Codex", () => {
  const codex: Instance = { ...instance, agent: "codex", startedAt: 3000 };

  it("is what its rollout says, and waits for permission where it says so itself", () => {
    assert.equal(kindOf(codex, written({ kind: "working" }), "idle"), "working");
    assert.deepEqual(turnOf(codex, written({ kind: "tool-pending", since: 9 }), "blocked"), {
      kind: "waiting",
      since: 9,
      waitingFor: "permission",
    });
  });

  it("is idle and empty with a thread and no rollout, and unknown without a thread", () => {
    assert.deepEqual(turnOf(codex, undefined, undefined), { kind: "idle", since: 3000 });
    const { conversationId: _, ...nameless } = codex;
    assert.equal(kindOf(nameless, undefined, undefined), "unknown");
  });
});
