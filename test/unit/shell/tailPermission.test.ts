import assert from "node:assert/strict";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { adapters } from "../../../server/agents/registry.ts";
import { typedText } from "../../../server/cli/measureTyped.ts";
import { isTyped } from "../../../server/core/humanPrompts.ts";
import type { AgentId } from "../../../server/protocol/agents.ts";
import { createTail, type Tail } from "../../../server/shell/transcripts/tail.ts";
import { answer, inFolder, output, prompt, seen } from "./tailFolder.ts";

const iso = (second: number) => new Date(Date.UTC(2026, 9, 5, 9) + second * 1000).toISOString();
const line = (record: object) => `${JSON.stringify(record)}\n`;
const may = (permissionMode: string) => line({ type: "permission-mode", permissionMode, sessionId: "s1" });
const codex = (second: number, type: string, payload: object) => line({ timestamp: iso(second), type, payload });
const turn = (second: number, sandbox: string) =>
  codex(second, "turn_context", { cwd: "/p", approval_policy: "never", sandbox_policy: { type: sandbox } });
const said = (second: number, text: string) =>
  codex(second, "response_item", { type: "message", role: "assistant", content: [{ type: "output_text", text }] });
const counted = (second: number, tokens: number) => {
  const size = { input_tokens: tokens, output_tokens: 9, total_tokens: tokens + 9 };
  return codex(second, "event_msg", {
    type: "token_count",
    info: { last_token_usage: size, total_token_usage: { total_tokens: tokens * second } },
  });
};
const called = (second: number, call_id: string, bytes = 10) =>
  codex(second, "response_item", { type: "function_call", name: "shell", call_id, arguments: "y".repeat(bytes) });

async function seenIn(tail: Tail) {
  const result = await tail.read();
  assert.ok(result.kind === "read");
  return { ...seen(result.state), isWhole: result.state.isWhole };
}

const followed = (agent: AgentId, content: string, work: (tail: Tail, path: string) => Promise<void>) =>
  inFolder(async (folder) => {
    const path = join(folder, "t.jsonl");
    writeFileSync(path, content);
    await work(createTail({ adapter: adapters[agent], path }), path);
  });

describe("the end of a large file", () => {
  it("tells Claude's newest permission mode, and only what is in it", () => {
    const old = may("plan") + prompt(1) + answer(2, 20_000) + output(3, 30_000).repeat(200);
    const end = prompt(10) + answer(11, 60_000) + answer(12, 61_000);
    return followed("claude", old + may("auto") + end, async (tail, path) => {
      assert.deepEqual((await seenIn(tail)).permission, { agent: "claude", mode: "auto" });
      appendFileSync(path, may("acceptEdits"));
      assert.deepEqual((await seenIn(tail)).permission, { agent: "claude", mode: "acceptEdits" });
      writeFileSync(join(path, "../none.jsonl"), old + end);
      const none = await seenIn(createTail({ adapter: adapters.claude, path: join(path, "../none.jsonl") }));
      assert.deepEqual([none.permission, none.isWhole], [undefined, false]);
    });
  });

  it("tells what Codex may do, though it says so before the prompt and long before the answers", () => {
    const old = turn(1, "danger-full-access") + counted(2, 20_000) + called(3, "c0", 30_000).repeat(200);
    const end =
      turn(10, "read-only") +
      codex(10, "response_item", { type: "message", role: "user", content: [{ text: "y".repeat(20_000) }] }) +
      codex(11, "event_msg", { type: "user_message", message: "go" }) +
      called(12, "c1", 900_000).repeat(4) +
      counted(13, 60_000) +
      counted(14, 61_000);
    return followed("codex", old + end, async (tail) => {
      const { permission, isWhole, lastHuman } = await seenIn(tail);
      assert.deepEqual(permission, { agent: "codex", sandbox: "read-only", approval: "never", plan: false });
      assert.deepEqual([isWhole, lastHuman.kind], [false, "known"]);
    });
  });

  it("begins counts that only grow with what is appended", () => {
    const old = prompt(1) + answer(2, 20_000) + output(3, 30_000).repeat(200);
    const call = (id: string) => ({ content: [{ type: "tool_use", id, name: "Bash" }], stop_reason: "tool_use" });
    return followed("claude", old + prompt(10) + answer(11, 60_000) + answer(12, 61_000), async (tail, path) => {
      const before = await seenIn(tail);
      appendFileSync(path, answer(13, 62_000, { id: "same", ...call("t1") }) + answer(14, 62_000, { id: "same" }));
      const grown = await seenIn(tail);
      assert.deepEqual([grown.answers - before.answers, grown.toolCalls - before.toolCalls], [1, 1]);
      appendFileSync(path, answer(15, 63_000, call("t1")) + answer(16, 64_000, call("t2")));
      const more = await seenIn(tail);
      assert.deepEqual([more.answers - before.answers, more.toolCalls - before.toolCalls], [3, 2]);
    });
  });

  it("tells whether the model asked something last, of either agent", async () => {
    const asks = { content: [{ type: "text", text: "Shall I go **on?**" }] };
    const old = prompt(1) + answer(2, 20_000) + output(3, 30_000).repeat(200);
    await followed("claude", old + prompt(10) + answer(11, 60_000) + answer(12, 61_000, asks), async (tail, path) => {
      assert.equal((await seenIn(tail)).endsWithQuestion, true);
      appendFileSync(path, prompt(13, "yes"));
      assert.equal((await seenIn(tail)).endsWithQuestion, false);
    });
    const long = `${"word ".repeat(2000)}Shall I?`;
    await followed("codex", counted(1, 20_000) + said(2, long) + counted(2, 21_000), async (tail, path) => {
      assert.deepEqual([(await seenIn(tail)).endsWithQuestion, long.length > 4096], [true, true]);
      appendFileSync(path, said(3, "Done."));
      assert.equal((await seenIn(tail)).endsWithQuestion, false);
    });
  });

  it("passes over what a command of ours expanded to on the way to the person's last prompt", () => {
    const command = line({
      type: "user",
      uuid: "c1",
      timestamp: iso(11),
      promptSource: "typed",
      promptId: "p1",
      message: { content: "<command-name>/dr-next</command-name>\n<command-args>ABC-12</command-args>" },
    });
    const content = prompt(1) + output(3, 30_000).repeat(200) + command + answer(12, 60_000) + answer(13, 61_000);
    return followed("claude", content, async (_, path) => {
      const typed = [typedText("/dr-next ABC-12", Date.parse(iso(10)))];
      const isOurs = (fact: Parameters<typeof isTyped>[1]) => isTyped(typed, fact);
      const { lastHuman } = await seenIn(createTail({ adapter: adapters.claude, path, isOurs }));
      assert.ok(lastHuman.kind === "known");
    });
  });
});
