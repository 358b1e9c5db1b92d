import assert from "node:assert/strict";
import fc from "fast-check";
import { claude } from "../../../server/agents/claude/adapter.ts";
import { digestOf } from "../../../server/core/digest.ts";
import { answer, at, common, factsOf, kindsOf, parse, promptOf, usage, usageOf, user } from "./claudeRecords.ts";

describe("claude: lines", () => {
  it("tells blank, bad and unknown lines apart", () => {
    assert.equal(parse("").kind, "blank");
    assert.equal(parse("\r").kind, "blank");
    assert.equal(parse("\uFEFF").kind, "blank");
    for (const line of ["\0\0\0", "null", "[1]", "12", '"text"', "no json", '{"type":"user",', '{"type":"mode" oops}'])
      assert.equal(parse(line).kind, "bad", line);
    for (const line of ["{}", '{"type":"tomorrow"}', '{"type":7}'])
      assert.deepEqual(parse(line), { kind: "record", facts: [] });
  });

  it("reads a record behind a BOM, NULs and before a CR", () => {
    const line = JSON.stringify(user("hi"));
    for (const odd of [`\uFEFF${line}`, `\0\0\0${line}`, `${line}\r`, `  ${line}  `])
      assert.equal(parse(odd).kind, "record");
  });

  it("reads spaced JSON and members in any order", () => {
    const spaced = JSON.stringify(user("hi"), null, 1).replace(/\n/g, " ");
    assert.ok(parse(spaced).kind === "record");
    const { type, message, ...rest } = answer({ usage });
    assert.equal(usageOf({ message, ...rest, type })?.tokens, 31_004);
  });

  it("never throws, whatever the line", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => void claude.parseLine({ whole: true, bytes })));
    fc.assert(
      fc.property(
        fc.json(),
        fc.constantFrom("user", "assistant", "system", "queue-operation", "attachment"),
        (json, type) =>
          void parse(
            `{"type":"${type}","message":${json},"content":${json},"timestamp":${json},"compactMetadata":${json},"attachment":${json}}`,
          ),
      ),
    );
    parse(`{"type":"user","message":${"[".repeat(20_000)}${"]".repeat(20_000)}}`);
  });

  it("tells where the conversation is", () => {
    const parsed = parse(JSON.stringify(user("hi", { parentUuid: "p1" })));
    assert.ok(parsed.kind === "record");
    assert.deepEqual(parsed.facts[0], {
      kind: "opened",
      at,
      conversationId: "s1",
      cwd: "/proj/demo",
      version: "2.1.300",
      parentRecord: "p1",
      subAgent: false,
    });
  });
});

describe("claude: who spoke", () => {
  it("takes a plain string, text blocks and a bare image for a person (R52)", () => {
    assert.deepEqual(promptOf(user("fix it")), { kind: "prompt", at, recordId: "u1", digest: digestOf("fix it") });
    assert.equal(promptOf(user([{ type: "text", text: "fix it" }]))?.digest, digestOf("fixit"));
    assert.ok(promptOf(user([{ type: "image", source: { type: "base64", data: "AAAA" } }])));
    assert.equal(promptOf(user("fix it", { promptSource: "typed", promptId: "p" }))?.source, "typed");
  });

  it("takes what the record states before what its text looks like", () => {
    const human = { origin: { kind: "human" }, promptSource: "typed" };
    assert.ok(promptOf(user("<task-notification>pasted</task-notification>", human))?.source === "typed");
    assert.equal(promptOf(user("plain", { promptSource: "system" }))?.source, "system");
    assert.equal(promptOf(user("plain", { origin: { kind: "task-notification" } }))?.source, "system");
    assert.equal(promptOf(user("plain", { turnOrigin: "task_notification" }))?.source, "system");
    assert.equal(promptOf(user("plain", { promptSource: "sdk" }))?.source, "sdk");
  });

  it("takes a command for the shell for a person's, which nobody answers", () => {
    const typed = promptOf(user("<bash-input>ls</bash-input>", { origin: { kind: "human" } }));
    assert.deepEqual([typed?.midTurn, typed?.source], [true, undefined]);
    assert.deepEqual(kindsOf(user("<bash-stdout>x</bash-stdout><bash-stderr></bash-stderr>")), []);
  });

  it("takes no machine's record for a person (R51)", () => {
    for (const record of [
      user([{ type: "tool_result", tool_use_id: "t1", content: "done" }]),
      user("Base directory", { isMeta: true }),
      user("summary", { isCompactSummary: true }),
      user("summary", { isVisibleInTranscriptOnly: true }),
      user("<local-command-stdout>shown</local-command-stdout>"),
      user("<system-reminder>note</system-reminder>"),
      user("<bash-stdout>x</bash-stdout>"),
      user("caveat", { rowSource: "harness" }),
      user("x", { sourceToolAssistantUUID: "a" }),
      user(""),
      user(null),
      user([]),
    ])
      assert.equal(promptOf(record), undefined, JSON.stringify(record));
    assert.equal(promptOf(user("<task-notification>x</task-notification>", { isMeta: null }))?.source, "system");
    assert.equal(promptOf(user("[SYSTEM NOTIFICATION - NOT USER INPUT]"))?.source, "system");
  });

  it("sees the person's words behind what an editor put before them", () => {
    const digest = digestOf("now this");
    assert.equal(
      promptOf(
        user([
          { type: "text", text: "<ide_opened_file>f</ide_opened_file>" },
          { type: "text", text: "now this" },
        ]),
      )?.digest,
      digest,
    );
    assert.equal(promptOf(user("<system-reminder>a</system-reminder>\nnow this"))?.digest, digest);
  });

  it("knows commands, what they printed, and their failures", () => {
    assert.deepEqual(factsOf(user("<command-name>/clear</command-name>\n<command-args></command-args>")), [
      { kind: "command", at, recordId: "u1", name: "clear" },
    ]);
    assert.deepEqual(
      kindsOf(
        user("<command-message>review</command-message><command-name>/review</command-name>", {
          promptSource: "typed",
        }),
      ),
      ["command", "prompt"],
    );
    const failed = (text: string) => factsOf(user(text))[0];
    assert.deepEqual(failed("<local-command-stderr>Error: Conversation too long.</local-command-stderr>"), {
      kind: "command-failed",
      at,
      reason: "error",
    });
    assert.deepEqual(failed("<local-command-stdout>Compaction canceled.</local-command-stdout>"), {
      kind: "command-failed",
      at,
      reason: "canceled",
    });
    assert.deepEqual(failed("<local-command-stdout>Error: during compaction</local-command-stdout>"), {
      kind: "command-failed",
      at,
      reason: "error",
    });
    assert.equal(failed("<local-command-stderr></local-command-stderr>"), undefined);
    const system = { ...common, type: "system", subtype: "local_command" };
    assert.deepEqual(
      factsOf({ ...system, content: "<local-command-stdout>Not enough messages to compact.</local-command-stdout>" }),
      [{ kind: "command-failed", at, reason: "too-little" }],
    );
    assert.deepEqual(kindsOf({ ...system, content: "<command-name>/model</command-name>" }), ["command"]);
    assert.deepEqual(kindsOf({ ...system }), []);
  });

  it("knows an interrupt in either form", () => {
    assert.deepEqual(kindsOf(user([{ type: "text", text: "[Request interrupted by user for tool use]" }])), [
      "interrupted",
    ]);
    assert.deepEqual(kindsOf(user("[Request interrupted by user]")), ["interrupted"]);
    assert.deepEqual(kindsOf(user("x", { interruptedMessageId: "m1" })), ["interrupted"]);
  });

  it("lets text for the model count as work, but not the caveat beside a command", () => {
    assert.deepEqual(kindsOf(user("Base directory for this skill", { isMeta: true })), ["working"]);
    assert.deepEqual(kindsOf(user("<local-command-caveat>x", { isMeta: true })), []);
  });

  it("keeps a sub-agent's record out", () => {
    assert.deepEqual(kindsOf(user("inner", { isSidechain: true })), ["sidechain"]);
    assert.deepEqual(kindsOf(answer({ usage }, { isSidechain: true })), ["sidechain"]);
  });
});
