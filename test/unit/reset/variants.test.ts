import assert from "node:assert/strict";
import { phaseWord } from "../../../server/core/reset/journalled.ts";
import {
  approved,
  briefWritten,
  claimed,
  cleared,
  collected,
  compactOrder,
  confirmed,
  end,
  handed,
  judged,
  judgedBlind,
  judgedNotYet,
  type Make,
  minute,
  observed,
  prepared,
  run,
  start,
  stepWord,
  tick,
  twoLines,
  words,
} from "./events.ts";
import { line, savedWell, toBriefing, toClearing, toPreparing, toSaved, toSaving, toWriting } from "./paths.ts";

describe("where the prompt box cannot be seen", () => {
  const handedSave = [approved(), judgedBlind, claimed(), prepared(), handed()];
  const handedClear = [...handedSave, confirmed, ...savedWell, briefWritten(), judgedBlind, claimed(), handed()];
  const handedBrief = [...handedClear, cleared, collected(), observed({ turn: "idle" }), judgedBlind, handed()];

  it("pastes each line for the person and never presses, whatever comes", () => {
    const result = run([...handedBrief, confirmed, observed({ tokens: 20_000 })]);
    assert.equal(end(result).outcome, "confirmed");
    assert.deepEqual(
      words(result).filter((word) => /hand-over|type|press|erase|escape/.test(word)),
      ["hand-over:save", "hand-over:clear", "hand-over:brief"],
    );
  });

  const outcomes = [
    ["the save", handedSave, false, { spoke: "aborted", late: "unconfirmed", failed: "refused", cancel: "aborted" }],
    ["the clear", handedClear, false, { spoke: "aborted", late: "unconfirmed", failed: "refused", cancel: "aborted" }],
    [
      "the brief",
      handedBrief,
      true,
      { spoke: "not-briefed", late: "not-briefed", failed: "not-briefed", cancel: "not-briefed" },
    ],
  ] as const;
  for (const [name, path, isCleared, expected] of outcomes)
    it(`${name} is given up when something else is sent, after ten minutes, when it cannot be pasted, or by a click`, () => {
      const { state } = run(path);
      const instead = end(run([observed({ evidence: { kind: "other-prompt", working: true } })], state));
      assert.match(instead.because.reason, /instead of the pasted line/);
      assert.equal(instead.outcome, expected.spoke);
      assert.deepEqual(words(run([tick(10 * minute)], state)), []);
      const late = end(run([tick(10 * minute + 1)], state));
      assert.equal(late.outcome, expected.late);
      assert.match(late.because.remedy, /press Enter or delete it/);
      assert.equal(end(run([...path.slice(0, -1), handed(false)])).outcome, expected.failed);
      const byClick = end(run([() => ({ kind: "cancelled", at: start })], state));
      assert.equal(byClick.outcome, expected.cancel);
      assert.match(byClick.because.reason, /may still stand in the prompt box/);
      for (const ended of [instead, late, byClick]) assert.equal(ended.cleared, isCleared);
    });

  it("waits for the figures after the person's Enter", () => {
    const unsettled = observed({ evidence: { kind: "confirmed", settled: false } });
    assert.deepEqual(words(run([unsettled], run(handedClear).state)), []);
  });
});

describe("a conversation that no longer fits", () => {
  it("is cleared without a save when that was known at the click", () => {
    const result = run([...toPreparing({ origin: "forced" }), prepared([]), briefWritten(), judged(), claimed()]);
    assert.deepEqual(words(result).slice(2), ["prepare-save", "write-brief", "judge:act/again", "claim", "type:clear"]);
    assert.ok(!words(result).includes("type:save"));
    const ended = end(run([...line(cleared), collected({ problem: undefinedProblem })], result.state));
    assert.equal(ended.saved?.receipt, undefined);
  });

  it("goes on as forced when it stops fitting while it saves", () => {
    const paths = [toWriting(), [...toPreparing(), prepared(twoLines), ...line()]];
    for (const path of paths) {
      const result = run([...path, observed({ turn: "overflow" }), briefWritten(), judged()]);
      assert.equal(phaseWord(result.state), "claimed");
      assert.ok(result.state.phase === "claimed" && result.state.order.origin === "forced");
      assert.ok(result.state.saved?.receipt === undefined);
    }
  });

  const undefinedProblem = { gate: "saved-well", reason: "nothing is saved", remedy: "Look." };
});

describe("a workflow with a save command of its own", () => {
  const between = [...toPreparing(), prepared(twoLines), ...line()];

  it("types the command, waits for its turn to end, and asks for the proof", () => {
    assert.equal(phaseWord(run(between).state), "saving/between");
    const result = run([...between, observed(), judgedNotYet(), observed({ turn: "idle" }), judged(), ...line()]);
    assert.deepEqual(words(result).slice(3), [
      "type:command",
      "judge:save/last",
      "press:command",
      "judge:save/again",
      "judge:save/again",
      "type:receipt",
      "judge:save/last",
      "press:receipt",
    ]);
    assert.equal(phaseWord(result.state), "saving/writing");
  });

  it("is given up when the command's turn does not end within five minutes, or somebody speaks", () => {
    assert.deepEqual(words(run([tick(5 * minute)], run(between).state)), ["judge:save/again"]);
    assert.equal(end(run([...between, tick(5 * minute + 1)])).outcome, "aborted");
    assert.equal(end(run([...between, observed({ humanSpoke: true })])).because.gate, "nothing-said-since");
    assert.equal(end(run([...between, observed({ turn: "error" })])).outcome, "aborted");
  });
});

describe("a snapshot that stands already", () => {
  it("is looked at without a line", () => {
    const result = run([...toPreparing({ workflow: "snapshot" }), prepared([])]);
    assert.equal(phaseWord(result.state), "saving/writing");
    assert.equal(phaseWord(run(savedWell, result.state).state), "saved/briefing");
    assert.ok(!words(result).some((word) => word.startsWith("type")));
  });
});

describe("the only window", () => {
  it("that claims goes on: the other one is refused, before the save and before the clear", () => {
    for (const path of [
      [approved(), judged()],
      [...toSaved(), briefWritten(), judged()],
    ])
      assert.equal(end(run([...path, claimed(false)])).because.gate, "no-other-reset");
  });

  it("that gave no answer before anything was written is asked again", () => {
    const unanswered: Make = (attempt) => ({
      kind: "typed",
      at: start,
      attempt,
      result: { outcome: "refused", reason: "not-connected", wrote: false, erased: false },
    });
    assert.equal(stepWord(run([...toSaving(), unanswered])).split(" ")[0], "saving/between");
    const again = [tick(1), judged()];
    assert.deepEqual(words(run(again, run([...toSaving(), unanswered]).state)), ["judge:save/again", "type:save"]);
    const clear = run([...toClearing(), unanswered]);
    assert.equal(phaseWord(clear.state), "saved/waiting");
    assert.deepEqual(words(run([...again, claimed()], clear.state)), ["judge:act/again", "claim", "type:clear"]);
    const compact = run([approved(compactOrder), judged(), claimed(), unanswered]);
    assert.equal(phaseWord(compact.state), "armed");
    assert.deepEqual(words(run([...again, claimed()], compact.state)), ["judge:act/again", "claim", "type:compact"]);
    const brief = run([...toBriefing(), unanswered]);
    assert.deepEqual(words(run(again, brief.state)), ["judge:brief/again", "type:brief"]);
  });
});
