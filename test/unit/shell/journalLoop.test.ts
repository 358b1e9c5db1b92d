import assert from "node:assert/strict";
import { createResets } from "../../../server/shell/reset/resets.ts";
import { approved, compactOrder, judged } from "../reset/events.ts";

const instanceId = "claude-7-1";

describe("the loop", () => {
  it("types nothing that could not be written down first, and says so", () => {
    const performed: string[] = [];
    const problems: string[] = [];
    const resets = createResets({
      record: () => {
        throw new Error("disk full");
      },
      perform: async (_, effect) => {
        performed.push(effect.kind === "end" ? `end ${effect.outcome} ${effect.because.gate}` : effect.kind);
        return undefined;
      },
      taken: () => undefined,
      problem: (message) => problems.push(message),
    });
    resets.dispatch(instanceId, approved()(0));
    assert.deepEqual(performed, ["end refused log-writable"]);
    assert.deepEqual(problems, ["disk full"]);
    assert.equal(resets.stateOf(instanceId).phase, "none");
  });

  it("records before it performs, and feeds each outcome back", async () => {
    const trace: string[] = [];
    const done = new Promise<void>((resolve) => {
      const resets = createResets({
        record: (_, from, event, { state }) => trace.push(`${event.kind}: ${from.phase} > ${state.phase}`),
        perform: async (_, effect, { attempt }) => {
          trace.push(effect.kind);
          if (effect.kind === "judge") return judged()(attempt);
          if (effect.kind === "claim") return { kind: "claim-answered", at: 1, attempt, won: false };
          if (effect.kind === "end") resolve();
          return undefined;
        },
        taken: () => undefined,
        problem: (message) => trace.push(message),
      });
      resets.dispatch(instanceId, approved(compactOrder)(0));
    });
    await done;
    assert.deepEqual(trace, [
      "approved: none > prepared",
      "judge",
      "judged: prepared > claimed",
      "claim",
      "claim-answered: claimed > none",
      "end",
    ]);
  });
});
