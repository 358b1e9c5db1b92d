import assert from "node:assert/strict";
import { statusOf } from "../../../extension/words/status.ts";
import { isPersons, isRunning, longStep } from "../../../extension/words/steps.ts";
import type { AgentView, ResetView } from "../../../server/protocol/view.ts";
import { agent, model, now, over, reset, view, without } from "./builders.ts";

const textOf = (agents: readonly AgentView[], part: Parameters<typeof model>[0] = {}) =>
  statusOf(model({ view: view(agents), ...part }))?.text;

describe("the status bar's words", () => {
  it("name the agent, its tokens and its share", () => {
    assert.equal(textOf([agent()]), "◑ api 212k · 21%");
  });

  it("show the agent of the terminal in front, else the fullest", () => {
    const agents = [agent(), over({ instanceId: "i2", terminalId: "t2", name: "web" })];
    assert.equal(textOf(agents, { frontTerminalId: "t1" }), "◑ api 212k · 21% +1");
    assert.equal(textOf(agents), "● web 287k · 29%");
    assert.equal(textOf(agents, { frontTerminalId: "t9" }), "● web 287k · 29%");
  });

  it("change colour at the soft line and again at the hard line", () => {
    const colourOf = (one: AgentView) => statusOf(model({ view: view([one]) }))?.colour;
    assert.equal(colourOf(agent()), "plain");
    assert.equal(colourOf(agent({ pressure: "selective" })), "warning");
    assert.equal(colourOf(over()), "error");
    assert.equal(colourOf(agent({ breach: true })), "error");
  });

  it("tell the levels apart without colour", () => {
    const low = agent({
      reading: { kind: "measured", tokens: 9999, at: now, estimate: false, suspect: false },
      percent: 1,
    });
    const quarter = agent({ reading: { kind: "measured", tokens: 80_000, at: now, estimate: false, suspect: false } });
    const symbols = [low, quarter, agent(), agent({ pressure: "selective" }), over()].map((one) => textOf([one])?.[0]);
    assert.deepEqual(symbols, ["○", "◔", "◑", "◕", "●"]);
  });

  it("look different for every kind of reading, and mark what is not certain", () => {
    const measured = { kind: "measured", tokens: 6200, at: now, estimate: false, suspect: false } as const;
    const bare = without(agent(), "percent");
    const texts = [
      agent({ reading: measured, percent: 1 }),
      agent({ reading: { ...measured, estimate: true }, percent: 1 }),
      agent({ reading: { ...measured, suspect: true }, percent: 1 }),
      agent({ reading: measured, percent: 1, binding: "ambiguous" }),
      { ...bare, reading: { kind: "none-yet" } } as const,
      { ...bare, reading: { kind: "unmeasured", why: "no" } } as const,
      agent({ reading: { kind: "unmeasured", why: "no" }, percent: 76 }),
      { ...bare, reading: { kind: "compacted-unknown", at: now } } as const,
    ].map((one) => textOf([one]));
    assert.deepEqual(texts, [
      "○ api 6k · 1%",
      "○ api ~6k · 1%",
      "○ api 6k? · 1%",
      "○ api ≤6k · 1%",
      "○ api no reading yet",
      "$(question) api not measured",
      "◑ api 76%, tokens not measured",
      "$(fold) api compacted, no figure yet",
    ]);
  });

  it("show an open question before the agent in front", () => {
    const question = { questionId: "q", instanceId: "i2", alsoInstanceIds: [], since: now };
    const agents = [agent(), over({ instanceId: "i2", terminalId: "t2", name: "web" })];
    const status = statusOf(model({ view: view(agents, { question }), frontTerminalId: "t1" }));
    assert.equal(status?.text, "$(bell-dot) web 287k · Save & Clear?");
  });

  it("show the step of a running reset before everything else", () => {
    const agents = [
      over(),
      agent({ instanceId: "i2", terminalId: "t2", name: "web", reset: reset({ phase: "dispatched" }) }),
    ];
    assert.equal(textOf(agents, { frontTerminalId: "t1" }), "$(loading~spin) web: clearing… +1");
  });

  it("show an armed reset only for the agent that is shown anyway", () => {
    const armed = agent({ instanceId: "i2", terminalId: "t2", name: "web", reset: reset() });
    assert.equal(textOf([agent(), armed], { frontTerminalId: "t1" }), "◑ api 212k · 21%");
    assert.equal(textOf([agent(), armed], { frontTerminalId: "t2" }), "$(watch) web: waits to save and clear");
  });

  const steps: readonly Partial<ResetView>[] = [
    { phase: "prepared" },
    { phase: "armed" },
    { phase: "saving", step: "typing" },
    { phase: "saving", step: "writing" },
    { phase: "saving", step: "permission" },
    { phase: "saved", step: "turn-ending", savedBytes: 6200 },
    { phase: "saved", step: "reviewing", savedBytes: 6200 },
    { phase: "dispatched", step: "pressed", savedBytes: 6200 },
    { phase: "dispatched", step: "handed" },
    { phase: "confirmed", savedBytes: 6200 },
    { phase: "resuming", savedBytes: 6200 },
    { phase: "resuming", step: "carrying" },
    { phase: "needs-reconcile" },
  ];

  it("have words of their own for every step, short and long", () => {
    const short = steps.map((step) => textOf([agent({ reset: reset(step) })]));
    assert.equal(new Set(short).size, steps.length);
    const long = steps.map((step) => longStep(reset(step)));
    assert.equal(new Set(long).size, steps.length);
    assert.ok(long.includes("saved (6.2 kB, check code right), waiting for the turn to end"));
    assert.ok(long.includes("saved (6.2 kB, check code right); /clear sent, looking for the new conversation"));
  });

  it("tell what goes on by itself from what waits for the person", () => {
    for (const step of steps) {
      const one = reset(step);
      assert.ok(!(isRunning(one) && isPersons(one)));
    }
    assert.ok(isPersons(reset({ phase: "saving", step: "permission" })));
    assert.ok(!isRunning(reset({ phase: "saved", step: "reviewing" })));
  });

  it("show a reset that waits for the person before everything else", () => {
    const asks = agent({ instanceId: "i2", name: "web", reset: reset({ phase: "saving", step: "permission" }) });
    assert.equal(textOf([over(), asks], { frontTerminalId: "t1" }), "$(bell-dot) web: asks you to allow a file +1");
  });

  it("carry the pause mark", () => {
    const status = statusOf(model({ view: view([agent()], { paused: true }), paused: true }));
    assert.equal(status?.text, "$(debug-pause) ◑ api 212k · 21%");
    assert.match(status?.label ?? "", /Typing is paused/);
  });

  it("are hidden without an agent, and without a first reading of the worker", () => {
    assert.equal(textOf([]), undefined);
    assert.equal(statusOf(model({ worker: { kind: "starting", again: false } })), undefined);
  });

  it("say that the worker stopped, as long as there are terminals", () => {
    const worker = { kind: "down", since: now, nextTryAt: now } as const;
    assert.equal(statusOf(model({ worker }))?.text, "$(warning) Plimsoll stopped");
    assert.equal(statusOf(model({ worker, hasTerminals: false })), undefined);
    assert.equal(
      statusOf(model({ worker: { kind: "starting", again: true } }))?.text,
      "$(sync~spin) Plimsoll starting…",
    );
  });

  it("can be read aloud", () => {
    const status = statusOf(model({ view: view([over()]) }));
    assert.equal(
      status?.label,
      "Plimsoll: api, Claude Code, 287 thousand tokens, 29 percent of its window, over the line.",
    );
  });

  it("treat a terminal's name as data", () => {
    const status = statusOf(
      model({ view: view([agent({ name: "$(flame)\u202e\n[x](command:y) and a very long tail" })]) }),
    );
    assert.doesNotMatch(status?.text ?? "", /\$\(flame|\n|\u202e|\]\(/u);
    assert.ok((status?.text.length ?? 99) < 45);
  });
});
