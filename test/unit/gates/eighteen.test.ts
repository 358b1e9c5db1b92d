import assert from "node:assert/strict";
import { askGates, type Facts } from "../../../server/core/gates/gate.ts";
import { gates, lastLookOf } from "../../../server/core/gates/gates.ts";
import { at, conversation, goodFacts, instance, readyToClear, receipt, saved } from "./goodFacts.ts";

describe("the eighteen refusals that these gates grew from", () => {
  const gone = (key: "instance" | "terminal" | "approval" | "saved" | "brief", facts: Facts): Facts => {
    const { [key]: _gone, ...rest } = facts;
    return rest;
  };
  const savedWith = (change: Partial<typeof receipt>): Facts => ({
    ...readyToClear,
    saved: { ...saved, receipt: { ...receipt, ...change } },
  });
  const talked = (recordId: string): Facts => ({
    ...readyToClear,
    conversation: { ...conversation, lastHuman: { kind: "known", at: 2, recordId } },
  });
  const rows: readonly (readonly [number, string, Facts, gate: string])[] = [
    [1, "no place for its own state", { ...readyToClear, journalProblem: "disk full" }, "log-writable"],
    [1, "transcript unreadable", { ...readyToClear, transcriptProblem: "EACCES" }, "transcript-readable"],
    [2, "no live session", gone("instance", readyToClear), "terminal-open"],
    [
      2,
      "another incarnation",
      { ...readyToClear, instance: { ...instance, instanceId: "claude-8-2" } },
      "agent-running",
    ],
    [2, "claimed by another", { ...readyToClear, otherReset: true }, "no-other-reset"],
    [3, "receipt missing", gone("saved", readyToClear), "saved-well"],
    [3, "receipt of another session", savedWith({ conversationId: "c0" }), "saved-well"],
    [3, "receipt of another process", savedWith({ instanceId: "claude-6-1" }), "saved-well"],
    [4, "receipt not filed after the approval, whatever its age", savedWith({ at: 90_000 }), "saved-after-click"],
    [5, "transcript grew too far", savedWith({ transcriptBytes: 600_000 }), "grown-little"],
    [5, "transcript shrank", savedWith({ transcriptBytes: 990_000 }), "grown-little"],
    [5, "position unknown", { ...readyToClear, saved: { ...saved, transcriptBytes: undefined } }, "grown-little"],
    [
      6,
      "last human message unknown",
      { ...readyToClear, conversation: { ...conversation, lastHuman: { kind: "unknown" } } },
      "last-prompt-known",
    ],
    [7, "human spoke since the receipt", savedWith({ lastHumanId: "h0" }), "silent-since-save"],
    [8, "no approval to cite", gone("approval", readyToClear), "approved-for-this"],
    [8, "receipt in the same second as the approval", savedWith({ at: 90_999 }), "saved-after-click"],
    [9, "away", { ...readyToClear, paused: true }, "not-paused"],
    // 10 is about acting without a click, which nothing here does.
    [10, "nobody clicked", gone("approval", goodFacts), "approved-for-this"],
    [11, "not quiet", { ...readyToClear, conversation: { ...conversation, queued: 1 } }, "nothing-pending"],
    [12, "no way back in", gone("brief", readyToClear), "brief-complete"],
    [13, "supervision not heard", { ...readyToClear, hostSilentMs: 60_000 }, "worker-healthy"],
    [14, "what is to be said cannot be delivered", { ...readyToClear, textsHeld: false }, "brief-deliverable"],
    [15, "runtime not proven", { ...readyToClear, platformMeasured: false }, "platform-measured"],
    [16, "own pane unidentifiable", gone("terminal", readyToClear), "terminal-open"],
    [
      17,
      "more than one thing by that name",
      { ...readyToClear, instance: { ...instance, binding: "ambiguous" } },
      "conversation-known",
    ],
    [18, "human record changed right before typing", at(talked("h2"), "last"), "nothing-said-since"],
    [
      18,
      "transcript unreadable right before typing",
      at({ ...readyToClear, transcriptProblem: "EIO" }, "last"),
      "transcript-readable",
    ],
  ];
  for (const [number, name, facts, gate] of rows)
    it(`${number}: ${name} → ${gate}`, () => {
      const list = facts.question.look === "last" ? lastLookOf(gates) : gates;
      const { refused, waiting } = askGates(list, facts);
      assert.equal((refused ?? waiting[0])?.gate, gate);
    });

  it("are all here", () => {
    const numbers = new Set(rows.map(([number]) => number));
    assert.deepEqual(
      [...numbers],
      Array.from({ length: 18 }, (_, index) => index + 1),
    );
  });
});
