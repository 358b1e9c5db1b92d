import assert from "node:assert/strict";
import { adapters } from "../../../server/agents/registry.ts";
import { typedText } from "../../../server/cli/measureTyped.ts";
import { foldFacts } from "../../../server/core/fold.ts";
import type { TypedEntry } from "../../../server/core/humanPrompts.ts";
import type { AgentId } from "../../../server/protocol/agents.ts";
import { usage } from "./claudeRecords.ts";

const start = Date.parse("2026-10-05T09:00:00.000Z");
const iso = (second: number) => new Date(start + second * 1000).toISOString();
const request =
  `[plimsoll save k7] Write your state into .plimsoll/k7/state.md. ${"Say all of it. ".repeat(40)}`.trim();

function human(agent: AgentId, records: readonly object[], typed: readonly TypedEntry[]) {
  const facts = records.flatMap((record) => {
    const parsed = adapters[agent].parseLine({ whole: true, bytes: Buffer.from(JSON.stringify(record)) });
    return parsed.kind === "record" ? parsed.facts : [];
  });
  const { lastHuman, lastHumanActivityAt } = foldFacts(agent, facts, { typed, humanSearchComplete: true });
  return [lastHuman.kind === "known" ? (lastHuman.at - start) / 1000 : lastHuman.kind, lastHumanActivityAt];
}

const line = (text: string, second: number): TypedEntry => typedText(text, start + second * 1000);
const esc = (second: number): TypedEntry => ({ kind: "escape", at: start + second * 1000 });

describe("claude: what we typed never is the person's", () => {
  let count = 0;
  const user = (second: number, content: unknown, more: object = {}) => ({
    type: "user",
    isSidechain: false,
    uuid: `u${++count}`,
    timestamp: iso(second),
    sessionId: "s1",
    message: { role: "user", content },
    ...more,
  });
  const typedAs = (promptId: string) => ({
    promptId,
    origin: { kind: "human" },
    promptSource: "typed",
    turnOrigin: "human",
  });
  const answer = (second: number) => ({
    type: "assistant",
    timestamp: iso(second),
    message: { id: `m${++count}`, model: "claude-opus-5-5", content: [], stop_reason: "end_turn", usage },
  });
  const name = (command: string, args = "") =>
    `<command-name>/${command}</command-name>\n            <command-message>${command}</command-message>\n            <command-args>${args}</command-args>`;
  const first = [user(0, "please fix it", typedAs("p0")), answer(5)];

  it("as a long line, typed at rest or queued", () => {
    const typed = [line(request, 60), line(`${request} Again.`, 90)];
    const records = [
      user(61, request, typedAs("p1")),
      answer(65),
      { type: "queue-operation", operation: "enqueue", timestamp: iso(91), content: `${request} Again.` },
      { type: "queue-operation", operation: "dequeue", timestamp: iso(95) },
      user(95, `${request}\nAgain.`, { ...typedAs("p2"), promptSource: "queued" }),
    ];
    assert.deepEqual(human("claude", [...first, ...records], typed), [0, undefined]);
    const steered = {
      type: "attachment",
      uuid: "a1",
      timestamp: iso(62),
      attachment: { type: "queued_command", prompt: request, commandMode: "prompt", origin: { kind: "human" } },
    };
    assert.deepEqual(human("claude", [...first, steered], typed), [0, undefined]);
  });

  it("as a command of its own, recorded once or twice", () => {
    for (const [text, command] of [
      ["/resume 7cdd4af3-bdf1-40b1-874b-d5e54d7d39dc", "resume"],
      ["/stow", "stow"],
      ["/exit", "exit"],
      ["/clear", "clear"],
      ["/compact Keep the file names", "compact"],
    ] as const) {
      const records = [
        user(61, name(command, text.split(" ").slice(1).join(" ")), { rowSource: "local" }),
        { type: "system", subtype: "local_command", uuid: "l1", timestamp: iso(61), content: name(command) },
      ];
      assert.deepEqual(human("claude", [...first, ...records], [line(text, 60)]), [0, undefined], text);
    }
  });

  it("as a command that stands for a prompt, with all that it expands to, until the model answers", () => {
    const typed = [line("/dr-next ABC-12", 60)];
    const submitted = user(61, name("dr-next", "ABC-12"), typedAs("p1"));
    const expanded = user(61, "Take task ABC-12 and go on with it.", { promptId: "p1" });
    const meta = user(61, [{ type: "text", text: "Base directory for this skill: /x" }], {
      promptId: "p1",
      isMeta: true,
    });
    assert.deepEqual(human("claude", [...first, submitted, meta, expanded], typed), [0, undefined]);
    const unnumbered = [user(61, name("dr-next", "ABC-12")), user(61, "Take task ABC-12 and go on with it.")];
    assert.deepEqual(human("claude", [...first, ...unnumbered], typed), [0, undefined]);
    const theirs = user(70, "and hurry", typedAs("p2"));
    assert.deepEqual(human("claude", [...first, submitted, expanded, theirs], typed), [70, undefined]);
    assert.deepEqual(human("claude", [...first, submitted, answer(65), theirs], typed), [70, undefined]);
  });

  it("while the first words after our clear are", () => {
    const cleared = user(61, name("clear"), { rowSource: "local" });
    const typed = [line("/clear", 60)];
    assert.deepEqual(human("claude", [cleared, user(64, "now this", typedAs("p1"))], typed), [64, undefined]);
    assert.deepEqual(human("claude", [cleared, user(64, "now this")], typed), [64, undefined]);
  });

  it("as ESC, in a turn or at a question for permission", () => {
    const marker = (text: string) => [{ type: "text", text }];
    const refused = { type: "tool_result", tool_use_id: "t1", content: "rejected", is_error: true };
    for (const content of [
      marker("[Request interrupted by user]"),
      marker("[Request interrupted by user for tool use]"),
      [refused, ...marker("[Request interrupted by user for tool use]")],
    ]) {
      assert.deepEqual(human("claude", [...first, user(61, content)], [esc(60)]), [0, undefined]);
      assert.deepEqual(human("claude", [...first, user(61, content)], []), [0, start + 61_000]);
      assert.deepEqual(human("claude", [...first, user(61, content), user(61.2, content)], [esc(60)]), [0, undefined]);
    }
  });
});

describe("codex: what we typed never is the person's", () => {
  const record = (second: number, type: string, payload: object, more: object = {}) => ({
    timestamp: iso(second),
    type,
    payload,
    ...more,
  });
  const message = (second: number, text: string) =>
    record(second, "event_msg", { type: "user_message", message: text });
  const item = (second: number, text: string, id: string) =>
    record(second, "event_msg", {
      type: "item_completed",
      item: { type: "UserMessage", id, content: [{ type: "text", text }] },
    });
  const response = (second: number, text: string) =>
    record(second, "response_item", { type: "message", role: "user", content: [{ type: "input_text", text }] });
  const forms: readonly [string, (second: number, text: string) => readonly object[]][] = [
    ["older", (second, text) => [response(second, text), message(second, text)]],
    ["today's", (second, text) => [response(second, text), item(second, text, `i${second}`)]],
    [
      "both",
      (second, text) => [response(second, text), message(second, text), item(second + 0.002, text, `i${second}`)],
    ],
    [
      "both, turned",
      (second, text) => [item(second, text, `i${second}`), response(second, text), message(second + 0.002, text)],
    ],
  ];

  for (const [form, written] of forms) {
    it(`as a long line, in ${form} records`, () => {
      const records = [...written(0, "please fix it"), ...written(61, request)];
      assert.deepEqual(human("codex", records, [line(request, 60)]), [0, undefined]);
      const again = [...records, ...written(64, request)];
      assert.deepEqual(human("codex", again, [line(request, 60)]), [64, undefined]);
    });

    it(`as a command that arrived as words, in ${form} records`, () => {
      for (const text of ["/dr-next ABC-12", "/stow", "/resume x", "/exit", "/compact"])
        assert.deepEqual(human("codex", [...written(0, "please fix it"), ...written(61, text)], [line(text, 60)]), [
          0,
          undefined,
        ]);
    });
  }

  it("as ESC", () => {
    const records = [
      ...(forms[1]?.[1](0, "please fix it") ?? []),
      response(61, "<turn_aborted>\nThe user interrupted the previous turn on purpose.\n</turn_aborted>"),
      record(61, "event_msg", { type: "turn_aborted", turn_id: "t1", reason: "interrupted" }),
    ];
    assert.deepEqual(human("codex", records, [esc(60)]), [0, undefined]);
    assert.deepEqual(human("codex", records, []), [0, start + 61_000]);
    const older = [message(0, "please fix it"), message(61, "<turn_aborted>x</turn_aborted>")];
    assert.deepEqual(human("codex", older, [esc(60)]), [0, undefined]);
  });
});
