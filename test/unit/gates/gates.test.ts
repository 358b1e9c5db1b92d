import assert from "node:assert/strict";
import { askAll, askGates, type Facts } from "../../../server/core/gates/gate.ts";
import { diskGates, gates, lastLookGates } from "../../../server/core/gates/gates.ts";
import { conversation, goodFacts, instance, screen } from "./goodFacts.ts";

/** One row breaks exactly one thing. gate · what is broken · the word the reason must hold. */
const broken: readonly (readonly [gate: string, because: RegExp, change: Partial<Facts>])[] = [
  ["settings-sane", /soft line/, { settingProblems: ["the soft line is above the hard line"] }],
  ["mode-allows", /gauge/, { mode: "gauge" }],
  ["workspace-trusted", /trusted/, { trusted: false }],
  ["platform-measured", /Linux/, { platformMeasured: false }],
  ["agent-running", /started anew/, { instance: { ...instance, instanceId: "claude-8-2" } }],
  ["terminal-open", /integrated terminal/, { screen: { ...screen, terminalOpen: false } }],
  ["terminal-open", /integrated terminal/, { instance: { ...instance, place: "multiplexer" } }],
  ["agent-in-foreground", /keyboard/, { instance: { ...instance, foreground: false } }],
  ["conversation-known", /more than one/, { instance: { ...instance, binding: "ambiguous" } }],
  ["conversation-known", /nothing on disk/, { instance: { ...instance, binding: "none" } }],
  ["prompt-box-visible", /reloaded/, { screen: { ...screen, observable: false, why: "started-before" } }],
  [
    "prompt-box-visible",
    /shell integration/,
    { screen: { ...screen, observable: false, why: "no-shell-integration" } },
  ],
  ["prompt-box-visible", /too much/, { screen: { ...screen, observable: false, why: "overflow" } }],
  ["prompt-box-visible", /size/, { screen: { ...screen, observable: false, why: "size-unknown" } }],
  ["prompt-box-visible", /Linux/, { screen: { ...screen, observable: false, why: "platform" } }],
  ["prompt-box-visible", /not being watched/, { screen: { ...screen, observable: false } }],
  ["log-writable", /disk full/, { journalProblem: "disk full" }],
  ["transcript-readable", /permission/, { transcriptProblem: "no permission" }],
  ["transcript-readable", /deleted/, { conversation: { ...conversation, turn: { kind: "gone" } } }],
  ["no-other-reset", /another reset/, { otherReset: true }],
  ["approved-for-this", /used already/, { approvalUsed: true }],
  ["approved-for-this", /earlier conversation/, { approval: { approvalId: "a1", at: 1, conversationId: "c0" } }],
  [
    "nothing-said-since",
    /after the click/,
    { conversation: { ...conversation, lastHuman: { kind: "known", at: 2, recordId: "h2" } } },
  ],
  ["nothing-said-since", /could not be found/, { conversation: { ...conversation, lastHuman: { kind: "unknown" } } }],
  ["not-paused", /paused/, { paused: true }],
  ["turn-ended", /permission prompt/, { turn: { kind: "waiting", waitingFor: "permission prompt" } }],
  ["turn-ended", /nothing for a long time/, { turn: { kind: "stalled" } }],
  ["turn-ended", /failed/, { turn: { kind: "error", overflow: false } }],
  ["turn-ended", /no longer fits/, { turn: { kind: "error", overflow: true } }],
  ["turn-ended", /no transcript/, { turn: { kind: "no-transcript" } }],
  ["turn-ended", /not known/, { turn: { kind: "unknown" } }],
  ["nothing-pending", /queue/, { conversation: { ...conversation, queued: 1 } }],
  ["prompt-box-empty", /draft/, { screen: { ...screen, box: "draft" } }],
  ["prompt-box-empty", /shell mode/, { screen: { ...screen, box: "shell-mode" } }],
  ["prompt-box-empty", /dialog/, { screen: { ...screen, box: "none" } }],
];

/** Time alone will answer these. */
const notYet: readonly (readonly [gate: string, because: RegExp, change: Partial<Facts>])[] = [
  ["turn-ended", /working/, { turn: { kind: "working" } }],
  ["turn-ended", /question/, { turn: { kind: "tool-pending" } }],
  ["turn-ended", /permission prompt/, { armed: true, turn: { kind: "waiting", waitingFor: "permission prompt" } }],
  ["turn-ended", /only just/, { turn: { kind: "idle", since: 99_500 } }],
  ["nothing-pending", /Explore/, { subagents: [{ name: "Explore" }] }],
  ["window-connected", /did not answer/, { screen: { ...screen, connected: false } }],
  ["screen-settled", /changing/, { screen: { ...screen, quietForMs: 1499 } }],
  ["screen-settled", /changing/, { screen: { ...screen, freshSinceOwnWrite: false } }],
  ["screen-settled", /changing/, { screen: { ...screen, box: "none", quietForMs: 10 } }],
];

describe("the gates", () => {
  it("all say yes at a good moment", () => {
    const report = askGates(gates, goodFacts);
    assert.equal(report.refused, undefined);
    assert.deepEqual(report.waiting, []);
    assert.equal(report.passed.length, gates.length);
  });

  for (const [gate, because, change] of broken)
    it(`${gate} refuses: ${because.source}`, () => {
      const { refused } = askGates(gates, { ...goodFacts, ...change });
      assert.equal(refused?.gate, gate);
      assert.match(refused.reason, because);
      assert.notEqual(refused.remedy, "");
    });

  for (const [gate, because, change] of notYet)
    it(`${gate} says not yet: ${because.source}`, () => {
      const { refused, waiting } = askGates(gates, { ...goodFacts, ...change });
      assert.equal(refused, undefined);
      assert.equal(waiting[0]?.gate, gate);
      assert.match(waiting[0]?.reason ?? "", because);
    });

  it("refuses whatever is missing", () => {
    for (const key of ["instance", "terminal", "screen", "approval"] as const) {
      const { [key]: _gone, ...rest } = goodFacts;
      assert.notEqual(askGates(gates, rest).refused, undefined, key);
    }
  });

  it("each have a test that fails without them", () => {
    const tested = new Set([...broken, ...notYet].map(([gate]) => gate));
    assert.deepEqual(
      gates.map(({ id }) => id).filter((id) => !tested.has(id)),
      [],
    );
  });

  it("answer one by one for Check, none hidden behind another", () => {
    const answers = askAll(gates, { ...goodFacts, mode: "gauge", paused: true, turn: { kind: "working" } });
    assert.deepEqual(
      answers.filter(({ verdict }) => verdict !== "yes").map(({ gate, verdict }) => [gate, verdict]),
      [
        ["mode-allows", "no"],
        ["not-paused", "no"],
        ["turn-ended", "not-yet"],
      ],
    );
  });

  it("have names of their own", () => {
    assert.equal(new Set(gates.map(({ id }) => id)).size, gates.length);
  });

  it("do not ask our own pasted line to be an empty box at the last look", () => {
    assert.equal(
      askGates(lastLookGates, { ...goodFacts, screen: { ...screen, box: "draft", quietForMs: 1 } }).refused,
      undefined,
    );
    assert.equal(askGates(lastLookGates, { ...goodFacts, paused: true }).refused?.gate, "not-paused");
  });

  it("need no screen where the person presses Enter", () => {
    const { screen: _unseen, ...unseen } = goodFacts;
    const blind: Facts = { ...unseen, screen: { ...screen, observable: false, box: "none" } };
    assert.equal(askGates(diskGates, blind).refused, undefined);
    assert.deepEqual(askGates(diskGates, { ...blind, turn: { kind: "working" } }).waiting.length, 1);
  });
});
