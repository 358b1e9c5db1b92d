import assert from "node:assert/strict";
import { foldFacts } from "../../../server/core/fold.ts";
import type { TranscriptFact } from "../../../server/core/transcript.ts";
import type { WindowSettings } from "../../../server/core/window.ts";
import type { AgentId } from "../../../server/protocol/agents.ts";

let clock = 0;
const usage = (tokens: number, more: object = {}): TranscriptFact => {
  clock += 10;
  return { kind: "usage", at: clock, responseId: `m${clock}`, tokens, output: 5, ...more };
};
const fold = (facts: readonly TranscriptFact[], windowSettings: WindowSettings = {}, agent: AgentId = "claude") =>
  foldFacts(agent, facts, { humanSearchComplete: true, windowSettings });

describe("the window", () => {
  const window = (model: string, sizes: readonly number[], settings: WindowSettings = {}) => {
    const found = fold(
      sizes.map((size) => usage(size, { model })),
      settings,
    ).window;
    return found === undefined ? "unknown" : `${found.size} ${found.basis}`;
  };

  it("is known of the models that were measured", () => {
    for (const model of ["claude-opus-5-5", "claude-sonnet-5-5-20260901", "us.anthropic.claude-haiku-5-5-v1:0"])
      assert.equal(window(model, [30_000]), "1000000 model-table");
    for (const model of [
      "claude-sonnet-4-5-20250929",
      "claude-haiku-4-5",
      "claude-opus-4-6",
      "claude-3-5-sonnet-latest",
      "anthropic/claude-sonnet-4.5",
    ])
      assert.equal(window(model, [30_000]), "200000 model-table");
    assert.equal(window("claude-opus-4-6[1m]", [30_000]), "1000000 model-suffix");
  });

  it("is what is seen where more is held than the small one (R28)", () => {
    assert.equal(window("claude-fable-5", [30_000]), "unknown");
    assert.equal(window("claude-fable-5", [350_004]), "1000000 observed");
    assert.equal(window("claude-sonnet-4-5", [230_000]), "1000000 observed");
    assert.equal(window("claude-haiku-4-5", [230_000]), "200000 model-table");
    assert.equal(window("vendor-x-large", [350_004]), "unknown");
    assert.equal(window("claude-sonnet-4-5", [100_000, 230_000]), "200000 model-table");
    assert.equal(window("claude-sonnet-4-5", [190_000, 230_000, 231_000, 50_000]), "1000000 observed");
  });

  it("is the person's setting before any table", () => {
    assert.equal(window("vendor-x", [30_000], { user: { "vendor-x": 64_000 } }), "64000 user-setting");
    assert.equal(
      window("claude-opus-4-6-20260101", [30_000], { user: { "claude-opus-4-6": 500_000 } }),
      "500000 user-setting",
    );
    assert.equal(window("vendor-x", [30_000], { user: { "vendor-x": Number.NaN } }), "unknown");
  });

  it("is what Claude's own settings make it", () => {
    assert.equal(window("claude-sonnet-4-5-20250929", [30_000], { configuredModel: "sonnet[1m]" }), "1000000 settings");
    assert.equal(window("claude-haiku-4-5", [30_000], { configuredModel: "sonnet[1m]" }), "200000 model-table");
    assert.equal(window("claude-opus-5-5", [30_000], { disable1m: true }), "200000 settings");
    assert.equal(window("claude-opus-4-6[1m]", [30_000], { disable1m: true }), "200000 settings");
    assert.equal(window("claude-haiku-4-5", [30_000], { disable1m: true }), "200000 model-table");
    assert.equal(window("claude-fable-5", [350_000], { disable1m: true }), "200000 settings");
    assert.equal(window("glm-4.6", [30_000], { maxContextTokens: 123_000 }), "123000 settings");
  });

  it("belongs to the last model, and to the agent's own word before all", () => {
    const switched = fold([
      usage(150_000, { model: "claude-opus-4-6[1m]" }),
      { kind: "model", at: clock, model: "claude-haiku-4-5" },
    ]);
    assert.deepEqual(switched.window, { size: 200_000, basis: "model-table" });
    const back = fold([
      usage(150_000, { model: "claude-haiku-4-5" }),
      usage(150_000, { model: "claude-opus-4-6[1m]" }),
    ]);
    assert.deepEqual(back.window, { size: 1_000_000, basis: "model-suffix" });
    const codex = fold(
      [{ kind: "window", at: 1, windowSize: 258_400 }, usage(9000, { windowSize: 380_000 })],
      {},
      "codex",
    );
    assert.deepEqual(codex.window, { size: 380_000, basis: "event" });
    assert.equal(fold([usage(9000, { model: "gpt-x" })], {}, "codex").window, undefined);
  });
});
