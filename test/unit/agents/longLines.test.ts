import assert from "node:assert/strict";
import fc from "fast-check";
import type { TranscriptLine } from "../../../server/agents/adapter.ts";
import { claude } from "../../../server/agents/claude/adapter.ts";
import { codex } from "../../../server/agents/codex/adapter.ts";
import { membersAtEnd, membersAtStart } from "../../../server/agents/members.ts";

const edge = 64 * 1024;
const big = 'A\\n\\"quoted\\" '.repeat(200_000);
const at = Date.parse("2026-10-05T09:00:00.000Z");

function cut(text: string): TranscriptLine {
  const bytes = Buffer.from(text);
  assert.ok(bytes.length > 1024 ** 2);
  return { whole: false, head: bytes.subarray(0, edge), tail: bytes.subarray(-edge), length: bytes.length };
}
const kindsOf = (line: string, adapter = claude) => {
  const parsed = adapter.parseLine(cut(line));
  assert.ok(parsed.kind === "record");
  return parsed.facts;
};
const around = '"uuid":"u1","timestamp":"2026-10-05T09:00:00.000Z","sessionId":"s1"';
const usage = '"usage":{"input_tokens":4,"cache_read_input_tokens":70000,"output_tokens":9}';

describe("lines too long to hold", () => {
  it("still give a response's size, wherever its usage stands", () => {
    for (const line of [
      `{"isSidechain":false,"message":{"id":"m1","model":"claude-x","content":[{"type":"text","text":"${big}"}],"stop_reason":"end_turn",${usage}},"type":"assistant",${around}}`,
      `{"type":"assistant",${around},"message":{${usage},"id":"m1","model":"claude-x","stop_reason":"end_turn","content":[{"type":"text","text":"${big}"}]}}`,
    ])
      assert.deepEqual(
        kindsOf(line).filter(({ kind }) => kind !== "working"),
        [
          { kind: "usage", at, responseId: "m1", tokens: 70_004, output: 9, model: "claude-x" },
          { kind: "turn-ended", at },
        ],
      );
  });

  it("still tell a tool call of a response", () => {
    const line = `{"type":"assistant",${around},"message":{"id":"m1","content":[{"type":"tool_use","id":"t1","name":"Write","input":{"content":"${big}","usage":{"input_tokens":5}}}],"stop_reason":"tool_use",${usage}}}`;
    const facts = kindsOf(line);
    assert.deepEqual(facts.at(-1), { kind: "tool-called", at, callId: "t1", responseId: "m1" });
    const found = facts.find((fact) => fact.kind === "usage");
    assert.ok(found?.kind === "usage" && found.tokens === 70_004);
  });

  it("still answer a tool call", () => {
    const line = `{"type":"user","isSidechain":false,${around},"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"${big}"}]}}`;
    assert.deepEqual(kindsOf(line), [{ kind: "tool-returned", at, callId: "t1" }]);
    const twice = `{"message":{"role":"user","content":[{"tool_use_id":"t1","type":"tool_result","content":"${big}"}]},"type":"user",${around},"toolUseResult":{"stdout":"${big}"},"version":"2"}`;
    assert.equal(kindsOf(twice)[0]?.kind, "tool-returned");
  });

  it("still are a person's prompt, with or without pasted images", () => {
    for (const content of [
      `"${big}"`,
      `[{"type":"text","text":"see"},{"type":"image","source":{"data":"${big}"}}]`,
      `[{"type":"image","source":{"data":"${big}"}}]`,
    ]) {
      const facts = kindsOf(
        `{"type":"user","message":{"role":"user","content":${content}},${around},"promptSource":"typed","origin":{"kind":"human"}}`,
      );
      assert.deepEqual(facts, [{ kind: "prompt", at, recordId: "u1", digest: "", source: "typed" }]);
    }
  });

  it("still are no prompt where they are a summary, a notice or a sub-agent's", () => {
    const line = (more: string, content = `"${big}"`) =>
      `{"type":"user","message":{"role":"user","content":${content}},${around}${more}}`;
    assert.deepEqual(kindsOf(line(',"isCompactSummary":true')), []);
    assert.deepEqual(kindsOf(line(',"isSidechain":true')), [{ kind: "sidechain", at }]);
    const notice = kindsOf(line("", `"<task-notification>${big}"`))[0];
    assert.ok(notice?.kind === "prompt" && notice.source === "system");
  });

  it("still are a boundary or queued input", () => {
    const boundary = `{"type":"system","subtype":"compact_boundary",${around},"compactMetadata":{"trigger":"auto","preTokens":9,"postTokens":3,"preservedMessages":{"uuids":["${big}"]}}}`;
    assert.deepEqual(kindsOf(boundary), [
      { kind: "compacted", at, trigger: "auto", recordId: "u1", preTokens: 9, postTokens: 3 },
    ]);
    const queued = `{"type":"queue-operation","operation":"enqueue","timestamp":"2026-10-05T09:00:00.000Z","sessionId":"s1","content":"${big}"}`;
    assert.deepEqual(kindsOf(queued), [{ kind: "queued", at }]);
    assert.deepEqual(kindsOf(`{"type":"system","subtype":"other",${around},"content":"${big}"}`), []);
  });

  it("still are Codex's calls, results, compactions, prompts and ends", () => {
    const line = (type: string, payload: string) =>
      `{"timestamp":"2026-10-05T09:00:00.000Z","ordinal":1,"type":"${type}","payload":${payload}}`;
    const facts = (type: string, payload: string) => kindsOf(line(type, payload), codex);
    assert.deepEqual(facts("response_item", `{"type":"function_call_output","call_id":"c1","output":"${big}"}`), [
      { kind: "tool-returned", at, callId: "c1" },
    ]);
    assert.deepEqual(facts("response_item", `{"type":"custom_tool_call","input":"${big}","call_id":"c1"}`), [
      { kind: "tool-called", at, callId: "c1" },
    ]);
    assert.deepEqual(facts("compacted", `{"message":"","replacement_history":["${big}"]}`), [
      { kind: "compacted", at, trigger: "unknown" },
    ]);
    assert.equal(facts("event_msg", `{"type":"user_message","message":"${big}"}`)[0]?.kind, "prompt");
    assert.equal(
      facts(
        "event_msg",
        `{"type":"item_completed","thread_id":"t","item":{"type":"UserMessage","id":"i1","content":["${big}"]}}`,
      )[0]?.kind,
      "prompt",
    );
    assert.deepEqual(facts("event_msg", `{"type":"task_complete","last_agent_message":"${big}","turn_id":"t1"}`), [
      { kind: "turn-ended", at, turnId: "t1" },
    ]);
    const meta = facts(
      "session_meta",
      `{"id":"x1","cwd":"/p","cli_version":"0.1","source":{"subagent":{}},"base_instructions":"${big}"}`,
    )[0];
    assert.ok(meta?.kind === "opened" && meta.conversationId === "x1" && meta.subAgent === true);
    assert.deepEqual(facts("event_msg", `{"type":"agent_message","message":"${big}"}`), []);
    assert.deepEqual(facts("world_state", `{"state":"${big}"}`), []);
  });

  it("are bad where they are no objects", () => {
    assert.equal(claude.parseLine(cut("x".repeat(2 * 1024 ** 2))).kind, "bad");
  });
});

describe("outer members of a cut object", () => {
  it("are the object's own, however it is cut", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 6 }), fc.nat(400), (object, length) => {
        const { __proto__: _, ...plain } = object;
        const text = JSON.stringify(plain);
        const start = membersAtStart(text.slice(0, length));
        const end = membersAtEnd(text.slice(Math.max(0, text.length - length)));
        const known: unknown = JSON.parse(text);
        assert.ok(typeof known === "object" && known !== null);
        const values = new Map(Object.entries(known));
        for (const found of [start, end])
          for (const [key, value] of found)
            if (!key.includes(".")) assert.deepEqual(value, values.get(key), `${key} of ${text}`);
      }),
    );
  });

  it("are all there where nothing was cut off", () => {
    const text = '{"a":1,"b":"x\\"y","m":{"u":{"v":2},"w":[1,{"z":3}]},"c":null,"d":[true]}';
    assert.deepEqual(
      [...membersAtEnd(text)]
        .filter(([key]) => !key.startsWith("?"))
        .map(([key]) => key)
        .toSorted(),
      ["a", "b", "c", "d", "m"],
    );
    assert.deepEqual(membersAtEnd(text).get("?.u"), { v: 2 });
    assert.deepEqual(membersAtStart(text).get("m.u"), { v: 2 });
    assert.deepEqual(membersAtStart(text).get("d"), [true]);
  });
});
