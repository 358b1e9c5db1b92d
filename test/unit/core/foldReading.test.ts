import assert from "node:assert/strict";
import type { Conversation } from "../../../server/core/conversation.ts";
import { conversationOf, createFold, foldFacts, foldOn } from "../../../server/core/fold.ts";
import type { TranscriptFact } from "../../../server/core/transcript.ts";
import type { WindowSettings } from "../../../server/core/window.ts";
import type { AgentId } from "../../../server/protocol/agents.ts";

let clock = 0;
const usage = (tokens: number, more: object = {}): TranscriptFact => {
  clock += 10;
  return { kind: "usage", at: clock, responseId: `m${clock}`, tokens, output: 5, ...more };
};
const boundary = (postTokens?: number): TranscriptFact => {
  clock += 10;
  return { kind: "compacted", at: clock, trigger: "manual", ...(postTokens === undefined ? {} : { postTokens }) };
};
const fold = (
  facts: readonly TranscriptFact[],
  windowSettings: WindowSettings = {},
  agent: AgentId = "claude",
): Conversation => foldFacts(agent, facts, { humanSearchComplete: true, windowSettings });
const tokens = (facts: readonly TranscriptFact[]) => {
  const { reading } = fold(facts);
  return reading.kind === "measured" ? reading.tokens : reading.kind;
};
const isSuspect = ({ reading }: Conversation) => reading.kind === "measured" && reading.suspect;

const unmetered: TranscriptFact = { kind: "unmetered", at: undefined };

describe("the reading", () => {
  it("is none before the first answer (R25)", () => assert.equal(tokens([]), "none-yet"));

  it("is the last response's, its last record counting", () => {
    assert.equal(
      tokens([usage(30_000), usage(40_000, { responseId: "x" }), usage(41_000, { responseId: "x" })]),
      41_000,
    );
  });

  it("is kept where a later record of the same response leaves it out", () =>
    assert.equal(tokens([usage(40_000, { responseId: "x" }), usage(0, { responseId: "x" })]), 40_000));

  it("is not an older response's that is written again", () => {
    const old = usage(30_000, { responseId: "old" });
    assert.equal(tokens([old, usage(40_000), old]), 40_000);
  });

  it("is an estimate after a compaction: its figure, and what every context carries", () => {
    assert.equal(tokens([usage(24_004), usage(162_004), boundary(5706)]), 29_710);
    assert.equal(tokens([usage(172_004), boundary(6100)]), 6100);
    assert.equal(tokens([usage(90_000), usage(60_000), boundary(6100)]), 6100);
    assert.equal(tokens([usage(24_000), usage(90_000), boundary()]), "compacted-unknown");
    assert.equal(tokens([usage(24_000), usage(90_000), boundary(6100), usage(33_000)]), 33_000);
  });

  it("keeps its base over a second compaction", () => {
    assert.equal(tokens([usage(24_000), usage(90_000), boundary(6000), boundary(5000)]), 29_000);
    assert.equal(tokens([usage(24_000), usage(90_000), boundary(6000), usage(95_000), boundary(5000)]), 29_000);
  });

  it("is no estimate again where old records are written again", () => {
    const old: TranscriptFact = { kind: "compacted", at: 1, trigger: "auto", recordId: "b1", postTokens: 9000 };
    const before = usage(150_000);
    const after = usage(31_000);
    assert.equal(tokens([before, old, after, before, old, after]), 31_000);
    assert.equal(fold([before, old, after, old]).compactions, 1);
    assert.equal(tokens([before, old, after, { ...old, recordId: "b2" }]), 9000);
  });

  it("stays what came out of a Codex compaction that is announced afterwards", () => {
    const at = (time: number, more: object = {}): TranscriptFact => ({
      kind: "compacted",
      at: time,
      trigger: "unknown",
      ...more,
    });
    const size = usage(7465, { at: 11, estimate: true });
    const found = fold([usage(200_000, { at: 1 }), at(10), size, at(12, { announced: true })], {}, "codex");
    assert.ok(found.reading.kind === "measured" && found.reading.tokens === 7465);
    assert.equal(found.compactions, 1);
  });

  it("has no base where the start was not read, unless it was found", () => {
    const gap: TranscriptFact = { kind: "gap", at: undefined };
    const first: TranscriptFact = { kind: "first-response", at: undefined, responseId: "m0", tokens: 20_000 };
    assert.equal(tokens([gap, usage(90_000), usage(95_000), boundary(5000)]), 5000);
    assert.equal(tokens([gap, usage(90_000), first, boundary(5000)]), 25_000);
    assert.equal(fold([gap, usage(90_000)]).firstReading, undefined);
    assert.equal(fold([gap, usage(90_000), first]).firstReading, 20_000);
  });

  it("is unmeasured where a gateway gives nothing or a placeholder", () => {
    assert.equal(tokens([usage(0), usage(0)]), "unmeasured");
    assert.equal(tokens([usage(512), usage(512)]), "unmeasured");
    assert.equal(tokens([usage(1000), usage(1000), usage(1000)]), "unmeasured");
    assert.equal(tokens([unmetered]), "unmeasured");
    assert.equal(tokens([usage(50_000), unmetered]), 50_000);
    assert.equal(tokens([unmetered, usage(50_000)]), 50_000);
    assert.equal(tokens([usage(99)]), "unmeasured");
    assert.equal(tokens([usage(512)]), 512);
    assert.equal(tokens([usage(512), usage(700)]), 700);
    assert.equal(tokens([usage(5000), usage(5000)]), 5000);
  });

  it("is suspect above the window or after a leap, until a second one says the same", () => {
    assert.equal(isSuspect(fold([usage(148_000), usage(300_000)])), true);
    assert.equal(isSuspect(fold([usage(148_000), usage(300_000), usage(301_000)])), false);
    assert.equal(isSuspect(fold([usage(100_000), usage(160_000)])), false);
    assert.equal(isSuspect(fold([{ kind: "window", at: 1, windowSize: 100_000 }, usage(100_001)], {}, "codex")), true);
    assert.equal(isSuspect(fold([usage(100_000), boundary(9000), usage(170_000)])), false);
    assert.equal(isSuspect(fold([usage(7000, { estimate: true }), usage(21_000)], {}, "codex")), false);
  });

  it("says whether it stands alone", () => {
    const sole = (facts: readonly TranscriptFact[]) => {
      const { reading } = fold(facts);
      return reading.kind === "measured" && reading.sole;
    };
    assert.equal(sole([usage(30_000)]), true);
    assert.equal(sole([usage(30_000), usage(31_000)]), false);
  });
});

describe("a fold", () => {
  it("is the same in one go and line by line, and never changes what was folded", () => {
    const facts = [usage(24_000), usage(90_000), boundary(6000), usage(95_000)];
    const steps = [createFold("claude")];
    for (const fact of facts) steps.push(foldOn(steps.at(-1) ?? createFold("claude"), [fact]));
    const view = { humanSearchComplete: true };
    assert.deepEqual(conversationOf(steps.at(-1) ?? createFold("claude"), view), foldFacts("claude", facts, view));
    const second = steps[2] ?? createFold("claude");
    assert.deepEqual(conversationOf(second, view), foldFacts("claude", facts.slice(0, 2), view));
  });

  it("counts the queue and never below nothing", () => {
    const queued = (...facts: readonly TranscriptFact[]) => fold(facts).queued;
    const enqueue = (digest?: string): TranscriptFact => ({
      kind: "queued",
      at: 1,
      ...(digest === undefined ? {} : { digest }),
    });
    const dequeue = (digest?: string, all = false): TranscriptFact => ({
      kind: "dequeued",
      at: 2,
      all,
      ...(digest === undefined ? {} : { digest }),
    });
    const prompt = (digest: string, more: object = {}): TranscriptFact => ({
      kind: "prompt",
      at: 3,
      recordId: "p",
      digest,
      ...more,
    });
    assert.equal(queued(enqueue(), enqueue(), dequeue()), 1);
    assert.equal(queued(dequeue(), dequeue(), enqueue()), 1);
    assert.equal(queued(enqueue(), enqueue(), dequeue(undefined, true)), 0);
    assert.equal(queued(enqueue("a"), enqueue("b"), dequeue("b"), prompt("b")), 1);
    assert.equal(queued(enqueue("a"), prompt("a")), 0);
    assert.equal(queued(enqueue("a"), prompt("z", { source: "typed" })), 0);
    assert.equal(queued(prompt("y"), enqueue("a"), prompt("z", { source: "typed" })), 1);
  });

  it("counts one Codex compaction once, and knows whose it was", () => {
    const at = (kind: "compacted", time: number): TranscriptFact => ({ kind, at: time, trigger: "unknown" });
    const started = (attributed?: boolean): TranscriptFact => ({
      kind: "turn-started",
      at: 1,
      turnId: "t",
      ...(attributed === undefined ? {} : { attributed }),
    });
    const codex = (...facts: readonly TranscriptFact[]) => foldFacts("codex", facts, { humanSearchComplete: true });
    assert.equal(codex(at("compacted", 10), at("compacted", 20)).compactions, 1);
    assert.equal(codex(at("compacted", 10), at("compacted", 9000)).compactions, 2);
    const prompt: TranscriptFact = { kind: "prompt", at: 2, recordId: "p", digest: "d" };
    assert.equal(codex(started(true), prompt, at("compacted", 3)).lastCompaction?.trigger, "auto");
    assert.equal(codex(started(false), at("compacted", 3)).lastCompaction?.trigger, "manual");
    assert.equal(codex(started(), at("compacted", 3)).lastCompaction?.trigger, "unknown");
  });

  it("keeps the shells that were started and not announced as ended", () => {
    const shells = fold([
      { kind: "shell-started", at: 1, shellId: "a" },
      { kind: "shell-started", at: 1, shellId: "b" },
      { kind: "shell-started", at: 1, shellId: "b" },
      { kind: "task-ended", at: 2, taskId: "a" },
    ]).backgroundShells;
    assert.deepEqual(shells, ["b"]);
  });

  it("keeps a command's failure, and where the conversation was made", () => {
    const found = fold([
      { kind: "opened", at: 1, cwd: "/a", conversationId: "c1", parentRecord: "u0", version: "1", subAgent: false },
      { kind: "command", at: 2, recordId: "u1", name: "clear" },
      { kind: "opened", at: 3, cwd: "/b", conversationId: "c2", parentRecord: "u1", version: "2", subAgent: false },
      { kind: "command-failed", at: 3, reason: "error" },
    ]);
    assert.deepEqual(
      [found.cwd, found.conversationId, found.parentRecord, found.version, found.bornOfClear],
      ["/a", "c1", "u0", "2", true],
    );
    assert.deepEqual(found.lastCommand, { at: 2, name: "clear", failed: "error" });
  });

  it("is a sub-agent's only where every record is", () => {
    const sub: TranscriptFact = { kind: "opened", at: 1, subAgent: true };
    const main: TranscriptFact = { kind: "opened", at: 1, conversationId: "c", subAgent: false };
    assert.deepEqual(
      [[sub], [sub, main], [main, sub]].map((facts) => fold(facts).subAgent),
      [true, false, false],
    );
  });

  it("takes nothing of a replayed parent for news (R58)", () => {
    const opened: TranscriptFact = {
      kind: "opened",
      at: 10_000,
      conversationId: "c",
      forkedFrom: "p",
      replaysParent: true,
    };
    const parent: TranscriptFact = { kind: "opened", at: 10_000, conversationId: "p" };
    const prompt = (at: number): TranscriptFact => ({ kind: "prompt", at, recordId: `p${at}`, digest: "d" });
    const replay = [opened, parent, prompt(500), prompt(10_300), { kind: "turn-started", at: 10_400 } as const];
    const before = foldFacts("codex", replay, { humanSearchComplete: true });
    assert.deepEqual([before.lastHuman.kind, before.turn.kind, before.conversationId], ["none", "idle", "c"]);
    const after = foldFacts("codex", [...replay, prompt(12_000)], { humanSearchComplete: true });
    assert.deepEqual(after.lastHuman, { kind: "known", at: 12_000, recordId: "p12000" });
  });
});
