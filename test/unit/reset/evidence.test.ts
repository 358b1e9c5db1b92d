import assert from "node:assert/strict";
import type { Conversation, TurnState } from "../../../server/core/conversation.ts";
import { evidenceOf } from "../../../server/core/reset/evidence.ts";
import type { Baseline } from "../../../server/core/reset/types.ts";
import type { LineRef } from "../../../server/protocol/lines.ts";
import { conversation } from "../gates/goodFacts.ts";
import { digest, resetId } from "./events.ts";

const clickedAt = 1_796_072_133_000;
/** Minutes later, after the save. */
const enterAt = clickedAt + 90_000;
const before: Baseline = {
  conversationId: "old",
  tokens: 287_000,
  compactions: 0,
  lastPromptId: "h1",
  lastCommandAt: clickedAt - 5000,
};
const old: Conversation = { ...conversation, conversationId: "old" };
const ours = digest("d");
const idle: TurnState = { kind: "idle" };

const evidence = (
  line: LineRef,
  conversationId: string | undefined,
  now: Conversation | undefined,
  turn: TurnState = idle,
) =>
  evidenceOf(
    { line, before, since: clickedAt, enterAt, digest: ours },
    {
      ...(conversationId === undefined ? {} : { conversationId }),
      ...(now === undefined ? {} : { conversation: now }),
      turn,
    },
  );
const kind = (...given: Parameters<typeof evidence>) => evidence(...given).kind;

const clear: LineRef = { kind: "clear" };
const compact: LineRef = { kind: "compact", sentence: "default" };
const resume: LineRef = { kind: "resume", conversationId: "older" };
const command: LineRef = { kind: "command", name: "dr-save", taskId: "ABC-12" };
const prompts: readonly LineRef[] = [
  { kind: "save", resetId },
  { kind: "receipt", resetId },
  { kind: "brief", resetId, then: "wait" },
  { kind: "held", textId: "x1", digest: ours },
  { kind: "carried", recordId: "r1", digest: ours },
];
const commands: readonly LineRef[] = [clear, compact, resume];
const every: readonly LineRef[] = [...commands, command, ...prompts];

const said = (recordId: string, text: string, at = enterAt + 10): Conversation => ({
  ...old,
  lastPrompt: { at, recordId, digest: text },
});
const ran = (name: string, at = enterAt + 10, failed?: string): Conversation => ({
  ...old,
  lastCommand: { at, name, ...(failed === undefined ? {} : { failed }) },
});
const reading = (tokens: number, at: number): Conversation["reading"] => ({
  kind: "measured",
  tokens,
  at,
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

  it("is confirmed by a thread born after the click (Codex), though it cannot be read yet", () => {
    const id = thread(enterAt + 60);
    assert.deepEqual(evidence(clear, id, undefined), { kind: "confirmed", settled: true, conversationId: id });
  });

  it("is another command where an older thread came to the front, or a fork", () => {
    const other = { kind: "failed", outcome: "wrong-command" };
    assert.deepEqual(evidence(clear, thread(clickedAt - 60_000), undefined), other);
    assert.deepEqual(evidence(clear, thread(enterAt + 60), { ...conversation, forkedFrom: "old" }), other);
  });

  it("allows clocks to differ by two seconds", () => {
    assert.equal(kind(clear, thread(clickedAt - 2000), undefined), "confirmed");
    assert.equal(kind(clear, thread(clickedAt - 2001), undefined), "failed");
  });

  it("is confirmed by a conversation that begins with the command (Claude)", () => {
    const born: Conversation = {
      ...conversation,
      bornOfClear: true,
      lastCommand: { at: enterAt + 200, name: "clear" },
    };
    assert.deepEqual(evidence(clear, "new", born), { kind: "confirmed", settled: true, conversationId: "new" });
  });

  it("is another command where an earlier conversation was resumed", () => {
    const earlier: Conversation = {
      ...conversation,
      bornOfClear: true,
      lastCommand: { at: clickedAt - 90_000, name: "clear" },
    };
    assert.equal(kind(clear, "earlier", earlier), "failed");
    assert.equal(kind(clear, "earlier", { ...conversation, firstReading: 20_000 }), "failed");
  });

  it("is not known while the new conversation cannot be read yet, or nothing changed", () => {
    assert.equal(kind(clear, "new", undefined), "nothing");
    assert.equal(kind(clear, "new", conversation), "nothing");
    assert.equal(kind(clear, undefined, undefined), "nothing");
    assert.equal(kind(clear, "old", old), "nothing");
  });
});

describe("what became of a compaction", () => {
  const compacted: Conversation = {
    ...old,
    compactions: 1,
    lastCompaction: { at: enterAt + 500, trigger: "manual" },
    reading: reading(6000, enterAt + 500),
  };

  it("is confirmed by one more boundary in the same conversation", () => {
    assert.deepEqual(evidence(compact, "old", compacted), { kind: "confirmed", settled: true, afterTokens: 6000 });
    const working = evidence(compact, "old", compacted, { kind: "working" });
    assert.deepEqual(working, { kind: "confirmed", settled: false, afterTokens: 6000 });
  });

  it("waits for the new figure", () => {
    const stale = { ...compacted, reading: reading(287_000, enterAt - 1) };
    assert.deepEqual(evidence(compact, "old", stale), { kind: "confirmed", settled: false });
    const unknown: Conversation = { ...compacted, reading: { kind: "compacted-unknown", at: enterAt + 500 } };
    assert.deepEqual(evidence(compact, "old", unknown), { kind: "confirmed", settled: true });
  });

  it("was of no use where it is not smaller", () => {
    const larger = { ...compacted, reading: reading(290_000, enterAt + 600) };
    const failed = { kind: "failed", outcome: "not-smaller", afterTokens: 290_000 };
    assert.deepEqual(evidence(compact, "old", larger), failed);
  });

  it("is not proven by the agent's own compaction, or by one in another conversation", () => {
    const own: Conversation = { ...compacted, lastCompaction: { at: enterAt + 500, trigger: "auto" } };
    assert.equal(kind(compact, "old", own), "nothing");
    assert.equal(kind(compact, "new", compacted), "nothing");
  });
});

describe("what became of the way back", () => {
  it("is confirmed by the agent being in the old conversation again, with its size", () => {
    const back: Conversation = { ...conversation, conversationId: "older", reading: reading(287_000, 1) };
    assert.deepEqual(evidence(resume, "older", back), { kind: "confirmed", settled: true, afterTokens: 287_000 });
    assert.deepEqual(evidence(resume, "older", undefined), { kind: "confirmed", settled: true });
  });

  it("is another command where it came to a third one, and nothing while it is where it was", () => {
    assert.deepEqual(evidence(resume, "third", undefined), { kind: "failed", outcome: "wrong-command" });
    assert.equal(kind(resume, "old", old), "nothing");
    assert.equal(kind(resume, undefined, undefined), "nothing");
  });
});

describe("what became of a workflow's own command", () => {
  it("is confirmed by its record, or by the prompt it is to the model", () => {
    assert.equal(kind(command, "old", ran("dr-save")), "confirmed");
    assert.equal(kind(command, "old", said("h2", ours)), "confirmed");
  });

  it("is not proven by an earlier run, and another command is another command", () => {
    assert.equal(kind(command, "old", ran("dr-save", clickedAt - 5000)), "nothing");
    assert.deepEqual(evidence(command, "old", ran("dr-next")), { kind: "failed", outcome: "wrong-command" });
  });
});

describe("what became of a line for the model", () => {
  for (const line of prompts)
    it(`${line.kind}: is confirmed by its own words as a prompt`, () => {
      assert.deepEqual(evidence(line, "old", said("h2", ours)), { kind: "confirmed", settled: true });
    });

  for (const line of prompts)
    it(`${line.kind}: is not proven by the same words from before, or by other words`, () => {
      assert.equal(kind(line, "old", said("h1", ours)), "nothing");
      assert.deepEqual(evidence(line, "old", said("h2", digest("9"))), { kind: "other-prompt", working: false });
    });
});

describe("a command that arrived as a prompt", () => {
  for (const line of commands)
    it(`${line.kind}: is told as that`, () => {
      assert.deepEqual(evidence(line, "old", said("h2", ours)), { kind: "failed", outcome: "not-a-command" });
    });
});

describe("an exit", () => {
  it("is proven by nothing in a transcript", () => {
    assert.equal(kind({ kind: "exit" }, "old", old), "nothing");
  });
});

describe("every line", () => {
  for (const line of every) {
    const name = line.kind;

    it(`${name}: failed where the agent says so, or the turn ended in an error after Enter`, () => {
      const failed = { kind: "failed", outcome: "error" };
      const word = line.kind === "command" ? "dr-next" : name;
      assert.deepEqual(evidence(line, "old", ran(word, enterAt + 10, "error")), failed);
      assert.deepEqual(evidence(line, "old", old, { kind: "error", since: enterAt + 10, overflow: false }), failed);
      assert.equal(kind(line, "old", old, { kind: "error", since: enterAt - 10, overflow: false }), "nothing");
    });

    it(`${name}: was another command where another ran after the baseline`, () => {
      assert.deepEqual(evidence(line, "old", ran("model")), { kind: "failed", outcome: "wrong-command" });
      assert.equal(kind(line, "old", ran("model", clickedAt - 5000)), "nothing");
    });

    it(`${name}: is something else that was sent, but not a prompt that was only found late`, () => {
      const other = digest("9");
      assert.deepEqual(evidence(line, "old", said("h2", other)), { kind: "other-prompt", working: false });
      assert.deepEqual(evidence(line, "old", said("h2", other), { kind: "working" }), {
        kind: "other-prompt",
        working: true,
      });
      assert.equal(kind(line, "old", said("h0", other, enterAt - 10)), "nothing");
      assert.equal(kind(line, "old", said("h1", other)), "nothing");
    });

    it(`${name}: is being worked on`, () => {
      assert.equal(kind(line, "old", old, { kind: "working" }), "working");
    });

    it(`${name}: is not judged by what another conversation does`, () => {
      if (line.kind === "resume") return;
      assert.equal(kind(line, "third", ran("model"), { kind: "working" }), "nothing");
    });
  }
});
