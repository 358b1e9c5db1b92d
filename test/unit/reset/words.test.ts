import assert from "node:assert/strict";
import { agentOf, processOf } from "../../../server/core/instance.ts";
import { noReset, reduce } from "../../../server/core/reset/machine.ts";
import { resetView } from "../../../server/core/reset/view.ts";
import { TypeRefusal } from "../../../server/protocol/terminals.ts";
import { approved, claimAnswered, judged, refusing, tick, untilPressed, waiting } from "./events.ts";

describe("a refusal of the window", () => {
  const typing = [approved(), judged(1), claimAnswered(1)];
  for (const reason of TypeRefusal.options)
    it(`${reason} is told with a reason and a remedy of its own`, () => {
      let state = noReset;
      for (const event of typing) state = reduce(state, event).state;
      const refused = { outcome: "refused" as const, reason, wrote: true, erased: true };
      const [end] = reduce(state, { kind: "typed", at: 1300, attempt: 1, result: refused }).effects;
      assert.ok(end?.kind === "end" && end.outcome === "taken-back");
      assert.ok(end.because.reason.length > 10 && end.because.remedy.length > 5 && end.because.gate !== undefined);
    });
});

describe("a second Enter that the window refuses", () => {
  it("leaves the evidence of the first to come, and takes back nothing that ran", () => {
    const looked = { kind: "looked" as const, at: 4500, attempt: 3, shown: true, sequence: 9 };
    let state = noReset;
    for (const event of [...untilPressed, tick(4401), looked, judged(4)]) state = reduce(state, event).state;
    const changed = { outcome: "refused" as const, reason: "changed" as const };
    const after = reduce(state, { kind: "pressed", at: 4700, attempt: 4, result: changed }).state;
    assert.equal(after.phase, "confirming");

    let judgedNo = noReset;
    for (const event of [...untilPressed, tick(4401), looked, judged(4, { report: refusing("turn-ended") })])
      judgedNo = reduce(judgedNo, event).state;
    const kept = reduce(judgedNo, { kind: "erased", at: 5000, attempt: 4, erased: false }).state;
    assert.equal(kept.phase, "confirming");
  });
});

describe("what people see of a reset", () => {
  it("can be cancelled until the claim, and says what it waits for", () => {
    let state = noReset;
    assert.equal(resetView(state), undefined);
    const seen = untilPressed.map((event) => {
      state = reduce(state, event).state;
      const { phase, cancellable } = resetView(state) ?? {};
      return `${phase} ${cancellable}`;
    });
    assert.deepEqual(seen, [
      "prepared true",
      "claimed false",
      "dispatched false",
      "dispatched false",
      "dispatched false",
      "confirming false",
    ]);
    const armed = reduce(reduce(noReset, approved()).state, judged(1, { report: waiting("turn-ended") })).state;
    assert.match(resetView(armed)?.waitsFor ?? "", /turn-ended/);
    const handed = reduce(
      reduce(noReset, approved()).state,
      judged(1, { report: refusing("prompt-box-visible"), assisted: true }),
    ).state;
    assert.equal(resetView(handed)?.cancellable, true);
    assert.equal(resetView(reduce(state, { kind: "recovered", at: 1 }).state)?.phase, "needs-reconcile");
  });
});

describe("an instance's id", () => {
  it("names agent and process", () => {
    assert.equal(agentOf("codex-7-1"), "codex");
    assert.equal(agentOf("claude-7-1"), "claude");
    assert.deepEqual(processOf("claude-4711-228236"), { pid: 4711, birth: "228236" });
  });
});
