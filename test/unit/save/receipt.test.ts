import assert from "node:assert/strict";
import fc from "fast-check";
import { bytesWanted, type LookMemory, lookAgain, problemOf } from "../../../server/core/save/receipt.ts";
import { StateLook } from "../../../server/protocol/save.ts";

const digest = (letter: string) => letter.repeat(64);
const good = (letter = "a", size = 1200): StateLook => ({ kind: "well-formed", size, digest: digest(letter) });

const every: readonly StateLook[] = [
  { kind: "missing" },
  { kind: "link" },
  { kind: "outside" },
  { kind: "not-a-file" },
  { kind: "too-large", size: 2_000_000 },
  { kind: "unreadable", why: "EACCES" },
  { kind: "echo" },
  { kind: "wrong-code", size: 1200, digest: digest("c") },
  { kind: "too-small", size: 300, digest: digest("d") },
  good(),
];

/** Looks one after the other: [look, clock, tool calls]. */
function looked(looks: readonly (readonly [StateLook, number, number?])[]) {
  let memory: LookMemory | undefined;
  let verdict: ReturnType<typeof lookAgain>["verdict"] | undefined;
  for (const [look, clock, toolCalls = 0] of looks)
    ({ looks: memory, verdict } = lookAgain(memory, look, clock, toolCalls));
  return verdict;
}

describe("two looks at a saved state", () => {
  it("never accept the first, however late it comes", () => {
    assert.equal(looked([[good(), 1e9]])?.kind, "not-yet");
    assert.equal(lookAgain({}, good(), 1e9, 0).verdict.kind, "not-yet");
  });

  it("accept the same content two seconds apart, with the tool calls of the first", () => {
    assert.equal(
      looked([
        [good(), 0, 3],
        [good(), 1999, 4],
      ])?.kind,
      "not-yet",
    );
    assert.deepEqual(
      looked([
        [good(), 0, 3],
        [good(), 1999, 4],
        [good(), 2000, 5],
      ]),
      {
        kind: "stable",
        size: 1200,
        digest: digest("a"),
        toolCalls: 3,
      },
    );
  });

  it("begin anew when the content was anything else in between, even if it comes back", () => {
    for (const between of every.filter(({ kind }) => kind !== "well-formed"))
      assert.equal(
        looked([
          [good(), 0],
          [between, 1500],
          [good(), 2500],
        ])?.kind,
        "not-yet",
        between.kind,
      );
    assert.equal(
      looked([
        [good("a"), 0],
        [good("b"), 1500],
        [good("a"), 2500],
      ])?.kind,
      "not-yet",
    );
    assert.equal(
      looked([
        [good("a"), 0],
        [good("b"), 1500, 7],
        [good("b"), 3500],
      ])?.kind,
      "stable",
    );
  });

  it("accept nothing when the clock stands still, runs back or says nothing", () => {
    for (const clock of [0, -5000, Number.NaN])
      assert.equal(
        looked([
          [good(), 0],
          [good(), clock],
        ])?.kind,
        "not-yet",
      );
  });

  it("never wait less than half a second", () => {
    const { looks } = lookAgain(undefined, good(), 0, 0, 0);
    assert.equal(lookAgain(looks, good(), 499, 0, 0).verdict.kind, "not-yet");
    assert.equal(lookAgain(looks, good(), 500, 0, 0).verdict.kind, "stable");
  });

  it("refuse at once what waiting does not make right, and say of everything what it is", () => {
    const refused = every.filter((look) => looked([[look, 0]])?.kind === "refused").map(({ kind }) => kind);
    assert.deepEqual(refused, ["link", "outside", "not-a-file", "too-large"]);
    for (const look of every) {
      const verdict = looked([[look, 0]]);
      assert.ok(verdict !== undefined && verdict.kind !== "stable");
      assert.equal(verdict.problem.token, look.kind === "well-formed" ? "changing" : look.kind);
    }
  });

  it("keep the same memory where nothing was learnt", () => {
    for (const look of every) {
      const first = lookAgain(undefined, look, 0, 0).looks;
      assert.equal(lookAgain(first, { ...look }, 100, 0).looks, first, look.kind);
    }
    const missing = lookAgain(undefined, { kind: "missing" }, 0, 0).looks;
    assert.notEqual(lookAgain(missing, { kind: "echo" }, 1, 0).looks, missing);
  });

  it("are stable only if no other look came between two equal ones far enough apart (property)", () => {
    const look = fc.constantFrom(...every, good("b"));
    fc.assert(
      fc.property(fc.array(fc.tuple(look, fc.integer({ min: 0, max: 3000 })), { minLength: 1 }), (steps) => {
        let clock = 0;
        const timed = steps.map(([what, wait]) => {
          clock += wait;
          return [what, clock] as const;
        });
        const last = timed.at(-1);
        assert.ok(last !== undefined);
        let from = timed.length - 1;
        while (from > 0 && JSON.stringify(timed[from - 1]?.[0]) === JSON.stringify(last[0])) from -= 1;
        const isStable = last[0].kind === "well-formed" && last[1] - (timed[from]?.[1] ?? 0) >= 2000;
        assert.equal(looked(timed)?.kind === "stable", isStable);
      }),
    );
  });

  it("can all be journalled", () => {
    for (const look of every) assert.deepEqual(StateLook.parse(look), look);
  });

  it("speak people's words: a reason and a remedy, none of the words of the code", () => {
    for (const look of every) {
      const { reason, remedy } = problemOf(look);
      assert.match(reason, /^[a-z].*[^.]$/);
      assert.match(remedy, /^[A-Z].*\.$/);
      assert.doesNotMatch(`${reason} ${remedy}`, /\b(arm|breach|receipt|nonce|claim|composer|unenforced|re-orient)/i);
    }
    assert.match(problemOf({ kind: "too-small", size: 300, digest: digest("a") }).reason, /300 bytes/);
  });

  it("ask 1000 bytes of a state, and 200 of the file that proves a command", () => {
    assert.deepEqual([bytesWanted("state-file"), bytesWanted("command")], [1000, 200]);
  });
});

describe("a tool call beside the saved state", () => {
  const look: StateLook = { kind: "well-formed", size: 1200, digest: digest("a") };
  const calls = (looks: readonly (readonly [clock: number, toolCalls: number])[]) => {
    let memory: ReturnType<typeof lookAgain>["looks"] | undefined;
    let verdict: ReturnType<typeof lookAgain>["verdict"] | undefined;
    for (const [clock, toolCalls] of looks) ({ looks: memory, verdict } = lookAgain(memory, look, clock, toolCalls));
    return verdict?.kind === "stable" ? verdict.toolCalls : undefined;
  };

  it("is the one that wrote it, where its record comes within a second of the file", () => {
    assert.equal(
      calls([
        [0, 3],
        [500, 4],
        [2000, 4],
      ]),
      4,
    );
  });

  it("is work after the save where it comes later", () => {
    assert.equal(
      calls([
        [0, 4],
        [1500, 5],
        [2000, 5],
      ]),
      4,
    );
  });
});
