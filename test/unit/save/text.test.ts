import assert from "node:assert/strict";
import fc from "fast-check";
import { type Brief, type BriefParts, briefText, completeBrief } from "../../../server/core/save/briefText.ts";
import { codeOfLine } from "../../../server/core/save/checkCode.ts";
import { requestMarker, requestText } from "../../../server/core/save/requestText.ts";
import { code } from "./folder.ts";

const parts = { code, statePath: "/w/api/.plimsoll/x/state.md", dir: "/w/api/.plimsoll/x" };

describe("the check code's line", () => {
  const good = [
    `<!-- plimsoll check code: ${code} -->`,
    `<!--plimsoll check code:${code}-->`,
    `  <!--   Plimsoll  Check  Code :  ${code.toUpperCase()}   -->  `,
    `# plimsoll check code: ${code}`,
    `## plimsoll check code: ${code}`,
    `// plimsoll check code: ${code}`,
    `/* plimsoll check code: ${code} */`,
    `; plimsoll check code: ${code}`,
    `plimsoll check code: \`${code}\``,
  ];
  for (const line of good) it(`is read from: ${line}`, () => assert.equal(codeOfLine(line), code));

  const bad = [
    "",
    code,
    `check code: ${code}`,
    `- Check code: ${code}`,
    `plimsoll check code: ${code}0`,
    `plimsoll check code: ${code.slice(1)}`,
    `plimsoll check code: CODE`,
    `the first line is <!-- plimsoll check code: ${code} -->`,
    `<!-- plimsoll check code: ${code} --> and more`,
  ];
  for (const line of bad) it(`is not read from: ${line}`, () => assert.equal(codeOfLine(line), undefined));
});

describe("the request", () => {
  for (const variant of ["state-file", "command"] as const) {
    const text = requestText(variant, parts);

    it(`(${variant}) begins with its marker, and no line of it passes as a saved state's first`, () => {
      assert.equal(text.split("\n")[0], requestMarker);
      for (const line of text.split("\n")) assert.equal(codeOfLine(line), undefined);
    });

    it(`(${variant}) names code, file and folder, and asks to write last and to wait`, () => {
      for (const needed of [
        code,
        parts.statePath,
        parts.dir,
        "last act of this turn",
        "No tool call after it",
        "stop and wait",
      ])
        assert.ok(text.includes(needed), needed);
      for (const needed of ["Do not copy this page", "write it again", "password", "plimsoll check code: CODE"])
        assert.ok(text.includes(needed), needed);
    });
  }

  it("asks for everything a reader needs who knows nothing", () => {
    const text = requestText("state-file", parts);
    for (const heading of [
      "Role and mission",
      "Position",
      "Written versus verified",
      "In flight",
      "Open task list",
      "Open questions to the person",
      "Standing orders",
      "Next action",
      "1000 bytes",
      "word for word",
    ])
      assert.ok(text.includes(heading), heading);
    assert.ok(requestText("command", parts).includes("200 bytes"));
  });

  it("is the same text whatever is put in (property)", () => {
    const hex = fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(hex, (other) => {
        const text = requestText("state-file", { ...parts, code: other });
        assert.equal(text.replaceAll(other, code), requestText("state-file", parts));
        for (const line of text.split("\n")) assert.equal(codeOfLine(line), undefined);
      }),
    );
  });
});

const full: Brief = {
  resetId: "aaaaaaaaaaaa",
  agent: "claude",
  cwd: "/w/api",
  worktree: "/w/api",
  branch: "topic",
  head: "c".repeat(40),
  oldConversationId: "old",
  workflow: "state-file",
  taskId: "ABC-12",
  state: { path: "/w/api/.plimsoll/aaaaaaaaaaaa/state.md", digest: "d".repeat(64) },
  backgroundShells: ["bash_1", "bash_2"],
  mode: "wait",
  asksPerson: false,
  fields: { Reviewer: "Ada" },
};

describe("the brief", () => {
  it("says who, where, what was saved and that it is automatic", () => {
    const text = briefText(full);
    for (const needed of [
      "This is automatic",
      "no person typed it",
      "nobody has executed or judged it",
      "git status",
      "Reviewer: Ada",
      "bash_1",
      ...[full.cwd, full.branch, full.head, "old", "ABC-12", full.state?.path ?? "", full.state?.digest ?? ""],
    ])
      assert.ok(text.includes(needed), needed);
  });

  it("says what to do: wait, go on, or let the person's message follow", () => {
    assert.match(briefText(full), /five lines.*then wait/);
    assert.match(briefText({ ...full, mode: "continue" }), /go on with the next action/);
    assert.match(briefText({ ...full, mode: "next" }), /next message follows/);
    for (const mode of ["wait", "continue", "next"] as const) {
      const text = briefText({ ...full, mode, asksPerson: true });
      assert.match(text, /ask them again.*word for word, and wait/);
      assert.doesNotMatch(text, /go on with the next action/);
    }
  });

  const required = ["resetId", "agent", "cwd", "branch", "head", "oldConversationId", "workflow", "mode"] as const;
  for (const name of required)
    it(`is incomplete without ${name}`, () => {
      assert.deepEqual(completeBrief({ ...full, [name]: undefined }), { kind: "incomplete", missing: [name] });
      if (name !== "agent" && name !== "mode")
        assert.deepEqual(completeBrief({ ...full, [name]: "  " }), { kind: "incomplete", missing: [name] });
    });

  it("is incomplete without a saved state, unless none could be saved", () => {
    const { state, ...without } = full;
    assert.ok(state);
    assert.deepEqual(completeBrief(without), { kind: "incomplete", missing: ["statePath", "stateDigest"] });
    const blank = completeBrief({ ...full, state: { path: "/x", digest: "" } });
    assert.deepEqual(blank, { kind: "incomplete", missing: ["stateDigest"] });
    const forced = completeBrief({ ...without, isForced: true });
    assert.ok(forced.kind === "complete" && forced.text.includes("nothing could be saved"));
  });

  it("names what the workflow demands and has no value: a label is not a value", () => {
    const missing = (parts: BriefParts, demanded: readonly string[]) => {
      const result = completeBrief(parts, demanded);
      return result.kind === "incomplete" ? result.missing : [];
    };
    assert.deepEqual(missing(full, ["taskId", "Reviewer", "worktree"]), []);
    assert.deepEqual(missing({ ...full, fields: { Reviewer: " " } }, ["Reviewer"]), ["Reviewer"]);
    assert.deepEqual(missing({ ...full, taskId: undefined }, ["taskId", "Team"]), ["taskId", "Team"]);
  });

  it("is at most 48 KiB, counted in bytes", () => {
    const long = (length: number) => completeBrief({ ...full, fields: { Note: "€".repeat(length) } }).kind;
    assert.equal(long(15_000), "complete");
    assert.equal(long(16_400), "too-large");
  });

  it("keeps every value on its own line, whatever stands in it (property)", () => {
    const plain = briefText({ ...full, fields: { Note: "x" } }).split("\n").length;
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (value) => {
        const lines = briefText({ ...full, cwd: `/w${value}`, branch: `b${value}`, fields: { Note: `x${value}` } });
        assert.equal(lines.split(/\r\n|[\n\r\u2028\u2029]/).length, plain);
      }),
    );
  });
});
