import assert from "node:assert/strict";
import { branchOf } from "../../../server/core/branch.ts";
import { nameAgents } from "../../../server/core/names.ts";
import {
  type Candidate,
  nextQuestion,
  noQuestions,
  type QuestionMemory,
  quietUntil,
  snooze,
} from "../../../server/core/question.ts";

const agent = (instanceId: string, tokens: number, over: Partial<Candidate> = {}): Candidate => ({
  instanceId,
  conversationId: `c-${instanceId}`,
  tokens,
  over: tokens >= 280_000,
  goodMoment: true,
  resetOpen: false,
  ...over,
});
const asks = (memory: QuestionMemory) => memory.open?.instanceId;

describe("the question", () => {
  it("is one, about the fullest agent over its line, and names the others", () => {
    const memory = nextQuestion(noQuestions, [agent("a", 290_000), agent("b", 310_000), agent("c", 100_000)], 5);
    assert.deepEqual(memory.open, {
      questionId: "q1",
      instanceId: "b",
      conversationId: "c-b",
      alsoInstanceIds: ["a"],
      since: 5,
    });
  });

  it("waits for the turn's end", () => {
    assert.equal(asks(nextQuestion(noQuestions, [agent("a", 290_000, { goodMoment: false })], 5)), undefined);
  });

  it("stays as it is until it is void, also while the agent works again", () => {
    const open = nextQuestion(noQuestions, [agent("a", 290_000)], 5);
    assert.equal(nextQuestion(open, [agent("a", 295_000, { goodMoment: false }), agent("b", 400_000)], 6), open);
  });

  it("is void when its agent is gone, in another conversation, under the line, or being reset", () => {
    const open = nextQuestion(noQuestions, [agent("a", 290_000)], 5);
    for (const now of [
      [],
      [agent("a", 290_000, { conversationId: "new", over: false })],
      [agent("a", 20_000)],
      [agent("a", 290_000, { resetOpen: true })],
    ])
      assert.equal(asks(nextQuestion(open, now, 6)), undefined);
  });

  it("has a new number when it is asked anew", () => {
    const open = nextQuestion(noQuestions, [agent("a", 290_000)], 5);
    const again = nextQuestion(nextQuestion(open, [], 6), [agent("b", 290_000)], 7);
    assert.equal(again.open?.questionId, "q2");
  });

  it("is quiet after Not Now until a quarter more, for every agent it named", () => {
    const now = [agent("a", 280_000), agent("b", 300_000)];
    const open = nextQuestion(noQuestions, now, 5);
    const quiet = snooze(open, now, "b", "q1");
    assert.equal(asks(nextQuestion(quiet, now, 6)), undefined);
    assert.equal(quietUntil(quiet, agent("b", 300_000)), 375_000);
    assert.equal(asks(nextQuestion(quiet, [agent("a", 349_999), agent("b", 374_999)], 7)), undefined);
    assert.equal(asks(nextQuestion(quiet, [agent("a", 349_999), agent("b", 375_000)], 7)), "b");
    assert.equal(quietUntil(quiet, agent("b", 375_000)), undefined);
  });

  it("leaves another question open when one agent is made quiet from the menu", () => {
    const now = [agent("a", 280_000), agent("b", 300_000)];
    const open = nextQuestion(noQuestions, now, 5);
    assert.equal(asks(snooze(open, now, "a", "other")), "b");
  });

  it("goes by percent where the tokens are not known", () => {
    const blind = agent("a", 0, { percent: 92, over: true });
    const { tokens: _, ...known } = blind;
    const quiet = snooze(nextQuestion(noQuestions, [known], 5), [known], "a", undefined);
    assert.equal(quietUntil(quiet, known), 115);
  });
});

describe("the branch", () => {
  const full = {
    mode: "ask" as const,
    reading: { kind: "measured", tokens: 1, at: 1, estimate: false, suspect: false, sole: false } as const,
    pressure: "full" as const,
    place: "terminal" as const,
    binding: "process" as const,
    platformMeasured: true,
  };

  it("is exactly one, in order", () => {
    assert.equal(branchOf(full), "ask");
    assert.equal(branchOf({ ...full, reading: { kind: "unmeasured", why: "x" } }), "unenforced");
    assert.equal(branchOf({ ...full, binding: "ambiguous" }), "unenforced");
    assert.equal(branchOf({ ...full, pressure: "selective" }), "none");
    assert.equal(branchOf({ ...full, mode: "gauge" }), "none");
    assert.equal(branchOf({ ...full, place: "multiplexer" }), "blocked");
    assert.equal(branchOf({ ...full, platformMeasured: false }), "blocked");
  });
});

describe("the name of an agent", () => {
  const named = (agents: Parameters<typeof nameAgents>[0]) => [...nameAgents(agents).values()];
  const one = { instanceId: "1", agent: "claude" as const };

  it("is its tab, else its session, else its folder, else its kind", () => {
    assert.deepEqual(named([{ ...one, tabName: "backend", sessionName: "s", cwd: "/w/api" }]), ["backend"]);
    assert.deepEqual(named([{ ...one, tabName: "bash", sessionName: "s", cwd: "/w/api" }]), ["s"]);
    assert.deepEqual(named([{ ...one, tabName: "✳ Claude Code", cwd: "/w/api/" }]), ["api"]);
    assert.deepEqual(named([{ ...one, tabName: "  ", cwd: "C:\\w\\web" }]), ["web"]);
    assert.deepEqual(named([one]), ["claude"]);
  });

  it("has a number where two are alike", () => {
    const two = [one, { ...one, instanceId: "2" }].map((agent) => ({ ...agent, cwd: "/w/api" }));
    assert.deepEqual(named(two), ["api 1", "api 2"]);
  });
});
