import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { typedText } from "../../../server/cli/measureTyped.ts";
import { digestOf } from "../../../server/core/digest.ts";
import { foldFacts } from "../../../server/core/fold.ts";
import { inheritHuman, type TypedEntry } from "../../../server/core/humanPrompts.ts";
import type { TranscriptFact } from "../../../server/core/transcript.ts";

const prompt = (at: number, text: string, more: object = {}): TranscriptFact => ({
  kind: "prompt",
  at,
  recordId: `p${at}`,
  digest: digestOf(text),
  ...more,
});
const command = (at: number, name: string, more: object = {}): TranscriptFact => ({
  kind: "command",
  at,
  recordId: `c${at}`,
  name,
  ...more,
});
const interrupted = (at: number): TranscriptFact => ({ kind: "interrupted", at });
const answered = (at: number): TranscriptFact => ({ kind: "usage", at, responseId: `m${at}`, tokens: 9000, output: 1 });

function human(facts: readonly TranscriptFact[], typed: readonly TypedEntry[] = [], humanSearchComplete = true) {
  const { lastHuman, lastHumanActivityAt } = foldFacts("claude", facts, { typed, humanSearchComplete });
  return [lastHuman.kind === "known" ? lastHuman.at : lastHuman.kind, lastHumanActivityAt];
}

describe("the person's last prompt", () => {
  it("is the latest in time, in whatever order it was written", () => {
    assert.deepEqual(human([prompt(10_000, "a"), prompt(5000, "b")]), [10_000, undefined]);
  });

  it("is known to be missing only where everything was read (R55)", () => {
    assert.deepEqual(human([]), ["none", undefined]);
    assert.deepEqual(human([], [], false), ["unknown", undefined]);
  });

  it("is never a program's", () => {
    assert.deepEqual(human([prompt(1000, "a", { source: "system" }), prompt(2000, "b", { source: "sdk" })]), [
      "none",
      undefined,
    ]);
  });

  it("outlasts any number of notices, and is not denied where older signs were let go", () => {
    const notices = Array.from({ length: 600 }, (_, n) => prompt(2000 + n, `n${n}`, { source: "system" }));
    assert.deepEqual(human([prompt(1000, "a"), ...notices]), [1000, undefined]);
    const escapes = Array.from({ length: 300 }, (_, n) => interrupted(2000 + n));
    assert.deepEqual(human([prompt(1000, "a"), ...escapes])[0], "unknown");
  });

  it("is unknown where the record states no time", () => {
    assert.deepEqual(human([prompt(1000, "a", { at: undefined })]), ["unknown", undefined]);
    assert.deepEqual(human([prompt(1000, "a"), prompt(1000, "b", { at: undefined })]), [1000, undefined]);
  });
});

describe("what we typed (R50, R53)", () => {
  it("never dates the person", () => {
    const facts = [prompt(1000, "fix it"), prompt(60_000, "Save  now\n")];
    assert.deepEqual(human(facts, [typedText("Save now", 59_000)]), [1000, undefined]);
    assert.deepEqual(human(facts, [typedText("Save later", 59_000)]), [60_000, undefined]);
  });

  it("accounts for one record: the same words again are the person's", () => {
    const facts = [prompt(1000, "go"), prompt(2000, "go")];
    assert.deepEqual(human(facts, [typedText("go", 900)]), [2000, undefined]);
  });

  it("accounts for nothing before it was typed", () => {
    assert.deepEqual(human([prompt(1000, "go")], [typedText("go", 9000)]), [1000, undefined]);
  });

  it("as a command owns its record and its prompt's, until the model answers", () => {
    const typed = [typedText("/save", 1000)];
    const facts = [command(1100, "save", { promptId: "a" }), prompt(1101, "Expanded text", { promptId: "a" })];
    assert.deepEqual(human(facts, typed), ["none", undefined]);
    assert.deepEqual(human([...facts, answered(1200), prompt(1300, "mine", { promptId: "b" })], typed), [
      1300,
      undefined,
    ]);
    assert.deepEqual(human([...facts, prompt(1102, "mine", { promptId: "b" })], typed), [1102, undefined]);
    assert.deepEqual(human([command(1100, "other")], typed), ["none", 1100]);
  });

  it("as a command that arrived as words is still ours", () => {
    assert.deepEqual(human([prompt(500, "go"), prompt(1100, "/compact")], [typedText("/compact", 1000)]), [
      500,
      undefined,
    ]);
  });

  it("as ESC owns the interrupt; a foreign one is activity and no prompt", () => {
    assert.deepEqual(human([prompt(1, "go"), interrupted(5000)], [{ kind: "escape", at: 4900 }]), [1, undefined]);
    assert.deepEqual(human([prompt(1, "go"), interrupted(5000)]), [1, 5000]);
    assert.deepEqual(human([prompt(1, "go"), interrupted(60_000)], [{ kind: "escape", at: 4900 }]), [1, 60_000]);
  });
});

describe("a cleared conversation", () => {
  it("has its predecessor's last prompt until it has one of its own", () => {
    const older = { kind: "known", at: 5, recordId: "p5" } as const;
    assert.deepEqual(inheritHuman({ kind: "none" }, older), older);
    assert.deepEqual(inheritHuman({ kind: "unknown" }, older), { kind: "unknown" });
    assert.deepEqual(inheritHuman({ kind: "known", at: 9, recordId: "p9" }, older), {
      kind: "known",
      at: 9,
      recordId: "p9",
    });
  });
});

describe("the digest", () => {
  it("is sha-256 of the text without white space", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 400 }), (text) => {
        assert.equal(digestOf(text), createHash("sha256").update(text.replace(/\s+/gu, "")).digest("hex"));
      }),
    );
    for (const length of [55, 56, 63, 64, 65, 100_000])
      assert.equal(digestOf("a".repeat(length)), createHash("sha256").update("a".repeat(length)).digest("hex"));
  });
});
