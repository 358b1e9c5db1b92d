import assert from "node:assert/strict";
import { claude } from "../../../server/agents/claude/adapter.ts";
import { digestOf } from "../../../server/core/digest.ts";
import { answer, at, common, factsOf, kindsOf, usage, usageOf, user } from "./claudeRecords.ts";

describe("claude: responses", () => {
  it("counts input, cache creation and cache read (R3)", () => {
    assert.deepEqual(usageOf(answer({ usage })), {
      kind: "usage",
      at,
      responseId: "m1",
      tokens: 31_004,
      output: 9,
      model: "claude-opus-4-6",
    });
  });

  it("takes the split of a cache creation, nulls and odd types for what they are", () => {
    assert.equal(
      usageOf(
        answer({
          usage: {
            input_tokens: 4,
            cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 5 },
            cache_read_input_tokens: null,
          },
        }),
      )?.tokens,
      19,
    );
    assert.equal(usageOf(answer({ usage: { input_tokens: "4", cache_read_input_tokens: 100 } }))?.tokens, 100);
    assert.equal(usageOf(answer({ usage: null })), undefined);
    assert.equal(usageOf(answer({ usage: "many" })), undefined);
  });

  it("tell a response without figures from one of nothing", () => {
    const kinds = (message: object) =>
      kindsOf(answer(message)).filter((kind) => kind === "usage" || kind === "unmetered");
    assert.deepEqual(kinds({}), ["unmetered"]);
    assert.deepEqual(kinds({ usage: {} }), ["unmetered"]);
    assert.deepEqual(kinds({ usage: { input_tokens: null, output_tokens: 40 } }), ["unmetered"]);
    assert.deepEqual(kinds({ usage: { input_tokens: "50000" } }), ["unmetered"]);
    assert.deepEqual(kinds({ usage: { input_tokens: 1e300 } }), ["unmetered"]);
    assert.deepEqual(kinds({ usage: { input_tokens: 0, output_tokens: 40 } }), ["usage"]);
    assert.deepEqual(kinds({ usage: { input_tokens: 0, output_tokens: 1 }, stop_reason: null }), ["unmetered"]);
    assert.deepEqual(kinds({ usage: {}, stop_reason: null }), []);
  });

  it("takes the last pass of a response that went over the context several times", () => {
    const iterations = [
      { type: "message", input_tokens: 10, cache_read_input_tokens: 20_000, output_tokens: 5 },
      { type: "message", input_tokens: 10, cache_read_input_tokens: 21_000, output_tokens: 7 },
    ];
    const found = usageOf(
      answer({ usage: { input_tokens: 20, cache_read_input_tokens: 41_000, output_tokens: 12, iterations } }),
    );
    assert.deepEqual([found?.tokens, found?.output], [21_010, 7]);
    assert.equal(
      usageOf(
        answer({
          usage: {
            ...usage,
            iterations: [
              { type: "compaction", input_tokens: 180_000 },
              { type: "message", input_tokens: 1 },
            ],
          },
        }),
      )?.tokens,
      31_004,
    );
    assert.equal(usageOf(answer({ usage: { ...usage, iterations: [] } }))?.tokens, 31_004);
  });

  it("passes over the placeholder of a response that has only begun", () => {
    const zero = { input_tokens: 0, output_tokens: 0 };
    assert.equal(usageOf(answer({ usage: zero, stop_reason: null })), undefined);
    assert.equal(usageOf(answer({ usage: zero }))?.tokens, 0);
  });

  it("keeps the suffix that the API drops", () => {
    assert.equal(usageOf(answer({ usage }, { requestedModel: "claude-opus-4-6[1m]" }))?.model, "claude-opus-4-6[1m]");
    assert.deepEqual(factsOf(answer({ usage: undefined }))[0], { kind: "model", at, model: "claude-opus-4-6" });
  });

  it("names a response by its request where it has no id", () => {
    assert.equal(usageOf(answer({ usage, id: undefined }, { requestId: "r1" }))?.responseId, "r1");
    assert.equal(usageOf(answer({ usage, id: undefined }))?.responseId, "u1");
  });

  it("takes neither size nor model from an error (R27)", () => {
    const error = answer(
      { model: "<synthetic>", usage, content: [{ type: "text", text: "API Error: overloaded" }] },
      { isApiErrorMessage: true },
    );
    assert.deepEqual(factsOf(error), [{ kind: "api-error", at, overflow: false }]);
    const overflow = answer({ model: "<synthetic>", content: [{ type: "text", text: "Prompt is too long" }] });
    assert.deepEqual(factsOf(overflow), [{ kind: "api-error", at, overflow: true }]);
    assert.deepEqual(
      kindsOf(answer({ model: "<synthetic>", content: [{ type: "text", text: "No response requested." }] })),
      ["turn-ended"],
    );
  });

  it("tells calls, questions and ends", () => {
    const call = (name: string) =>
      answer({ usage, stop_reason: "tool_use", content: [{ type: "tool_use", id: "t1", name, input: {} }] });
    assert.deepEqual(factsOf(call("Bash")).at(-1), { kind: "tool-called", at, callId: "t1", responseId: "m1" });
    const asked = factsOf(call("AskUserQuestion")).at(-1);
    assert.ok(asked?.kind === "tool-called" && asked.waitsFor !== undefined);
    assert.equal(kindsOf(answer({ usage })).at(-1), "turn-ended");
    assert.equal(kindsOf(answer({ usage, stop_reason: null })).at(-1), "working");
    assert.equal(kindsOf(answer({ usage, stop_reason: "pause_turn" })).at(-1), "working");
  });
});

describe("claude: the rest", () => {
  const system = (more: object) => factsOf({ ...common, type: "system", ...more });

  it("reads a boundary of either shape", () => {
    const full = {
      subtype: "compact_boundary",
      compactMetadata: { trigger: "manual", preTokens: 60_010, postTokens: 2868 },
    };
    assert.deepEqual(system(full), [
      { kind: "compacted", at, trigger: "manual", recordId: "u1", preTokens: 60_010, postTokens: 2868 },
    ]);
    assert.deepEqual(system({ subtype: "compact_boundary" }), [
      { kind: "compacted", at, trigger: "unknown", recordId: "u1" },
    ]);
  });

  it("ends a turn with its duration, and names what still runs", () => {
    assert.deepEqual(system({ subtype: "turn_duration", pendingBackgroundAgentCount: 2 }), [
      { kind: "turn-ended", at, pendingAgents: 2 },
    ]);
    assert.deepEqual(system({ subtype: "stop_hook_summary" }), []);
  });

  it("counts the queue", () => {
    const queue = (operation: string, content?: string) =>
      factsOf({ type: "queue-operation", operation, timestamp: common.timestamp, content })[0];
    assert.deepEqual(queue("enqueue", "next"), { kind: "queued", at, digest: digestOf("next") });
    assert.deepEqual(queue("dequeue"), { kind: "dequeued", at, all: false });
    assert.deepEqual(queue("remove", "next"), { kind: "dequeued", at, all: false, digest: digestOf("next") });
    assert.deepEqual(queue("popAll"), { kind: "dequeued", at, all: true });
    assert.equal(queue("tomorrow"), undefined);
  });

  it("reads the model in use and the prompt given to a running turn", () => {
    const attachment = (attachment: object) => factsOf({ ...common, type: "attachment", attachment })[0];
    assert.deepEqual(attachment({ type: "model", identity: { modelId: "claude-opus-5-5" } }), {
      kind: "model",
      at,
      model: "claude-opus-5-5",
    });
    assert.equal(attachment({ type: "model" }), undefined);
    assert.deepEqual(attachment({ type: "queued_command", prompt: "and this", commandMode: "prompt" }), {
      kind: "prompt",
      at,
      recordId: "u1",
      digest: digestOf("and this"),
      source: "queued",
      midTurn: true,
    });
    const notice = attachment({
      type: "queued_command",
      prompt: "<task-notification>",
      commandMode: "task-notification",
    });
    assert.ok(notice?.kind === "prompt" && notice.source === "system");
    assert.equal(attachment({ type: "date" }), undefined);
  });

  it("reads the start and the end of a shell in the background", () => {
    const started = user([{ type: "tool_result", tool_use_id: "t1", content: "" }], {
      toolUseResult: { backgroundTaskId: "b1" },
    });
    assert.deepEqual(factsOf(started).at(-1), { kind: "shell-started", at, shellId: "b1" });
    assert.deepEqual(factsOf(user("<task-notification><task-id>b1</task-id>")).at(-1), {
      kind: "task-ended",
      at,
      taskId: "b1",
    });
  });

  it("takes the ids of a long tool result without parsing it", () => {
    const long = user([{ tool_use_id: "t1", type: "tool_result", content: "x".repeat(10_000) }], { uuid: "u9" });
    assert.deepEqual(factsOf(long), [{ kind: "tool-returned", at, callId: "t1" }]);
    assert.deepEqual(factsOf({ isSidechain: true, ...long }), [{ kind: "sidechain", at }]);
  });

  it("leaves out of old lines what cannot last", () => {
    const old = (record: unknown) => {
      const parsed = claude.parseLine({ whole: true, bytes: Buffer.from(JSON.stringify(record)) }, "lasting");
      return parsed.kind === "record" ? parsed.facts.map(({ kind }) => kind) : parsed.kind;
    };
    assert.deepEqual(old(answer({ usage })), []);
    assert.deepEqual(old(user([{ type: "tool_result", tool_use_id: "t1", content: "" }])), []);
    assert.deepEqual(old(user("hi")), ["opened", "prompt"]);
  });

  it("knows a conversation's file by its name", () => {
    const id = "39128B3A-f034-420f-86c2-8c668c413334";
    assert.equal(claude.conversationIdOf(`/h/.claude/projects/-p/${id}.jsonl`), id);
    assert.equal(claude.conversationIdOf(`C:\\h\\projects\\-p\\${id}.jsonl`), id);
    assert.equal(claude.conversationIdOf(`/p/${id}/subagents/${id}.jsonl`), undefined);
    assert.equal(claude.conversationIdOf("/p/agent-a6fb8ec187a1793d9.jsonl"), undefined);
  });
});
