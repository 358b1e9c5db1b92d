import assert from "node:assert/strict";
import { phaseWord } from "../../../server/core/reset/journalled.ts";
import type { LineRef } from "../../../server/protocol/lines.ts";
import {
  approved,
  claimed,
  compactOrder,
  digest,
  end,
  good,
  judged,
  judgedNotYet,
  looked,
  type Make,
  minute,
  observed,
  order,
  place,
  pressed,
  run,
  shown,
  start,
  stepWord,
  tick,
  undoOrder,
  words,
} from "./events.ts";
import {
  compactPressed,
  full,
  line,
  savedWell,
  toBriefing,
  toCleared,
  toClearing,
  toPressed,
  toSaved,
  toSaving,
  toSettling,
  toWaiting,
  toWriting,
} from "./paths.ts";

/** Where each event of a path leads. */
const way = (makes: readonly Make[]) => makes.map((_, index) => phaseWord(run(makes.slice(0, index + 1)).state));
const lineOf = (makes: readonly Make[], kind: "type" | "hand-over" = "type"): readonly LineRef[] =>
  run(makes).effects.flatMap((effect) => (effect.kind === kind ? [effect.line] : []));

describe("save, clear, brief", () => {
  it("goes through every phase in order", () => {
    assert.deepEqual(way(full()), [
      "prepared",
      "saving/locking",
      "saving/preparing",
      "saving/typing",
      "saving/last-look",
      "saving/pressing",
      "saving/proof",
      "saving/writing",
      "saving/writing",
      "saved/briefing",
      "saved/waiting",
      "claimed",
      "dispatched/typing",
      "dispatched/last-look",
      "dispatched/pressing",
      "dispatched/proof",
      "confirmed",
      "resuming/waiting",
      "resuming/waiting",
      "resuming/typing",
      "resuming/last-look",
      "resuming/pressing",
      "resuming/proof",
      "resuming/settling",
      "none",
    ]);
  });

  it("does one thing after the other: lock, save, brief, claim, clear, brief", () => {
    assert.deepEqual(words(run(full())), [
      "judge:save/first",
      "claim",
      "prepare-save",
      "type:save",
      "judge:save/last",
      "press:save",
      "write-brief",
      "judge:act/again",
      "claim",
      "type:clear",
      "judge:act/last",
      "press:clear",
      "collect",
      "judge:brief/again",
      "type:brief",
      "judge:brief/last",
      "press:brief",
      "end:confirmed",
    ]);
  });

  it("says at its end what was, what is, and where it was saved", () => {
    const { outcome, cleared: isCleared, beforeTokens, afterTokens, saved, ...ended } = end(run(full()));
    assert.deepEqual(
      { outcome, isCleared, beforeTokens, afterTokens },
      { outcome: "confirmed", isCleared: true, beforeTokens: 287_000, afterTokens: 21_000 },
    );
    assert.equal(ended.nextConversationId, "new");
    assert.deepEqual([ended.undelivered, ended.lost], [[], 0]);
    assert.equal(saved?.receipt?.digest, digest("a"));
    assert.equal(saved?.place.statePath, place.statePath);
  });

  it("keeps in the receipt where in the transcript it saved, as of the first look that saw this content", () => {
    const at = start + 30_000;
    const { effects } = run([
      ...toWriting(),
      looked(good, 0, { toolCalls: 4 }),
      looked(good, 2000, { at, toolCalls: 5, answers: 9 }),
    ]);
    const brief = effects.find((effect) => effect.kind === "write-brief");
    assert.deepEqual(brief?.saved.receipt, {
      digest: digest("a"),
      size: 4200,
      at,
      instanceId: order.instanceId,
      conversationId: "old",
      transcriptBytes: 9000,
      toolCalls: 4,
      lastHumanId: "h1",
    });
  });

  it("notes how many answers there were when the save's own turn had ended, before or after it was found good", () => {
    const answersAtEnd = (makes: readonly Make[]) => {
      const { state } = run(makes);
      return state.phase === "saved" ? state.saved.receipt?.answersAtEnd : "not saved";
    };
    assert.equal(answersAtEnd(toSaved()), undefined);
    assert.equal(answersAtEnd([...toSaved(), observed({ turn: "idle", answers: 8 })]), 8);
    assert.equal(answersAtEnd([...toWriting(), observed({ turn: "idle" }), ...savedWell]), 7);
    assert.equal(
      answersAtEnd([...toSaved(), observed({ turn: "idle", answers: 8 }), observed({ turn: "idle", answers: 9 })]),
      8,
      "what comes after it is work",
    );
  });

  it("ends without the figure when none comes within a minute", () => {
    assert.deepEqual(words(run([tick(minute)], run(toSettling()).state)), []);
    const ended = end(run([...toSettling(), tick(minute + 1)]));
    assert.deepEqual([ended.outcome, ended.afterTokens], ["confirmed", undefined]);
  });
});

describe("a click while the agent works", () => {
  it("arms the reset, which asks again at every sign and goes on at the turn's end", () => {
    assert.deepEqual(way([approved(), judgedNotYet(), tick(1000), judgedNotYet(), observed(), judged()]), [
      "prepared",
      "armed",
      "armed",
      "armed",
      "armed",
      "saving/locking",
    ]);
  });

  it("asks one question at a time", () => {
    const armed = run([approved(), judgedNotYet(), tick(1000)]);
    assert.deepEqual(words(run([tick(2000), observed()], armed.state)), []);
  });

  it("waits an hour from the click on, however often it asks", () => {
    const asked = [approved(), judgedNotYet(), tick(30 * minute), judgedNotYet()];
    assert.deepEqual(words(run([tick(60 * minute)], run(asked).state)), ["judge:save/again"]);
    assert.equal(end(run([...asked, tick(60 * minute + 1)])).outcome, "aborted");
  });

  it("asks for the act itself where nothing is saved before", () => {
    assert.deepEqual(words(run([approved(compactOrder), judgedNotYet(), tick(1)])), [
      "judge:act/first",
      "judge:act/again",
    ]);
  });
});

describe("a second click", () => {
  it("changes nothing while a reset is open", () => {
    for (const path of [toSaving(), toWaiting(), toPressed(), toBriefing()]) {
      const { state } = run(path);
      assert.equal(run([approved({ approvalId: "a2" })], state).state, state);
    }
  });
});

describe("the save alone", () => {
  it("ends when it is saved, and clears nothing", () => {
    const result = run(toSaved({ goal: "save" }));
    const ended = end(result);
    assert.deepEqual([ended.outcome, ended.cleared, ended.saved?.receipt?.size], ["confirmed", false, 4200]);
    assert.ok(!words(result).some((word) => word.includes("clear") || word === "write-brief"));
  });

  it("is no success where the conversation stopped fitting", () => {
    for (const goal of ["save", "compact"] as const) {
      const ended = end(run([...toWriting({ goal }), observed({ turn: "overflow" })]));
      assert.deepEqual([ended.outcome, ended.saved], ["error", undefined]);
    }
  });
});

describe("a compaction", () => {
  it("types one line, and tells the sizes before and after", () => {
    const result = run([
      ...compactPressed,
      observed({ evidence: { kind: "working" } }),
      observed({ evidence: { kind: "confirmed", settled: false } }),
      observed({ evidence: { kind: "confirmed", settled: true, afterTokens: 19_000 } }),
    ]);
    assert.deepEqual(words(result), [
      "judge:act/first",
      "claim",
      "type:compact",
      "judge:act/last",
      "press:compact",
      "end:confirmed",
    ]);
    const { beforeTokens, afterTokens, cleared: isCleared } = end(result);
    assert.deepEqual([beforeTokens, afterTokens, isCleared], [287_000, 19_000, false]);
  });

  it("saves first where the workflow says so, and needs no brief", () => {
    const saved = toSaved({ ...compactOrder, savesFirst: true, workflow: "snapshot" });
    assert.equal(stepWord(run([...saved, judged(), claimed()])).split(" ")[0], "dispatched/typing");
    assert.deepEqual(words(run([...saved, judged(), claimed()])).slice(-4), [
      "press:save",
      "judge:act/again",
      "claim",
      "type:compact",
    ]);
    assert.ok(!words(run(saved)).includes("write-brief"));
  });

  it("takes the workflow's own sentence", () => {
    const sentence = (workflow: string) => lineOf([approved({ ...compactOrder, workflow }), judged(), claimed()])[0];
    assert.deepEqual(sentence("snapshot"), { kind: "compact", sentence: "snapshot" });
    assert.deepEqual(sentence("state-file"), { kind: "compact", sentence: "default" });
  });
});

describe("the way back", () => {
  it("types the old conversation's id and is confirmed by it", () => {
    const undo = [approved(undoOrder), judged(), claimed()];
    assert.deepEqual(lineOf(undo), [{ kind: "resume", conversationId: "older" }]);
    const ended = end(
      run([...undo, ...line(observed({ evidence: { kind: "confirmed", settled: true, afterTokens: 287_000 } }))]),
    );
    assert.deepEqual([ended.outcome, ended.cleared, ended.afterTokens], ["confirmed", false, 287_000]);
  });
});

describe("Enter", () => {
  it("goes out with the screen's own number and the line that was looked at", () => {
    const press = run([...toClearing(), shown(7), judged()]).effects.at(-1);
    assert.deepEqual(press, {
      kind: "press",
      attempt: run([...toClearing(), shown(7)]).state.attempt,
      line: { kind: "clear" },
      sequence: 7,
    });
    assert.equal(
      phaseWord(run([pressed()], run([...toClearing(), shown(7), judged()]).state).state),
      "dispatched/proof",
    );
    assert.equal(phaseWord(run(toCleared()).state), "confirmed");
  });
});
