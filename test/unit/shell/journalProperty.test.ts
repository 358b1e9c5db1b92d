import assert from "node:assert/strict";
import fc from "fast-check";
import { mustWait } from "../../../server/core/reset/journalled.ts";
import { noReset } from "../../../server/core/reset/machine.ts";
import type { Reset } from "../../../server/core/reset/types.ts";
import { anyComing, eventIn } from "../reset/anyEvents.ts";
import { start } from "../reset/events.ts";
import { createJournalRig, instanceId, other, owner, step } from "./journalRig.ts";

/** All but what a poll changes. */
const essence = (state: Reset) => ({
  ...state,
  attempt: 0,
  asking: false,
  waitsFor: undefined,
  because: undefined,
});

describe("the journal under random events", () => {
  it("leads to the state of every moment, whatever happened, and whoever wrote it", function () {
    this.timeout(60_000);
    fc.assert(
      fc.property(fc.gen(), (gen) => {
        const rig = createJournalRig();
        let [state, now] = [noReset, start];
        let [who, journal] = [owner, rig.open()];
        for (let count = 0; count < 60; count += 1) {
          const coming = gen(() => anyComing);
          now += coming.wait;
          const event = eventIn(state, coming, now, count);
          state = step(journal, instanceId, state, event);
          if (mustWait(state)) continue;
          const { resets, problems } = rig.open(other).recover(start);
          assert.deepEqual(problems, []);
          assert.deepEqual(essence(resets[0]?.state ?? noReset), essence(state));
          if (!gen(fc.integer, { min: 0, max: 9 })) {
            // The worker is started anew: it takes over what is open, and counts anew where nothing is.
            who = { pid: who.pid + 1, birth: "1" };
            journal = rig.open(who);
            const found = journal.recover(start).resets[0];
            state = found === undefined || found.state.phase === "none" ? noReset : found.state;
          }
        }
        rig.dispose();
      }),
      { numRuns: 60 },
    );
  });
});
