import assert from "node:assert/strict";
import { medianTurn, noTurns, noteTurn } from "../../../server/core/turnSizes.ts";
import { conversation } from "../gates/goodFacts.ts";

const turnOf = (responseId: string, tokens: number) =>
  ({
    ...conversation,
    reading: { kind: "measured", tokens, responseId, at: 1, estimate: false, suspect: false, sole: false },
  }) as const;
const idle = { kind: "idle" } as const;

describe("the sizes of turns", () => {
  it("are noted once a response, when the turn has ended", () => {
    let turns = noteTurn(noTurns, "a", turnOf("r1", 100), { kind: "working" });
    assert.deepEqual(turns.sizes, []);
    turns = noteTurn(turns, "a", turnOf("r1", 100), idle);
    turns = noteTurn(turns, "a", turnOf("r1", 100), idle);
    turns = noteTurn(turns, "b", turnOf("r1", 200), idle);
    assert.deepEqual(turns.sizes, [100, 200]);
  });

  it("have a median once there are a few", () => {
    let turns = noTurns;
    for (const [at, tokens] of [300, 100, 400].entries()) turns = noteTurn(turns, "a", turnOf(`r${at}`, tokens), idle);
    assert.equal(medianTurn(turns), undefined);
    turns = noteTurn(turns, "a", turnOf("r9", 200), idle);
    assert.equal(medianTurn(turns), 200);
  });

  it("leave estimates and unmeasured conversations out", () => {
    const estimate = { ...conversation, reading: { ...turnOf("r1", 5).reading, estimate: true } };
    assert.equal(noteTurn(noTurns, "a", estimate, idle), noTurns);
    assert.equal(noteTurn(noTurns, "a", undefined, idle), noTurns);
  });
});
