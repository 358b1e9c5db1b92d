import assert from "node:assert/strict";
import { phaseWord, submissionOf } from "../../../server/core/reset/journalled.ts";
import { isBeforeClaim } from "../../../server/core/reset/machine.ts";
import type { Order, Reset } from "../../../server/core/reset/types.ts";
import {
  agentGone,
  approved,
  cancelled,
  claimed,
  cleared,
  closing,
  collected,
  digest,
  end,
  erased,
  judged,
  judgedNo,
  lookedAgain,
  type Make,
  minute,
  observed,
  pressed,
  recovered,
  run,
  shown,
  start,
  tick,
  words,
} from "./events.ts";
import { type SampleName, samples, stateAt } from "./paths.ts";

const openSamples = samples.filter(({ name }) => name !== "none");
const beforeTheClaim = openSamples.filter(({ state }) => isBeforeClaim(state));
const afterTheClaim = openSamples.filter(({ state }) => !isBeforeClaim(state));
const carry = [
  { textId: "x1", digest: digest("1") },
  { textId: "x2", digest: digest("2") },
];
/** The same state of a reset that carries two texts. */
function carrying(state: Reset): Reset {
  if (state.phase === "none") return state;
  const order: Order = { ...state.order, carry };
  return { ...state, order };
}

describe("a person who writes something before the claim", () => {
  const speaks = observed({ humanSpoke: true });
  const refuses = judgedNo("nothing-said-since");
  /** What follows in the steps that hear of it by the next look. */
  const looks: Partial<Readonly<Record<SampleName, readonly Make[]>>> = {
    prepared: [refuses],
    "saving/locking": [claimed(), prepareAnswer, shown(), refuses, erased()],
    "saving/preparing": [prepareAnswer, shown(), refuses, erased()],
    "saving/typing": [shown(), refuses, erased()],
    "saving/last-look": [refuses, erased()],
    "saving/pressing": [pressed(), observed({ evidence: { kind: "confirmed", settled: true } }), speaks],
    "saving/erasing": [erased()],
    "saving/proof": [observed({ evidence: { kind: "confirmed", settled: true } }), speaks],
    "saving/handed": [observed({ evidence: { kind: "other-prompt", working: true } })],
  };
  function prepareAnswer(attempt: number) {
    return {
      kind: "save-prepared",
      at: start,
      attempt,
      result: {
        place: { dir: "/w", statePath: "/w/state.md", code: "ba9876543210" },
        lines: [{ kind: "save", resetId: "0123456789ab" }],
      },
    } as const satisfies ReturnType<Make>;
  }

  for (const { name, state } of beforeTheClaim)
    it(`${name}: voids the reset, and nothing is cleared`, () => {
      const result = run([speaks, ...(looks[name] ?? [])], state);
      const ended = end(result);
      assert.ok(["aborted", "refused", "taken-back"].includes(ended.outcome), ended.outcome);
      assert.equal(ended.cleared, false);
      assert.ok(!words(result).some((word) => word.endsWith(":clear")));
    });

  it("and before the save is cut off at once wherever it is waited", () => {
    for (const name of ["armed", "saving/between", "saving/writing", "saved/reviewing", "saved/waiting"] as const) {
      const ended = end(run([speaks], stateAt(name)));
      assert.deepEqual([ended.outcome, ended.because.gate], ["aborted", "nothing-said-since"]);
    }
  });
});

describe("a compaction by the agent itself", () => {
  const compacts = observed({ compactions: 1 });
  const judgedAfter = judged({ baseline: { compactions: 1 } });

  for (const name of [
    "armed",
    "saving/between",
    "saving/writing",
    "saved/reviewing",
    "saved/looking-again",
    "saved/briefing",
    "saved/waiting",
  ] as const)
    it(`${name}: voids the reset`, () => {
      const ended = end(run([compacts], stateAt(name)));
      assert.equal(ended.outcome, "aborted");
      assert.match(ended.because.reason, /compacted by itself/);
    });

  for (const name of ["armed", "saving/between", "saved/waiting"] as const)
    it(`${name}: voids the reset also where only the gates' own look saw it`, () => {
      const ended = end(run([judgedAfter], stateAt(name)));
      assert.match(ended.because.reason, /compacted by itself/);
    });

  for (const name of ["saving/last-look", "dispatched/last-look"] as const)
    it(`${name}: the line is taken back`, () => {
      const ended = end(run([judgedAfter, erased()], stateAt(name)));
      assert.equal(ended.outcome, "taken-back");
      assert.match(ended.because.reason, /compacted by itself/);
    });
});

describe("a click that calls it off", () => {
  for (const { name, state } of beforeTheClaim)
    it(`${name}: ends it, or takes the line back first; nothing is cleared`, () => {
      const result = run([cancelled], state);
      const step = submissionOf(state)?.step;
      if (step === "typing" || step === "last-look") {
        assert.ok(words(result).every((word) => word === "erase:save"));
      } else if (step === "pressing" || step === "erasing") {
        assert.equal(result.state, state, "it is out already, or on its way back");
      } else assert.equal(end(result).outcome, "aborted");
    });

  for (const { name, state } of afterTheClaim)
    it(`${name}: comes too late, except for what the person is to press`, () => {
      const result = run([cancelled], state);
      if (name === "needs-reconcile") assert.equal(phaseWord(result.state), "none");
      else if (name.endsWith("handed")) assert.match(end(result).because.reason, /may still stand/);
      else assert.equal(result.state, state);
    });
});

describe("an agent that ends", () => {
  const outcomes: Partial<Readonly<Record<SampleName, string>>> = {
    claimed: "aborted",
    "dispatched/handed": "aborted",
    "dispatched/proof": "unconfirmed",
    "resuming/settling": "confirmed",
  };
  for (const { name, state } of openSamples)
    it(`${name}: is told as what it is`, () => {
      const result = run([agentGone], carrying(state));
      if (name === "needs-reconcile") return assert.equal(phaseWord(result.state), "none");
      const isInBox = ["typing", "last-look", "pressing", "erasing"].some((step) => name === `dispatched/${step}`);
      if (isInBox) return assert.equal(phaseWord(result.state), name, "the window refuses the key by itself");
      const ended = end(result);
      const isAfter = state.phase === "confirmed" || state.phase === "resuming";
      assert.equal(ended.outcome, outcomes[name] ?? (isAfter ? "not-briefed" : "aborted"));
      assert.equal(ended.cleared, isAfter);
      return assert.equal(ended.nextConversationId, isAfter ? "new" : undefined);
    });

  it("while our line stands in the box is told by the window, and nothing is pressed", () => {
    const gone = judgedNo("agent-running");
    const result = run([agentGone, gone, erased(false)], stateAt("dispatched/last-look"));
    assert.deepEqual(words(result), ["erase:clear", "end:left-in-box"]);
  });
});

describe("a window that closes", () => {
  for (const { name, state } of beforeTheClaim)
    it(`${name}: ends what is not claimed`, () => {
      assert.equal(end(run([closing], state)).outcome, "aborted");
    });
  for (const { name, state } of afterTheClaim)
    it(`${name}: stays in the journal for whoever takes over`, () => {
      assert.equal(run([closing], state).state, state);
    });
});

describe("texts that were given with the click", () => {
  it("are reported at every end before they are delivered", () => {
    for (const { name, state } of openSamples) {
      if (state.phase === "resuming" || name === "needs-reconcile") continue;
      for (const makes of [[cancelled], [agentGone], [closing], [recovered], [tick(120 * minute)]]) {
        const { effects } = run(makes, carrying(state));
        for (const effect of effects)
          if (effect.kind === "end") assert.deepEqual(effect.undelivered, ["x1", "x2"], name);
      }
    }
  });

  it("are reported where the clear could not be decided", () => {
    const result = run([tick(11_000)], carrying(stateAt("dispatched/proof")));
    assert.deepEqual([end(result).outcome, end(result).undelivered], ["no-effect", ["x1", "x2"]]);
  });
});

describe("a worker that died", () => {
  /** Whatever comes after it, said by every part of the machine that could press something. */
  const anything: readonly Make[] = [
    tick(1),
    observed({ turn: "idle" }),
    judged(),
    claimed(),
    shown(),
    judged(),
    pressed(),
    tick(4000),
    lookedAgain(true),
    judged(),
    pressed(),
    tick(20_000),
    tick(120 * minute),
  ];

  for (const { name, state } of openSamples)
    it(`${name}: never leads to another key for the clear`, () => {
      const result = run([recovered, ...anything], state);
      assert.ok(!words(result).some((word) => /^(type|press|hand-over):(clear|save|receipt)$/.test(word)));
    });

  const aborted = [
    "prepared",
    "armed",
    "saving/locking",
    "saving/preparing",
    "saving/between",
    "saving/writing",
  ] as const;
  const saved = ["saved/reviewing", "saved/looking-again", "saved/briefing", "saved/waiting", "claimed"] as const;
  for (const name of [...aborted, "saving/proof", ...saved] as const)
    it(`${name}: is aborted, because nothing was typed for the clear`, () => {
      assert.equal(end(run([recovered], stateAt(name))).outcome, "aborted");
    });

  for (const step of ["typing", "last-look", "pressing", "erasing", "handed"] as const)
    it(`saving/${step}: says that the line may still stand in the box`, () => {
      assert.equal(end(run([recovered], stateAt(`saving/${step}`))).outcome, "left-in-box");
    });

  for (const step of ["typing", "last-look", "pressing", "erasing", "proof"] as const)
    it(`dispatched/${step}: looks on disk first, and only an undecided result is left to the person`, () => {
      const { state, effects } = run([recovered], stateAt(`dispatched/${step}`));
      assert.deepEqual([phaseWord(state), effects], ["dispatched/proof", []]);
      assert.equal(phaseWord(run([cleared], state).state), "confirmed");
      const undecided = run([tick(5000), tick(10_001)], state);
      assert.deepEqual([phaseWord(undecided.state), words(undecided)], ["needs-reconcile", ["end:no-effect"]]);
    });

  for (const name of ["dispatched/handed", "resuming/handed", "needs-reconcile"] as const)
    it(`${name}: goes on as it was`, () => {
      const { state } = samples.find((sample) => sample.name === name) ?? assert.fail(name);
      assert.equal(run([recovered], state).state, state);
    });

  it("after the clear is finished by the one that takes over", () => {
    const again = run([recovered], stateAt("confirmed"));
    assert.deepEqual(words(again), ["collect"]);
    const told = run([collected(), observed({ turn: "idle" }), judged()], again.state);
    assert.deepEqual(words(told), ["judge:brief/again", "type:brief"]);
    const waits = run([recovered, tick(1)], run([tick(0)], stateAt("resuming/waiting")).state);
    assert.deepEqual(words(waits), ["judge:brief/again"], "the question that was open is asked anew");
    assert.equal(phaseWord(run([recovered], stateAt("resuming/settling")).state), "resuming/settling");
  });

  for (const step of ["typing", "last-look", "pressing", "erasing", "proof"] as const)
    it(`resuming/${step}: looks on disk whether it was said, and says it no second time`, () => {
      const { state } = run([recovered], carrying(stateAt(`resuming/${step}`)));
      const proof = observed({ evidence: { kind: "confirmed", settled: true } });
      assert.equal(phaseWord(run([proof], state).state), "resuming/settling");
      assert.equal(end(run([tick(10_001)], state)).outcome, "not-briefed");
    });

  it("does not bring back a click that was used: the next one is a new order", () => {
    const { state } = run([recovered, approved({ approvalId: "a2" })], stateAt("claimed"));
    assert.ok(state.phase === "prepared" && state.order.approvalId === "a2");
  });
});
