import assert from "node:assert/strict";
import fc from "fast-check";
import { phaseWord } from "../../../server/core/reset/journalled.ts";
import { anyRun, checkReplay, createWatch, play } from "./anyEvents.ts";
import { samples } from "./paths.ts";

const runs = Number(process.env["PROPERTY_RUNS"] ?? 2500);

describe("whatever happens, in any order", () => {
  const met = new Set<string>();

  it("no key goes out without claim and last look, no text is lost, every order ends once, and the journal tells it all", () => {
    fc.assert(
      fc.property(anyRun, (comings) => {
        const watch = createWatch();
        const taken = play(comings);
        for (const step of taken) {
          watch(step);
          met.add(phaseWord(step.step.state));
        }
        checkReplay(taken);
      }),
      { numRuns: runs },
    );
  }).timeout(600_000);

  it("comes to every phase and step there is, and to none that the table does not know", () => {
    const known: readonly string[] = samples.map(({ name }) => name);
    assert.deepEqual([...met].toSorted(), known.toSorted());
  });
});
