import assert from "node:assert/strict";
import { digestOf } from "../../../server/core/digest.ts";
import { agentOf, processOf } from "../../../server/core/instance.ts";
import { digestOfLine, isPoll, mustWait, phaseWord, submittedOf } from "../../../server/core/reset/journalled.ts";
import { noReset, reduce } from "../../../server/core/reset/machine.ts";
import { resetView } from "../../../server/core/reset/view.ts";
import type { LineRef } from "../../../server/protocol/lines.ts";
import { ResetEvent } from "../../../server/protocol/steps.ts";
import {
  collected,
  digest,
  handed,
  judged,
  judgedNotYet,
  type Make,
  observed,
  pressed,
  run,
  shown,
  start,
  tick,
} from "./events.ts";
import { events } from "./everyEvent.ts";
import { type SampleName, samples, stateAt, toResuming, toSaved } from "./paths.ts";

const seen = (name: SampleName) => resetView(stateAt(name));

describe("what people see of a reset", () => {
  it("is nothing where none is open", () => assert.equal(seen("none"), undefined));

  it("can be cancelled until the claim, while the person is to press, and where nothing could be decided", () => {
    const cancellable = samples.filter(({ state }) => resetView(state)?.cancellable).map(({ name }) => name);
    const before = samples.map(({ name }) => name).filter((name) => /^(prepared|armed|saving|saved)/.test(name));
    assert.deepEqual(cancellable, [...before, "dispatched/handed", "resuming/handed", "needs-reconcile"]);
  });

  it("that can be cancelled does something when it is, except in the moment a key goes out", () => {
    for (const { name, state } of samples) {
      if (!resetView(state)?.cancellable || name === "saving/pressing" || name === "saving/erasing") continue;
      assert.notEqual(reduce(state, { kind: "cancelled", at: start }).state, state, name);
    }
  });

  it("says what it is doing", () => {
    const steps = Object.fromEntries(samples.map(({ name, state }) => [name, resetView(state)?.step]));
    assert.equal(steps["saving/typing"], "typing");
    assert.equal(steps["saving/proof"], "pressed");
    assert.equal(steps["saving/handed"], "handed");
    assert.equal(steps["saving/between"], "typing");
    assert.equal(steps["saving/writing"], "writing");
    assert.equal(steps["saved/reviewing"], "reviewing");
    assert.equal(steps["saved/waiting"], "turn-ending");
    assert.equal(steps["dispatched/proof"], "pressed");
    assert.equal(steps["dispatched/handed"], "handed");
    assert.equal(steps["resuming/handed"], "handed");
    const asks = run([observed({ turn: "waiting" })], stateAt("saving/writing")).state;
    assert.equal(resetView(asks)?.step, "permission");
    const words = run([...toResuming({ carry: [{ textId: "x1", digest: digest("1") }] })]).state;
    assert.equal(resetView(words)?.step, undefined, "the brief comes first");
    const told = run([tick(0), judged(), shown(), judged(), pressed(), events["saw it confirmed"]], words).state;
    assert.equal(resetView(told)?.step, "carrying");
  });

  it("says what it waits for, and what was saved", () => {
    assert.match(seen("armed")?.waitsFor ?? "", /turn-ended/);
    assert.match(seen("saved/waiting")?.waitsFor ?? "", /turn-ended/);
    for (const name of ["saved/reviewing", "saved/waiting", "claimed", "dispatched/proof", "resuming/waiting"] as const)
      assert.equal(seen(name)?.savedBytes, 4200, name);
    assert.equal(seen("saving/writing")?.savedBytes, undefined);
  });
});

describe("the journal", () => {
  it("keeps no step that only asks again", () => {
    for (const name of ["armed", "saving/between", "saved/waiting", "resuming/waiting"] as const) {
      const state = stateAt(name);
      const asked = run([tick(1)], state).state;
      assert.ok(asked !== state && isPoll(state, asked), name);
      assert.ok(isPoll(asked, run([judgedNotYet("nothing-pending")], asked).state), name);
      assert.ok(!isPoll(asked, run([judged()], asked).state), name);
    }
  });

  it("keeps the step that saw the turn's end, and the one that sent an Escape", () => {
    const waiting = stateAt("saved/waiting");
    assert.ok(!isPoll(waiting, run([observed({ turn: "idle" })], waiting).state));
    const mayEscape = run([...toSaved({ mayEscape: true }), events["brief written"], judgedNotYet()]).state;
    const escaped = run([tick(60_001)], mayEscape).state;
    assert.ok(!isPoll(mayEscape, escaped));
    assert.deepEqual(submittedOf("claude", mayEscape, escaped), [{ kind: "escape", at: start + 60_001 }]);
    assert.deepEqual(submittedOf("claude", escaped, run([tick(60_002)], escaped).state), []);
  });

  it("can hold every event", () => {
    for (const make of Object.values(events)) assert.ok(ResetEvent.safeParse(make(1)).success, JSON.stringify(make(1)));
  });

  it("waits for the disk at every step but between the look and Enter", () => {
    const waits = samples.filter(({ state }) => mustWait(state)).map(({ name }) => name);
    assert.deepEqual(
      waits,
      samples.map(({ name }) => name).filter((name) => /last-look|pressing/.test(name)),
    );
    assert.equal(mustWait(noReset), false);
  });

  it("knows its own lines from the moment their Enter went out", () => {
    const submitted = (name: SampleName, make: Make) => {
      const state = stateAt(name);
      return submittedOf("claude", state, run([make], state).state);
    };
    assert.deepEqual(submitted("dispatched/pressing", pressed()), [
      { kind: "command", at: start, name: "clear", digest: digestOf("/clear") },
    ]);
    const [save] = submitted("saving/pressing", pressed());
    assert.equal(save?.kind, "text");
    assert.deepEqual(submitted("dispatched/typing", shown()), []);
    const pasting = run([...toSaved(), events["brief written"], events["judged blind"], events["claim won"]]).state;
    const pasted = run([handed()], pasting).state;
    assert.equal(phaseWord(pasted), "dispatched/handed");
    assert.equal(submittedOf("claude", pasting, pasted)[0]?.kind, "command");
    assert.deepEqual(submittedOf("claude", pasted, run([handed()], pasted).state), []);
  });

  it("holds a person's words by their digest only", () => {
    const lines: readonly LineRef[] = [
      { kind: "held", textId: "x1", digest: digest("1") },
      { kind: "carried", recordId: "r1", digest: digest("2") },
    ];
    assert.deepEqual(
      lines.map((line) => digestOfLine("claude", line)),
      [digest("1"), digest("2")],
    );
    assert.notEqual(digestOfLine("claude", { kind: "compact", sentence: "default" }), digestOf("/compact"));
    assert.equal(digestOfLine("codex", { kind: "compact", sentence: "default" }), digestOf("/compact"));
    const carried = collected({ carried: [{ recordId: "r1", digest: digest("2") }] })(1);
    assert.ok(!JSON.stringify(carried).includes("text"));
  });
});

describe("an instance's id", () => {
  it("names agent and process", () => {
    assert.equal(agentOf("codex-7-1"), "codex");
    assert.equal(agentOf("claude-7-1"), "claude");
    assert.deepEqual(processOf("claude-4711-228236"), { pid: 4711, birth: "228236" });
  });
});
