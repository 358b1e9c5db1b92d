import assert from "node:assert/strict";
import fc from "fast-check";
import {
  type BirthEvidence,
  bindClaude,
  bindCodex,
  type ClaudeEvidence,
  type CodexEvidence,
  type HeldThread,
  type Verdict,
  withoutRivals,
  withPick,
} from "../../../server/core/binding.ts";

const a = "01a22e4e-3a52-7e30-8225-3e6120000001";
const b = "01a22e4e-3a52-7e30-8225-3e6130000002";
const c = "01a22e88-b46c-75f3-a8ee-22dc60000003";
const titleOf = (id: string) => id.slice(0, 29);

const claude = (over: Partial<ClaudeEvidence> = {}): ClaudeEvidence => ({
  foreignNamespace: false,
  pid: 77,
  birth: "500",
  record: { pid: 77, birth: "500", conversationId: a },
  rivals: 0,
  ...over,
});
const held = (conversationId: string, bornAt: number, over: Partial<HeldThread> = {}): HeldThread => ({
  conversationId,
  bornAt,
  subagent: false,
  ...over,
});
const codex = (over: Partial<CodexEvidence> = {}): CodexEvidence => ({
  foreignNamespace: false,
  held: [],
  titled: [],
  ...over,
});
const births = (over: Partial<BirthEvidence> = {}): BirthEvidence => ({
  since: 10_000,
  windowMs: 8000,
  startWindowMs: 8000,
  now: 60_000,
  mustBeAlone: false,
  locks: [{ conversationId: a, bornAt: 10_400 }],
  otherStarts: [],
  ...over,
});
const grades = (table: Record<string, [Verdict, string]>) => {
  for (const [name, [verdict, expected]] of Object.entries(table)) {
    it(name, () =>
      assert.equal(`${verdict.grade} ${verdict.conversationId ?? verdict.candidates.join("+")}`.trim(), expected),
    );
  }
};

describe("binding a Claude process", () => {
  const record = { pid: 77, birth: "500", conversationId: a };
  grades({
    "by its own record": [bindClaude(claude()), `process ${a}`],
    "not while it has no record": [bindClaude({ foreignNamespace: false, pid: 77, birth: "500", rivals: 0 }), "none"],
    "not by a record that a dead process of the same number left": [
      bindClaude(claude({ record: { ...record, birth: "499" } })),
      "none",
    ],
    "not by a record without birth": [bindClaude(claude({ record: { pid: 77, conversationId: a } })), "none"],
    "not by another's record": [bindClaude(claude({ record: { ...record, pid: 78 } })), "none"],
    "not across a pid namespace": [bindClaude(claude({ foreignNamespace: true })), "none"],
    "doubtful when two processes write one conversation": [bindClaude(claude({ rivals: 1 })), `ambiguous ${a}`],
  });
});

describe("binding a Codex process by the locks it holds", () => {
  const bind = (threads: readonly HeldThread[], over: Partial<CodexEvidence> = {}) =>
    bindCodex(codex({ held: threads, ...over }));
  grades({
    "the only one": [bind([held(a, 100)]), `process ${a}`],
    "the newest after a clear": [bind([held(a, 100), held(b, 90_000)]), `process ${b}`],
    "the newest, though the old one was flushed just after its birth": [
      bind([held(a, 100, { writtenAt: 91_000 }), held(b, 90_000)]),
      `process ${b}`,
    ],
    "doubtful when an older one went on being written": [
      bind([held(a, 100, { writtenAt: 95_000 }), held(b, 90_000)]),
      `ambiguous ${b}+${a}`,
    ],
    "doubtful when two were born at once": [bind([held(a, 100), held(b, 100)]), `ambiguous ${a}+${b}`],
    "never a sub-agent's": [bind([held(a, 100), held(b, 90_000, { subagent: true })]), `process ${a}`],
    "the one in the title": [bind([held(a, 100), held(b, 90_000)], { titleId: titleOf(a) }), `process ${a}`],
    "doubtful when the title names none of them": [bind([held(a, 100)], { titleId: titleOf(c) }), `ambiguous ${a}`],
    "not across a pid namespace": [bind([held(a, 100)], { foreignNamespace: true }), "none"],
  });
});

describe("binding a Codex process by its title", () => {
  const titled = (conversationId: string, elsewhere = false) => ({ conversationId, elsewhere });
  grades({
    "exactly one conversation begins so": [
      bindCodex(codex({ titleId: titleOf(a), titled: [titled(a)], births: births({ locks: [] }) })),
      `title ${a}`,
    ],
    "not when none does, whatever was born": [bindCodex(codex({ titleId: titleOf(c), births: births() })), "none"],
    "doubtful when two do": [
      bindCodex(codex({ titleId: titleOf(a), titled: [titled(a), titled(titleOf(a).concat("0000009"))] })),
      `ambiguous ${a}+${titleOf(a)}0000009`,
    ],
    "doubtful when it lives in another folder": [
      bindCodex(codex({ titleId: titleOf(a), titled: [titled(a, true)] })),
      `ambiguous ${a}`,
    ],
    "not by a title that is cut too short": [
      bindCodex(codex({ titleId: a.slice(0, 20), titled: [titled(a)] })),
      "none",
    ],
  });
});

describe("binding a Codex process by birth", () => {
  const bind = (over: Partial<BirthEvidence>) => bindCodex(codex({ births: births(over) }));
  grades({
    "the only lock born with it": [bind({}), `birth ${a}`],
    "not before its window is over": [bind({ now: 17_000 }), `none ${a}`],
    "not while nothing was born, even if the others could not be listed": [
      bind({ locks: [], otherStarts: "unknown" }),
      "none",
    ],
    "not a lock from before": [bind({ locks: [{ conversationId: a, bornAt: 9000 }] }), "none"],
    "doubtful when the lock came too late": [
      bind({ locks: [{ conversationId: a, bornAt: 30_000 }] }),
      `ambiguous ${a}`,
    ],
    "doubtful when two were born": [
      bind({
        locks: [
          { conversationId: a, bornAt: 10_400 },
          { conversationId: b, bornAt: 10_800 },
        ],
      }),
      `ambiguous ${a}+${b}`,
    ],
    "doubtful when another agent started then": [bind({ otherStarts: [12_000] }), `ambiguous ${a}`],
    "doubtful when the person pressed Enter and any other agent is there": [
      bind({ mustBeAlone: true, otherStarts: [90] }),
      `ambiguous ${a}`,
    ],
    "named when the person pressed Enter and no other agent is there": [bind({ mustBeAlone: true }), `birth ${a}`],
    "doubtful when the others could not be listed": [bind({ otherStarts: "unknown" }), `ambiguous ${a}`],
    "still, when a later lock is that of a later start": [
      bind({
        locks: [
          { conversationId: a, bornAt: 10_400 },
          { conversationId: b, bornAt: 40_500 },
        ],
        otherStarts: [40_000],
      }),
      `birth ${a}`,
    ],
    "doubtful when a later lock is nobody's": [
      bind({
        locks: [
          { conversationId: a, bornAt: 10_400 },
          { conversationId: b, bornAt: 40_500 },
        ],
      }),
      `ambiguous ${a}+${b}`,
    ],
    "doubtful when one later start would have to explain two": [
      bind({
        locks: [10_400, 40_500, 41_000].map((bornAt, at) => ({ conversationId: [a, b, c][at] ?? "", bornAt })),
        otherStarts: [40_000],
      }),
      `ambiguous ${a}+${c}`,
    ],
  });
});

describe("a person's pick", () => {
  const doubt: Verdict = { grade: "ambiguous", candidates: [a, b] };
  grades({
    "counts where nothing is named": [withPick({ grade: "none", candidates: [] }, a), `picked ${a}`],
    "decides between candidates": [withPick(doubt, b), `picked ${b}`],
    "does not overrule evidence": [
      withPick({ grade: "process", conversationId: a, candidates: [] }, b),
      `process ${a}`,
    ],
    "takes the one candidate that was not proven": [
      withPick({ grade: "ambiguous", candidates: [a] }, a),
      `picked ${a}`,
    ],
    "does not overrule two processes on one conversation": [
      withPick(bindClaude(claude({ rivals: 1 })), a),
      `ambiguous ${a}`,
    ],
    "changes nothing when there is none": [withPick(doubt, undefined), `ambiguous ${a}+${b}`],
  });
});

describe("every binding", () => {
  const id = fc.constantFrom(a, b, c);
  const time = fc.integer({ min: 0, max: 100_000 });
  const thread = fc.record({ conversationId: id, bornAt: time, subagent: fc.boolean() });
  const lock = fc.record({ conversationId: id, bornAt: time });
  const evidence: fc.Arbitrary<CodexEvidence> = fc.record(
    {
      foreignNamespace: fc.boolean(),
      held: fc.oneof(fc.constant("unknown" as const), fc.uniqueArray(thread, { selector: (t) => t.conversationId })),
      titled: fc.uniqueArray(fc.record({ conversationId: id, elsewhere: fc.boolean() }), {
        selector: (t) => t.conversationId,
      }),
      titleId: id.map(titleOf),
      births: fc.record({
        since: time,
        windowMs: fc.constantFrom(1500, 8000),
        mustBeAlone: fc.boolean(),
        startWindowMs: fc.constant(8000),
        now: time,
        locks: fc.uniqueArray(lock, { selector: (l) => l.conversationId }),
        otherStarts: fc.oneof(fc.constant("unknown" as const), fc.array(time)),
      }),
    },
    { requiredKeys: ["foreignNamespace", "held", "titled"] },
  );

  it("names a conversation exactly when its grade says so, and only one that the evidence holds", () => {
    fc.assert(
      fc.property(evidence, (given) => {
        const { grade, conversationId } = bindCodex(given);
        assert.equal(conversationId === undefined, grade === "none" || grade === "ambiguous");
        const threads = given.held === "unknown" ? [] : given.held;
        const all = [...threads, ...given.titled, ...(given.births?.locks ?? [])].map((one) => one.conversationId);
        assert.ok(conversationId === undefined || all.includes(conversationId));
      }),
    );
  });

  it("is never made by birth while another agent of the home started close to it", () => {
    fc.assert(
      fc.property(evidence, fc.integer({ min: -8000, max: 8000 }), (given, apart) => {
        if (given.births === undefined) return;
        const { since, otherStarts } = given.births;
        const starts = otherStarts === "unknown" ? [] : otherStarts;
        const crowded = { ...given.births, otherStarts: [...starts, since + apart] };
        assert.notEqual(bindCodex({ ...given, births: crowded }).grade, "birth");
      }),
    );
  });

  it("belongs to one process only", () => {
    const verdict = fc.oneof(
      id.map((conversationId): Verdict => ({ grade: "process", conversationId, candidates: [] })),
      fc.constant<Verdict>({ grade: "none", candidates: [] }),
    );
    fc.assert(
      fc.property(fc.array(verdict), (verdicts) => {
        const named = withoutRivals(verdicts).flatMap((one) => one.conversationId ?? []);
        assert.equal(new Set(named).size, named.length);
        assert.equal(withoutRivals(verdicts).length, verdicts.length);
      }),
    );
  });
});
