import assert from "node:assert/strict";
import { phaseWord } from "../../../server/core/reset/journalled.ts";
import {
  digest,
  end,
  good,
  looked,
  minute,
  observed,
  prepared,
  reviewed,
  run,
  stepWord,
  tick,
  words,
} from "./events.ts";
import { toPreparing, toSaved } from "./paths.ts";

describe("review first", () => {
  const reviewing = toSaved({ review: true });

  it("waits for the person after it was saved, and clears nothing meanwhile", () => {
    const { state } = run(reviewing);
    assert.equal(phaseWord(state), "saved/reviewing");
    assert.deepEqual(words(run([tick(1000), tick(29 * minute), observed({ turn: "idle" })], state)), []);
  });

  it("takes what the person changed, after two equal looks", () => {
    const edited = { ...good, digest: digest("e"), size: 4300 };
    const result = run([...reviewing, reviewed, tick(0), looked(edited, 10_000), tick(1), looked(edited, 12_000)]);
    assert.equal(phaseWord(result.state), "saved/briefing");
    const brief = result.effects.find((effect) => effect.kind === "write-brief");
    assert.equal(brief?.saved.receipt?.digest, digest("e"));
    assert.equal(brief?.saved.receipt?.size, 4300);
    assert.equal(brief?.saved.receipt?.transcriptBytes, 9000, "the position stays that of the save");
  });

  it("refuses what is no saved state any more", () => {
    for (const look of [
      { kind: "missing" },
      { kind: "wrong-code", size: 4200, digest: digest("c") },
      { kind: "too-small", size: 10, digest: digest("c") },
      { kind: "link" },
    ] as const) {
      const ended = end(run([...reviewing, reviewed, looked(look, 10_000)]));
      assert.deepEqual([ended.outcome, ended.because.gate, ended.cleared], ["refused", "saved-well", false]);
    }
  });

  it("is given up after half an hour, before the look or while it keeps changing", () => {
    assert.equal(end(run([...reviewing, tick(30 * minute + 1)])).outcome, "aborted");
    assert.equal(end(run([...reviewing, reviewed, looked(good, 9000), tick(30 * minute + 1)])).outcome, "aborted");
  });

  it("has nothing to show where nothing could be saved", () => {
    assert.equal(
      stepWord(run([...toPreparing({ review: true, origin: "forced" }), prepared([])])).split(" ")[0],
      "saved/briefing",
    );
  });
});
