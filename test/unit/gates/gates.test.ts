import assert from "node:assert/strict";
import { askAll, askGates, type Facts, type Gate } from "../../../server/core/gates/gate.ts";
import { briefGates, diskGates, gates, lastLookOf } from "../../../server/core/gates/gates.ts";
import { broken, coupled, factsOf } from "./brokenFacts.ts";
import {
  at,
  conversation,
  goodFacts,
  looks,
  readyToBrief,
  readyToClear,
  readyToCompact,
  receipt,
  saved,
  screen,
} from "./goodFacts.ts";

const listOf = ({ question }: Facts): readonly Gate[] => (question.before === "brief" ? briefGates : gates);
const report = (facts: Facts) => askGates(listOf(facts), facts);
const isGood = ({ refused, waiting }: ReturnType<typeof askGates>) => refused === undefined && waiting.length === 0;
/** The list as it would be if nobody had thought of this gate. */
const withoutGate = (ids: readonly string[], list: readonly Gate[] = gates) =>
  list.filter(({ id }) => !ids.includes(id));

describe("a good moment", () => {
  const moments: readonly (readonly [string, Facts, unsaved: number])[] = [
    ["before the save", goodFacts, 6],
    ["before the clear", readyToClear, 0],
    ["before the brief", readyToBrief, 0],
    ["before a compaction", readyToCompact, 0],
    ["before a compaction that saves first", { ...readyToCompact, savesFirst: true, saved }, 0],
    [
      "before the save of such a compaction",
      { ...readyToCompact, savesFirst: true, question: { before: "save", look: "first" } },
      5,
    ],
    ["before a save alone", { ...goodFacts, goal: "save", carries: 0 }, 5],
    ["before the way back", { ...readyToCompact, goal: "undo" }, 0],
    [
      "before a clear without a save, because it no longer fits",
      { ...without(readyToClear), forced: true, turn: { kind: "error", overflow: true, since: 1 } },
      0,
    ],
  ];
  for (const [name, facts, unsaved] of moments)
    it(`${name}: every gate says yes, whichever look it is`, () => {
      for (const look of looks) {
        const list = listOf(facts);
        const { passed, refused, waiting, unsaved: open } = askGates(list, at(facts, look));
        assert.deepEqual({ refused, waiting, open }, { refused: undefined, waiting: [], open: unsaved });
        assert.equal(passed, list.length - unsaved);
      }
    });

  it("is not spoilt by what only the screen shows where the person presses Enter", () => {
    const { screen: _unseen, ...unseen } = goodFacts;
    const blind: Facts = { ...unseen, screen: { ...screen, observable: false, box: "none" } };
    assert.ok(isGood(askGates(diskGates(gates), blind)));
    assert.equal(askGates(diskGates(gates), { ...blind, turn: { kind: "working" } }).waiting.length, 1);
  });
});

function without({ saved: _saved, ...rest }: Facts): Facts {
  return rest;
}

describe("every gate", () => {
  for (const row of broken) {
    const { gate, because, verdict = "no" } = row;
    it(`${gate} says ${verdict}: ${because.source}`, () => {
      const facts = factsOf(row);
      const { refused, waiting } = report(facts);
      const first = verdict === "no" ? refused : waiting[0];
      if (verdict === "not-yet") assert.equal(refused, undefined);
      assert.equal(first?.gate, gate);
      assert.match(first?.reason ?? "", because);
      assert.notEqual(first?.remedy, "");
    });

    // What is not there at all is asked for by more than one gate.
    if (Object.keys(row.change).length === 0) continue;
    it(`${gate} alone sees it: ${because.source}`, () => {
      const facts = factsOf(row);
      const left = askGates(withoutGate([gate, ...(coupled[gate] ?? [])], listOf(facts)), facts);
      assert.ok(isGood(left), JSON.stringify(left));
    });
  }

  it("has a row of its own", () => {
    const decisive = broken.filter(({ change }) => Object.keys(change).length > 0);
    const tested = new Set(decisive.map(({ gate }) => gate));
    assert.deepEqual(
      gates.map(({ id }) => id).filter((id) => !tested.has(id)),
      [],
    );
    assert.deepEqual(
      [...tested].filter((id) => !gates.some((gate) => gate.id === id)),
      [],
    );
  });

  it("has a name of its own and a question", () => {
    assert.equal(new Set(gates.map(({ id }) => id)).size, gates.length);
    assert.ok(gates.every(({ question }) => question.endsWith("?")));
  });

  it("refuses what is missing, whatever it is", () => {
    for (const key of ["instance", "terminal", "screen", "approval", "saved", "brief", "conversation"] as const) {
      const { [key]: _gone, ...rest } = readyToClear;
      assert.notEqual(askGates(gates, rest).refused, undefined, key);
    }
  });

  it("never leaves it to a save that will not come", () => {
    const all = [goodFacts, readyToClear, readyToBrief, readyToCompact, ...broken.map(factsOf)];
    for (const facts of all)
      for (const before of ["act", "brief"] as const)
        for (const { id, check } of gates) {
          const { saved: _saved, brief: _brief, ...bare } = facts;
          for (const state of [facts, bare]) {
            const verdict = check({ ...state, question: { before, look: "again" } });
            assert.notEqual(verdict.kind, "after-save", id);
          }
        }
  });

  it("of those the save answers says so before it, and no after it", () => {
    const { saved: _saved, brief: _brief, ...bare } = readyToClear;
    const unsaved = gates.filter(({ check }) => check(goodFacts).kind === "after-save").map(({ id }) => id);
    assert.deepEqual(unsaved, [
      "saved-well",
      "saved-after-click",
      "grown-little",
      "no-work-since",
      "silent-since-save",
      "brief-complete",
    ]);
    for (const { id, check } of gates) assert.equal(check(bare).kind, unsaved.includes(id) ? "no" : "yes", id);
  });

  it("stays what it is for a clear, whatever the order says about saving first", () => {
    const { saved: _saved, ...bare } = readyToClear;
    assert.equal(report({ ...bare, savesFirst: false }).refused?.gate, "saved-well");
  });
});

describe("the order of the gates", () => {
  it("is the design's: the first refusal is the one that is told", () => {
    assert.deepEqual(
      gates.map(({ id }) => id),
      [
        "settings-sane",
        "mode-allows",
        "workspace-trusted",
        "platform-measured",
        "terminal-open",
        "agent-running",
        "agent-in-foreground",
        "conversation-known",
        "prompt-box-visible",
        "log-writable",
        "transcript-readable",
        "no-other-reset",
        "save-possible",
        "workflow-usable",
        "saved-well",
        "approved-for-this",
        "saved-after-click",
        "grown-little",
        "no-work-since",
        "last-prompt-known",
        "nothing-said-since",
        "silent-since-save",
        "not-paused",
        "brief-complete",
        "brief-deliverable",
        "worker-healthy",
        "turn-ended",
        "nothing-pending",
        "screen-settled",
        "window-connected",
        "prompt-box-empty",
      ],
    );
  });

  it("holds for any two that refuse: the earlier one is told", () => {
    const refusing = broken.filter(({ from, verdict }) => from === undefined && verdict === undefined);
    const place = (gate: string) => gates.findIndex(({ id }) => id === gate);
    for (const one of refusing)
      for (const other of refusing) {
        const shared = Object.keys(one.change).some((key) => key in other.change);
        if (shared || place(one.gate) >= place(other.gate)) continue;
        const facts = { ...goodFacts, ...one.change, ...other.change };
        assert.equal(askGates(gates, facts).refused?.gate, one.gate, `${one.gate} before ${other.gate}`);
      }
  });

  it("lets no yes overrule a no: a refusal is told though later ones would wait", () => {
    const { refused, waiting } = askGates(gates, {
      ...goodFacts,
      turn: { kind: "working" },
      ...{ screen: { ...screen, box: "draft" } },
    });
    assert.equal(refused?.gate, "prompt-box-empty");
    assert.equal(waiting[0]?.gate, "turn-ended");
  });
});

describe("what differs by question", () => {
  it("waits, once the click was taken, for what the agent asks the person", () => {
    const asks = { turn: { kind: "waiting", waitingFor: "a permission" } } as const;
    assert.equal(report({ ...at(goodFacts, "first"), ...asks }).refused?.gate, "turn-ended");
    assert.equal(report({ ...at(goodFacts, "again"), ...asks }).waiting[0]?.gate, "turn-ended");
  });

  it("does not ask our own pasted line to be an empty box at the last look, but everything else", () => {
    const pasted: Facts = {
      ...at(readyToClear, "last"),
      screen: { ...screen, box: "draft", quietForMs: 1, connected: false },
    };
    const last = lastLookOf(gates);
    assert.ok(isGood(askGates(last, pasted)));
    for (const row of broken) {
      const own = ["prompt-box-empty", "screen-settled", "window-connected", "no-other-reset"].includes(row.gate);
      if (own || row.from === readyToBrief) continue;
      const answer = askGates(last, factsOf(row));
      assert.equal((answer.refused ?? answer.waiting[0])?.gate, row.gate);
    }
  });

  it("does not ask in the fresh conversation what was about the old one", () => {
    const spoke: Facts = {
      ...readyToBrief,
      conversation: { ...conversation, lastHuman: { kind: "unknown" } },
      approvalUsed: true,
    };
    assert.ok(isGood(report(spoke)));
    assert.equal(report({ ...readyToBrief, paused: true }).refused?.gate, "not-paused");
    assert.equal(report({ ...readyToBrief, textsHeld: false }).refused?.gate, "brief-deliverable");
  });

  it("needs no save where the conversation no longer fits, and lets no other error pass", () => {
    const forced: Facts = { ...without(readyToClear), forced: true };
    assert.ok(isGood(report({ ...forced, turn: { kind: "error", overflow: true } })));
    assert.equal(report({ ...forced, turn: { kind: "error", overflow: false } }).refused?.gate, "turn-ended");
    assert.equal(report({ ...forced, turn: { kind: "working" } }).waiting[0]?.gate, "turn-ended");
  });

  it("reads the same second as not after the click", () => {
    const savedAt = (time: number): Facts => ({
      ...readyToClear,
      saved: { ...saved, receipt: { ...receipt, at: time } },
    });
    assert.equal(report(savedAt(90_999)).refused?.gate, "saved-after-click");
    assert.equal(report(savedAt(89_000)).refused?.gate, "saved-after-click");
    assert.ok(isGood(report(savedAt(91_000))));
  });

  it("takes the save's own turn end for no work, before and after it was seen", () => {
    const { answersAtEnd: _end, ...going } = receipt;
    const answered = { conversation: { ...conversation, answers: 9 } };
    assert.ok(isGood(report({ ...readyToClear, ...answered, saved: { ...saved, receipt: going } })));
    assert.equal(report({ ...readyToClear, ...answered }).refused?.gate, "no-work-since");
  });

  it("holds for a person who never wrote: none before, none after", () => {
    const { lastHumanId: _id, ...approval } = readyToClear.approval ?? assert.fail("no approval");
    const { lastHumanId: _human, ...never } = receipt;
    const none: Facts = {
      ...readyToClear,
      approval,
      saved: { ...saved, receipt: never },
      conversation: { ...conversation, lastHuman: { kind: "none" } },
    };
    assert.ok(isGood(report(none)));
    const unknown: Facts = { ...none, conversation: { ...conversation, lastHuman: { kind: "unknown" } } };
    assert.equal(report(unknown).refused?.gate, "last-prompt-known");
  });
});

describe("a check", () => {
  it("asks one by one, none hidden behind another", () => {
    const answers = askAll(gates, { ...readyToClear, mode: "gauge", paused: true, turn: { kind: "working" } });
    assert.deepEqual(
      answers.filter(({ verdict }) => verdict !== "yes").map(({ gate, verdict }) => [gate, verdict]),
      [
        ["mode-allows", "no"],
        ["not-paused", "no"],
        ["turn-ended", "not-yet"],
      ],
    );
  });

  it("shows as not yet what the save will answer", () => {
    const answers = askAll(gates, goodFacts).filter(({ verdict }) => verdict !== "yes");
    assert.ok(answers.every(({ verdict }) => verdict === "not-yet"));
    assert.equal(answers.length, 6);
  });
});

it("tells a prompt that vanished with its transcript from one that came", () => {
  const lost = { ...readyToClear, conversation: { ...conversation, lastHuman: { kind: "none" } as const } };
  assert.match(askGates(gates, lost).refused?.reason ?? "", /no longer in the transcript/);
});
