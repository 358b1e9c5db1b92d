import assert from "node:assert/strict";
import fc from "fast-check";
import { noReset, reduce } from "../../../server/core/reset/machine.ts";
import type { Event, Reset } from "../../../server/core/reset/types.ts";
import { approved, before, refusing, waiting } from "./events.ts";

const at = fc.nat({ max: 2_000_000 });
const clean = { passed: [], waiting: [] };

/** Any event; its attempt is the state's own, or another: half of the answers are late ones. */
const eventFor = (state: Reset): fc.Arbitrary<Event> => {
  const attempt = fc.constantFrom(state.attempt, state.attempt - 1, state.attempt + 1);
  const report = fc.constantFrom(clean, refusing("mode-allows"), waiting("turn-ended"));
  return fc.oneof(
    fc.constant(approved("clear")),
    fc.constant(approved("compact")),
    fc.record({
      kind: fc.constant("judged" as const),
      at,
      attempt,
      report,
      baseline: fc.constantFrom(before, { ...before, compactions: 1 }),
      assisted: fc.boolean(),
    }),
    fc.record({ kind: fc.constant("claim-answered" as const), at, attempt, won: fc.boolean() }),
    fc.record({
      kind: fc.constant("typed" as const),
      at,
      attempt,
      result: fc.oneof(
        fc.constant({ outcome: "shown" as const, sequence: 3 }),
        fc.record({
          outcome: fc.constant("refused" as const),
          reason: fc.constantFrom("not-shown" as const, "not-connected" as const, "box-not-empty" as const),
          wrote: fc.boolean(),
          erased: fc.boolean(),
        }),
      ),
    }),
    fc.record({
      kind: fc.constant("pressed" as const),
      at,
      attempt,
      result: fc.oneof(
        fc.record({ outcome: fc.constant("pressed" as const), at }),
        fc.constantFrom(
          { outcome: "refused" as const, reason: "changed" as const },
          { outcome: "refused" as const, reason: "changed" as const, stillShown: 4 },
          { outcome: "refused" as const, reason: "not-connected" as const },
          { outcome: "unknown" as const },
        ),
      ),
    }),
    fc.record({ kind: fc.constant("looked" as const), at, attempt, shown: fc.boolean(), sequence: fc.nat() }),
    fc.record({ kind: fc.constant("erased" as const), at, attempt, erased: fc.boolean() }),
    fc.record({ kind: fc.constant("handed" as const), at, attempt, pasted: fc.boolean() }),
    fc.record({
      kind: fc.constant("observed" as const),
      at,
      evidence: fc.constantFrom(
        { kind: "nothing" as const },
        { kind: "working" as const },
        { kind: "other-prompt" as const, working: true },
        { kind: "confirmed" as const, settled: true },
        { kind: "confirmed" as const, settled: false },
        { kind: "failed" as const, outcome: "error" as const },
      ),
      compactions: fc.nat({ max: 1 }),
    }),
    ...(["cancelled", "agent-gone", "closing", "recovered", "tick"] as const).map((kind) =>
      fc.record({ kind: fc.constant(kind), at }),
    ),
  );
};

const sequences = Number(process.env["PROPERTY_RUNS"] ?? 2000);

describe("whatever happens, in any order", () => {
  it("no key goes out without a claim and a clean last look, and at most two for one click", () => {
    fc.assert(
      fc.property(fc.gen(), fc.nat({ max: 60 }), (gen, length) => {
        let state: Reset = noReset;
        let claimed = false;
        let keys = 0;
        for (let step = 0; step < length; step += 1) {
          const event = gen(eventFor, state);
          const next = reduce(state, event);
          if (event.kind === "approved" && next.state !== state) [claimed, keys] = [false, 0];
          if (event.kind === "claim-answered" && event.won && next.state !== state) claimed = true;
          for (const effect of next.effects) {
            if (effect.kind === "type") assert.ok(claimed, "typed without a claim");
            if (effect.kind !== "press") continue;
            assert.ok(claimed, "pressed without a claim");
            assert.ok(
              event.kind === "judged" && event.report.refused === undefined && event.report.waiting.length === 0,
            );
          }
          if (event.kind === "pressed" && event.result.outcome !== "refused" && next.state !== state) keys += 1;
          assert.ok(keys <= 2, `${keys} keys for one click`);
          assert.ok(next.effects.filter(({ kind }) => kind === "end").length <= 1);
          if (next.state === state) assert.equal(next.effects.length, 0);
          state = next.state;
        }
      }),
      { numRuns: sequences },
    );
  });

  it("every end can be seen: an open reset goes only by an end, or by being taken back after one", () => {
    fc.assert(
      fc.property(fc.gen(), fc.nat({ max: 60 }), (gen, length) => {
        let state: Reset = noReset;
        for (let step = 0; step < length; step += 1) {
          const next = reduce(state, gen(eventFor, state));
          if (state.phase !== "none" && state.phase !== "needs-reconcile" && next.state.phase === "none")
            assert.ok(next.effects.some(({ kind }) => kind === "end"));
          state = next.state;
        }
      }),
      { numRuns: sequences },
    );
  });
});
