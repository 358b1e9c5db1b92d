import assert from "node:assert/strict";
import fc from "fast-check";
import { codex } from "../../../server/agents/codex/adapter.ts";
import { parseCompactLimit } from "../../../server/agents/codex/settings.ts";
import { digestOf } from "../../../server/core/digest.ts";

const at = Date.parse("2026-10-05T09:00:00.000Z");
const parse = (line: string) => codex.parseLine({ whole: true, bytes: Buffer.from(line) });
function factsOf(type: string, payload: unknown, more: object = {}) {
  const parsed = parse(JSON.stringify({ timestamp: "2026-10-05T09:00:00.000Z", ...more, type, payload }));
  assert.ok(parsed.kind === "record");
  return parsed.facts;
}
const event = (payload: object, more: object = {}) => factsOf("event_msg", payload, more);
const paginated = { ordinal: 3 };

describe("codex: lines", () => {
  it("tells blank, bad and unknown lines apart", () => {
    assert.equal(parse(" \r").kind, "blank");
    assert.equal(parse('{"type":"event_msg","payload":{"type":"token_count"').kind, "bad");
    assert.equal(parse('{"type":"event_msg","payload":{"type":"token_count"} oops}').kind, "bad");
    assert.deepEqual(parse('{"type":"tomorrow"}'), { kind: "record", facts: [] });
  });

  it("never throws, whatever the line", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => void codex.parseLine({ whole: true, bytes })));
    fc.assert(
      fc.property(
        fc.json(),
        fc.constantFrom(
          "token_count",
          "task_started",
          "task_complete",
          "user_message",
          "item_completed",
          "turn_aborted",
        ),
        (json, type) => {
          parse(
            `{"type":"event_msg","payload":{"type":"${type}","info":${json},"item":${json},"error":${json},"message":${json},"turn_id":${json}}}`,
          );
          parse(`{"type":"session_meta","payload":${json}}`);
          parse(`{"type":"turn_context","payload":${json}}`);
        },
      ),
    );
  });

  it("knows a conversation's file by its name", () => {
    assert.equal(
      codex.conversationIdOf(
        "/h/.codex/sessions/2026/10/05/rollout-2026-10-05T10-00-00-01A22e3d-d0c3-7001-893d-47df0040fa48.jsonl",
      ),
      "01A22e3d-d0c3-7001-893d-47df0040fa48",
    );
    assert.equal(codex.conversationIdOf("/h/.codex/history.jsonl"), undefined);
  });
});

describe("codex: whose it is", () => {
  it("reads the head, and whether a fork replays its parent", () => {
    const meta = { id: "c1", cwd: "/p", cli_version: "0.171.0", source: "cli" };
    const about = { kind: "opened", at, conversationId: "c1", cwd: "/p", version: "0.171.0", subAgent: false } as const;
    assert.deepEqual(factsOf("session_meta", meta), [about]);
    assert.deepEqual(factsOf("session_meta", { ...meta, forked_from_id: "c0" }), [
      { ...about, forkedFrom: "c0", replaysParent: true },
    ]);
    assert.deepEqual(factsOf("session_meta", { ...meta, forked_from_id: "c0", history_base: {} }), [
      { ...about, forkedFrom: "c0", replaysParent: false },
    ]);
  });

  it("knows a sub-agent's file", () => {
    for (const source of [{ subagent: { thread_spawn: {} } }, { subAgent: "review" }, "subagent"]) {
      const [fact] = factsOf("session_meta", { id: "c1", source });
      assert.ok(fact?.kind === "opened" && fact.subAgent === true, JSON.stringify(source));
    }
    const [fact] = factsOf("session_meta", { id: "c1", thread_source: "subagent" });
    assert.ok(fact?.kind === "opened" && fact.subAgent === true);
  });

  it("reads model and folder of a turn", () => {
    assert.deepEqual(factsOf("turn_context", { model: "gpt-5.5", cwd: "/p" }), [
      { kind: "model", at, model: "gpt-5.5" },
      { kind: "opened", at, cwd: "/p" },
    ]);
    assert.deepEqual(factsOf("turn_context", {}), []);
  });
});

describe("codex: size", () => {
  const count = (last: object | null, total: object | null = { total_tokens: 9000 }, window: unknown = 258_400) =>
    event({
      type: "token_count",
      info: { total_token_usage: total, last_token_usage: last, model_context_window: window },
    });

  it("is the last usage, never the sum of all (R19)", () => {
    assert.deepEqual(count({ input_tokens: 900, output_tokens: 5, total_tokens: 905 }), [
      { kind: "window", at, windowSize: 258_400 },
      { kind: "usage", at, responseId: "9000/905", tokens: 905, output: 5 },
    ]);
    assert.deepEqual(count(null), [{ kind: "window", at, windowSize: 258_400 }]);
    assert.deepEqual(event({ type: "token_count", info: null, rate_limits: null }), []);
  });

  it("is an estimate where nothing but the total stands", () => {
    const [, fact] = count({ input_tokens: 0, output_tokens: 0, total_tokens: 7463 });
    assert.ok(fact?.kind === "usage" && fact.estimate === true && fact.tokens === 7463);
  });

  it("is put together where the total is missing", () => {
    const [fact] = count({ input_tokens: 900, output_tokens: 5 }, null, null);
    assert.ok(fact?.kind === "usage" && fact.tokens === 905 && fact.responseId === `${at}/905`);
  });
});

describe("codex: turns", () => {
  it("start with what triggered them, where the version says", () => {
    assert.deepEqual(
      event({ type: "task_started", turn_id: "t1", turn_attribution: {}, model_context_window: 258_400 }, paginated),
      [
        { kind: "turn-started", at, turnId: "t1", attributed: true },
        { kind: "window", at, windowSize: 258_400 },
      ],
    );
    assert.deepEqual(event({ type: "task_started", turn_id: "t1" }, paginated), [
      { kind: "turn-started", at, turnId: "t1", attributed: false },
    ]);
    assert.deepEqual(event({ type: "task_started" }), [{ kind: "turn-started", at }]);
  });

  it("end, break off, or fail", () => {
    assert.deepEqual(event({ type: "task_complete", turn_id: "t1" }), [{ kind: "turn-ended", at, turnId: "t1" }]);
    assert.deepEqual(event({ type: "turn_aborted", reason: "interrupted" }), [
      { kind: "turn-ended", at },
      { kind: "interrupted", at },
    ]);
    assert.deepEqual(event({ type: "turn_aborted", turn_id: "t1" }).at(-1), { kind: "interrupted", at, turnId: "t1" });
    assert.deepEqual(event({ type: "turn_aborted", reason: "replaced" }), [{ kind: "turn-ended", at }]);
    assert.deepEqual(
      event({ type: "task_complete", error: { message: "x", codex_error_info: "context_window_exceeded" } }).at(-1),
      { kind: "api-error", at, overflow: true },
    );
    assert.deepEqual(event({ type: "task_complete", error: { message: "limit" } }).at(-1), {
      kind: "api-error",
      at,
      overflow: false,
    });
    assert.deepEqual(event({ type: "error", message: "x", codex_error_info: { context_window_exceeded: {} } }), [
      { kind: "api-error", at, overflow: true },
    ]);
  });

  it("hold calls, results and questions", () => {
    assert.deepEqual(factsOf("response_item", { type: "function_call", call_id: "c1", name: "shell" }), [
      { kind: "tool-called", at, callId: "c1" },
    ]);
    assert.deepEqual(factsOf("response_item", { type: "custom_tool_call_output", call_id: "c1" }), [
      { kind: "tool-returned", at, callId: "c1" },
    ]);
    const [asked] = factsOf("response_item", { type: "function_call", call_id: "c1", name: "request_user_input" });
    assert.ok(asked?.kind === "tool-called" && asked.waitsFor !== undefined);
    assert.deepEqual(factsOf("response_item", { type: "message", role: "assistant", id: "m1" }), []);
    assert.deepEqual(factsOf("response_item", { type: "function_call" }), []);
  });

  it("may compact", () => {
    assert.deepEqual(factsOf("compacted", { message: "" }), [{ kind: "compacted", at, trigger: "unknown" }]);
    assert.deepEqual(event({ type: "context_compacted" }), [
      { kind: "compacted", at, trigger: "unknown", announced: true },
    ]);
  });
});

describe("codex: who spoke", () => {
  it("reads submitted prompts of both histories", () => {
    assert.deepEqual(event({ type: "user_message", message: "go on" }), [
      { kind: "prompt", at, recordId: "2026-10-05T09:00:00.000Z", digest: digestOf("goon"), record: "message" },
    ]);
    const item = { type: "UserMessage", id: "i1", content: [{ type: "text", text: "go on" }, { type: "image" }] };
    assert.deepEqual(event({ type: "item_completed", item }, paginated), [
      { kind: "prompt", at, recordId: "i1", digest: digestOf("go on"), record: "item" },
    ]);
  });

  it("takes nothing injected for a person", () => {
    for (const message of ["<environment_context>x", "<user_instructions>x", "# AGENTS.md instructions for /p"])
      assert.deepEqual(event({ type: "user_message", message }), []);
    assert.deepEqual(event({ type: "user_message", message: "x", kind: "environment_context" }), []);
    assert.deepEqual(event({ type: "item_completed", item: { type: "AgentMessage", id: "i1" } }), []);
    assert.deepEqual(event({ type: "item_completed", item: null }), []);
  });
});

describe("codex: settings", () => {
  it("reads the compaction line of the top level only", () => {
    assert.equal(parseCompactLimit('model = "x"\nmodel_auto_compact_token_limit = 200_000 # mine\n'), 200_000);
    assert.equal(parseCompactLimit("[profiles.x]\nmodel_auto_compact_token_limit = 5\n"), undefined);
    assert.equal(parseCompactLimit("model_auto_compact_token_limit = 0"), undefined);
    assert.equal(parseCompactLimit(""), undefined);
  });
});
