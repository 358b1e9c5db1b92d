import assert from "node:assert/strict";
import { codex } from "../../../server/agents/codex/adapter.ts";
import { answer, at, common, factsOf, parse, usage, user } from "./claudeRecords.ts";

const timestamp = "2026-10-05T09:00:00.000Z";
function codexFacts(type: string, payload: object, more: object = {}, wanted: "all" | "lasting" = "all") {
  const bytes = Buffer.from(JSON.stringify({ timestamp, ordinal: 3, type, payload, ...more }));
  const parsed = codex.parseLine({ whole: true, bytes }, wanted);
  assert.ok(parsed.kind === "record");
  return parsed.facts;
}

describe("what the agent may do", () => {
  const modeOf = (record: unknown) =>
    factsOf(record).flatMap((fact) => (fact.kind === "permission" ? [fact.state] : []));

  it("stands in Claude's typed prompts and in a record of its own", () => {
    const typed = { promptSource: "typed", origin: { kind: "human" } };
    for (const mode of ["default", "acceptEdits", "auto", "plan", "bypassPermissions", "dontAsk"]) {
      assert.deepEqual(modeOf(user("go", { ...typed, permissionMode: mode })), [{ agent: "claude", mode }]);
      assert.deepEqual(parse(JSON.stringify({ type: "permission-mode", permissionMode: mode, sessionId: "s1" })), {
        kind: "record",
        facts: [{ kind: "permission", at: undefined, state: { agent: "claude", mode } }],
      });
    }
    assert.deepEqual(modeOf(user("go", { permissionMode: "tomorrow" })), [{ agent: "claude", mode: "other" }]);
    assert.deepEqual(modeOf(user("go", { permissionMode: 5 })), []);
  });

  it("is not taken from a sub-agent's records", () => {
    assert.deepEqual(modeOf(user("go", { permissionMode: "plan", isSidechain: true })), []);
  });

  it("stands in every turn of Codex, in today's files and older ones, whatever else is read", () => {
    const stateOf = (payload: object, wanted: "all" | "lasting" = "all") =>
      codexFacts("turn_context", payload, {}, wanted).flatMap((fact) => (fact.kind === "permission" ? fact.state : []));
    const plan = {
      approval_policy: "never",
      sandbox_policy: { type: "read-only" },
      collaboration_mode: { mode: "plan" },
    };
    const planned = [{ agent: "codex", sandbox: "read-only", approval: "never", plan: true }];
    assert.deepEqual(stateOf(plan), planned);
    assert.deepEqual(stateOf(plan, "lasting"), planned);
    assert.deepEqual(
      stateOf({
        approval_policy: "on-request",
        sandbox_policy: { mode: "workspace-write", network_access: false },
        collaboration_mode: { mode: "default", settings: {} },
      }),
      [{ agent: "codex", sandbox: "workspace-write", approval: "on-request", plan: false }],
    );
    assert.deepEqual(stateOf({ approval_policy: { granular: {} }, sandbox_policy: "danger-full-access" }), [
      { agent: "codex", sandbox: "danger-full-access", approval: "other", plan: false },
    ]);
    assert.deepEqual(stateOf({ approval_policy: "untrusted", sandbox_policy: { type: "external" } }), [
      { agent: "codex", sandbox: "other", approval: "other", plan: false },
    ]);
    assert.deepEqual(stateOf({ model: "gpt-5" }), []);
  });
});

describe("what the model says", () => {
  const isQuestion = (facts: ReturnType<typeof factsOf>) =>
    facts.flatMap((fact) => (fact.kind === "said" ? [fact.isQuestion] : []));
  const claudeSays = (...texts: readonly string[]) =>
    isQuestion(factsOf(answer({ usage, content: texts.map((text) => ({ type: "text", text })) })));
  const codexSays = (text: string, more: object = {}) =>
    isQuestion(
      codexFacts(
        "response_item",
        { type: "message", role: "assistant", content: [{ type: "output_text", text }] },
        more,
      ),
    );

  it("is a question where its last text ends with a question mark", () => {
    const questions = ["Shall I?", "Shall I? \n", "**Shall I?**", '"Shall I?"', "(shall I?)", "`ok?`_", "好吗？", "?"];
    for (const text of questions) assert.deepEqual([...claudeSays(text), ...codexSays(text)], [true, true], text);
    for (const text of ["Done.", "Why? Because.", "Why?\n\nBecause", "…", "?)x"])
      assert.deepEqual([...claudeSays(text), ...codexSays(text)], [false, false], text);
    assert.deepEqual(claudeSays("Shall I?", "Done."), [false]);
    assert.deepEqual(claudeSays("Done.", "Shall I?"), [true]);
    assert.deepEqual(claudeSays("Shall I?", " "), [true]);
  });

  it("is nothing where there is no text", () => {
    assert.deepEqual(claudeSays(), []);
    assert.deepEqual(claudeSays(" \n"), []);
    assert.deepEqual(isQuestion(factsOf(answer({ content: [{ type: "thinking", thinking: "Why?" }] }))), []);
    assert.deepEqual(codexSays(""), []);
  });

  it("is read whole however long it is", () => {
    const long = `${"word ".repeat(20_000)}shall I?`;
    assert.deepEqual([...claudeSays(long), ...codexSays(long)], [true, true]);
  });

  it("is never an error, a sub-agent's, a summary's or a person's", () => {
    const error = answer({ model: "<synthetic>", content: [{ type: "text", text: "API Error: why?" }] });
    assert.deepEqual(isQuestion(factsOf(error)), []);
    assert.deepEqual(isQuestion(factsOf(answer({ content: "Why?" }, { isSidechain: true }))), []);
    assert.deepEqual(isQuestion(factsOf(user("Why?", { isCompactSummary: true }))), []);
    assert.deepEqual(isQuestion(factsOf(user("Why?"))), []);
    assert.deepEqual(codexFacts("response_item", { type: "message", role: "user", content: [{ text: "Why?" }] }), []);
    const summary = { type: "message", role: "assistant", content: [{ type: "output_text", text: "Why?" }] };
    assert.deepEqual(codexFacts("response_item", summary, { metadata: { compaction_output: true } }), [
      { kind: "summarising", at },
    ]);
  });

  it("stands in older files of Codex as an event", () => {
    assert.deepEqual(codexFacts("event_msg", { type: "agent_message", message: "Shall I?" }), [
      { kind: "said", at, isQuestion: true },
    ]);
  });

  it("leaves no text behind", () => {
    const said = factsOf({ ...answer({ usage, content: [{ type: "text", text: "secret?" }] }), ...common });
    assert.ok(!JSON.stringify(said).includes("secret"));
  });
});
