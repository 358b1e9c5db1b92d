import assert from "node:assert/strict";
import fc from "fast-check";
import { compactionPoint, judge, type Lines, type Pressure, resolveLines } from "../../../server/core/pressure.ts";

function lines(settings: Parameters<typeof resolveLines>[0] = {}, environment: Record<string, string> = {}): Lines {
  const resolved = resolveLines(settings, environment);
  assert.ok(resolved.kind === "lines");
  return resolved.lines;
}
const severity: Readonly<Record<Pressure, number>> = { none: 0, selective: 1, full: 2 };

describe("the absolute arm (R30)", () => {
  const rows: readonly (readonly [number, Pressure, boolean])[] = [
    [0, "none", false],
    [199_999, "none", false],
    [200_000, "selective", false],
    [279_999, "selective", false],
    [280_000, "full", false],
    [299_999, "full", false],
    [300_000, "full", true],
  ];
  for (const [tokens, pressure, breach] of rows)
    it(`says ${pressure} at ${tokens}${breach ? ", far over the line" : ""}`, () => {
      const found = judge({ tokens }, lines());
      assert.deepEqual([found.pressure, found.breach, found.percent], [pressure, breach, undefined]);
      assert.equal(found.decidedBy, pressure === "none" ? undefined : "absolute");
    });

  it("can be switched off, and a missing reading is no low one", () => {
    assert.equal(judge({ tokens: 500_000 }, lines({ absoluteLine: false })).pressure, "none");
    assert.deepEqual(judge({}, lines()).arms, {});
  });
});

describe("the percentage arm (R32, R33)", () => {
  const rows: readonly (readonly [number, Pressure])[] = [
    [0, "none"],
    [49, "none"],
    [50, "none"],
    [74, "none"],
    [74.2, "selective"],
    [75, "selective"],
    [89, "selective"],
    [89.5, "full"],
    [90, "full"],
    [100, "full"],
    [103, "full"],
  ];
  for (const windowSize of [128_000, 200_000, 400_000, 1_000_000])
    for (const [percent, pressure] of rows)
      it(`says ${pressure} at ${percent} % of ${windowSize}`, () => {
        const found = judge(
          { tokens: Math.round((windowSize * percent) / 100), windowSize },
          lines({ absoluteLine: false }),
        );
        assert.deepEqual([found.pressure, found.percent], [pressure, percent]);
        assert.equal(found.decidedBy, pressure === "none" ? undefined : "percent");
      });

  it("rules alone where only the agent's own percentage is known (R22)", () => {
    assert.deepEqual(
      [judge({ reportedPercent: 89.1 }, lines()).pressure, judge({ reportedPercent: 12 }, lines()).percent],
      ["full", 12],
    );
  });

  it("shows one decimal and rounds up for the verdict", () => {
    const found = judge({ tokens: 148_001, windowSize: 200_000 }, lines({ absoluteLine: false }));
    assert.deepEqual([found.percent, found.pressure], [74, "selective"]);
  });
});

describe("the arm of the agent's own compaction", () => {
  const codex = { windowSize: 258_400, compactionPoint: compactionPoint("codex", 258_400, {}) };

  it("keeps a tenth of the window clear of it", () => {
    assert.equal(codex.compactionPoint, 244_800);
    assert.equal(judge({ ...codex, tokens: 218_959 }, lines()).arms["own-compaction"], "none");
    const found = judge({ ...codex, tokens: 218_960 }, lines());
    assert.deepEqual([found.pressure, found.decidedBy], ["full", "own-compaction"]);
    assert.deepEqual(found.ownCompaction, { point: 244_800, remaining: 25_840 });
  });

  it("can be switched off; the point is still shown", () => {
    const found = judge({ ...codex, tokens: 220_000 }, lines({ ownCompaction: false }));
    assert.deepEqual([found.pressure, found.ownCompaction?.remaining], ["selective", 24_800]);
  });

  it("knows Claude's point only where it is configured", () => {
    assert.equal(compactionPoint("claude", 200_000, {}), undefined);
    assert.equal(compactionPoint("claude", 200_000, { claudeWindow: 150_000 }), 117_000);
    assert.equal(compactionPoint("claude", 200_000, { claudeWindow: 20_000 }), undefined);
    assert.equal(compactionPoint("codex", 258_400, { codexLimit: 100_000 }), 100_000);
    assert.equal(compactionPoint("codex", undefined, {}), undefined);
  });
});

describe("both arms (R29)", () => {
  it("let the stricter one decide, and name the absolute one on a tie", () => {
    assert.equal(judge({ tokens: 190_000, windowSize: 200_000 }, lines()).decidedBy, "percent");
    assert.equal(judge({ tokens: 350_000, windowSize: 1_000_000 }, lines()).decidedBy, "absolute");
    assert.equal(judge({ tokens: 290_000, windowSize: 300_000 }, lines()).decidedBy, "absolute");
  });

  const load = fc.record({
    tokens: fc.integer({ min: 0, max: 1_200_000 }),
    windowSize: fc.option(fc.integer({ min: 1, max: 1_000_000 }), { nil: undefined }),
    compactionPoint: fc.option(fc.integer({ min: 1, max: 1_000_000 }), { nil: undefined }),
  });

  it("never say less for more tokens", () => {
    fc.assert(
      fc.property(load, fc.nat(100_000), (given, more) => {
        const before = judge(given, lines());
        const after = judge({ ...given, tokens: given.tokens + more }, lines());
        assert.ok(severity[after.pressure] >= severity[before.pressure]);
        assert.ok(!before.breach || after.breach);
      }),
    );
  });

  it("say what the strictest arm says", () => {
    fc.assert(
      fc.property(load, (given) => {
        const { pressure, arms, decidedBy } = judge(given, lines());
        const most = Math.max(0, ...Object.values(arms).map((arm) => severity[arm]));
        assert.equal(severity[pressure], most);
        assert.equal(decidedBy === undefined, most === 0);
        if (decidedBy !== undefined) assert.equal(arms[decidedBy], pressure);
      }),
    );
  });
});

describe("the lines (R31)", () => {
  it("come from the settings, then the environment, then the defaults", () => {
    const environment = { DR_CTX_SOFT_TOKENS: "150000", DR_CTX_HARD_TOKENS: "250000" };
    assert.deepEqual(lines({}, environment).tokens, { soft: 150_000, hard: 250_000 });
    assert.deepEqual(lines({ softTokens: 100_000 }, environment).tokens, { soft: 100_000, hard: 250_000 });
    assert.deepEqual(lines({}, { DR_CTX_SOFT_TOKENS: " " }), lines());
  });

  for (const [settings, environment, words] of [
    [{ softTokens: 300_000 }, {}, "not below"],
    [{ softTokens: 0 }, {}, "soft token line is no positive number"],
    [{ hardTokens: Number.POSITIVE_INFINITY }, {}, "hard token line is no positive number"],
    [{}, { DR_CTX_HARD_TOKENS: "lots" }, "hard token line is no positive number"],
    [{ softPercent: 90, hardPercent: 80 }, {}, "soft percent line (90) is not below"],
    [{ breachTokens: -1 }, {}, "breach"],
  ] as const)
    it(`are a named problem: ${words}`, () => {
      const found = resolveLines(settings, environment);
      assert.ok(found.kind === "problem" && found.problem.includes(words), JSON.stringify(found));
    });

  it("may be anything where the absolute arm is off", () => {
    assert.equal(lines({ softTokens: 9, hardTokens: 1, absoluteLine: false }).tokens, undefined);
  });
});
