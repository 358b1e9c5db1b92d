import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { adapters, agentOf } from "../../server/agents/registry.ts";
import type { Conversation } from "../../server/core/conversation.ts";
import { foldFacts } from "../../server/core/fold.ts";
import type { AgentId } from "../../server/protocol/agents.ts";
import { factsOf } from "./casesInput.ts";

const folder = join(import.meta.dirname, "..", "transcripts");
const golden: Readonly<Record<string, unknown>> = JSON.parse(readFileSync(join(folder, "golden.json"), "utf8"));

/** What real agents wrote, and what it means: every line below was checked against their screens. */
describe("transcripts of real agents", () => {
  for (const agent of ["claude", "codex"] as const) {
    for (const name of readdirSync(join(folder, agent))) {
      const path = `${agent}/${name}`;
      it(`${path} means what it meant`, () => {
        const bytes = readFileSync(join(folder, path));
        assert.deepEqual(summary(foldFacts(agent, factsOf(agent, bytes), { humanSearchComplete: true })), golden[path]);
      });
      it(`${path} holds no line that cannot be read`, () => {
        const lines = readFileSync(join(folder, path), "utf8").trim().split("\n");
        for (const line of lines)
          assert.equal(adapters[agent].parseLine({ whole: true, bytes: Buffer.from(line) }).kind, "record");
      });
      it(`${path} is recognised by its beginning`, () => {
        const expected: AgentId | undefined = name.includes("history") ? undefined : agent;
        assert.equal(agentOf(readFileSync(join(folder, path))), expected);
      });
    }
  }
});

function summary(conversation: Conversation): Readonly<Record<string, unknown>> {
  const { reading, turn, lastHuman, window, lastCompaction } = conversation;
  const iso = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString());
  return {
    reading: reading.kind === "measured" ? reading.tokens : reading.kind,
    estimate: reading.kind === "measured" && reading.estimate,
    suspect: reading.kind === "measured" && reading.suspect,
    first: conversation.firstReading ?? null,
    window: window === undefined ? null : `${window.size} ${window.basis}`,
    model: conversation.model ?? null,
    turn: turn.kind,
    lastHuman: lastHuman.kind === "known" ? iso(lastHuman.at) : lastHuman.kind,
    lastActivity: iso(conversation.lastHumanActivityAt),
    compactions: conversation.compactions,
    trigger: lastCompaction?.trigger ?? null,
    command: conversation.lastCommand?.name ?? null,
    failed: conversation.lastCommand?.failed ?? null,
    queued: conversation.queued,
    bornOfClear: conversation.bornOfClear,
    subAgent: conversation.subAgent,
    permission: conversation.permission ?? null,
    toolCalls: conversation.toolCalls,
    answers: conversation.answers,
    endsWithQuestion: conversation.endsWithQuestion,
  };
}
