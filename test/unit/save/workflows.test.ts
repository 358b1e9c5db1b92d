import assert from "node:assert/strict";
import fc from "fast-check";
import { FixedLine } from "../../../server/protocol/lines.ts";
import { parseWorkflows, workflowFor, workflows } from "../../../server/workflows/index.ts";
import { Workflow } from "../../../server/workflows/workflow.ts";

describe("the workflows", () => {
  it("that are built in are what a person could write, and the state file is the default", () => {
    for (const workflow of workflows) assert.deepEqual(Workflow.parse(workflow), workflow);
    assert.equal(new Set(workflows.map(({ id }) => id)).size, workflows.length);
    const found = workflowFor(undefined, undefined);
    assert.ok(found.kind === "workflow" && found.workflow.id === "state-file");
  });

  it("type only commands that may be typed", () => {
    for (const { save, brief } of workflows)
      for (const part of [save, brief])
        if (part.kind === "command")
          assert.ok(FixedLine.safeParse({ kind: "command", name: part.command.slice(1) }).success, part.command);
  });

  it("of the person's own are found by name, with everything left out at its default", () => {
    const definitions = { notes: { save: { kind: "command", command: "/save-notes" } }, plain: {} };
    assert.deepEqual(parseWorkflows(definitions).problems, []);
    const found = workflowFor("plain", definitions);
    assert.deepEqual(found, {
      kind: "workflow",
      workflow: {
        id: "plain",
        title: "plain",
        save: { kind: "state-file" },
        compact: "default",
        brief: { kind: "pointer" },
        requiredFields: [],
        fields: {},
      },
    });
    assert.equal(workflowFor("notes", definitions).kind, "workflow");
  });

  const snapshot = (path: string) => ({ save: { kind: "snapshot", path, stages: ["do"] } });
  const bad: Readonly<Record<string, readonly [string, unknown]>> = {
    "no object": ["x", 7],
    "a name in capitals": ["Mine", {}],
    "a name with a path": ["../x", {}],
    "the name of one that is built in": ["stow", {}],
    "a key that is not known": ["x", { command: "rm -rf" }],
    "a command without its slash": ["x", { save: { kind: "command", command: "stow" } }],
    "a command with words behind it": ["x", { save: { kind: "command", command: "/stow all" } }],
    "two commands in one": ["x", { save: { kind: "command", command: "/stow\n/clear" } }],
    "a save that clears": ["x", { save: { kind: "command", command: "/clear" } }],
    "a brief that leaves": ["x", { brief: { kind: "command", command: "/exit" } }],
    "a path upwards": ["x", snapshot("../x.md")],
    "a path upwards in the middle": ["x", snapshot("a/../../x.md")],
    "an absolute path": ["x", snapshot("/etc/passwd")],
    "a drive": ["x", snapshot("C:/x")],
    "a backslash": ["x", snapshot("a\\b")],
    "a NUL": ["x", snapshot("a\0b")],
    "a task's id in a folder's name": ["x", snapshot("{taskId}/x.md")],
    "a task's id twice": ["x", snapshot("{taskId}-{taskId}.md")],
    "a stage that is a pattern": ["x", { save: { kind: "snapshot", path: "x.md", stages: [".*"] } }],
    "no stage": ["x", { save: { kind: "snapshot", path: "x.md", stages: [] } }],
    "a task's id that nothing names": ["x", { brief: { kind: "command", command: "/go", argument: "taskId" } }],
    "a field over two lines": ["x", { fields: { "a\nb": "c" } }],
  };
  for (const [what, [name, row]] of Object.entries(bad))
    it(`are refused with one sentence: ${what}`, () => {
      const { workflows: own, problems } = parseWorkflows({ good: {}, [name]: row });
      assert.deepEqual(
        own.map(({ id }) => id),
        ["good"],
      );
      assert.equal(problems.length, 1);
      assert.match(problems[0] ?? "", /^Workflow "[^\n]*\.$/);
    });

  it("say why one cannot be used, and that another is not there", () => {
    const found = workflowFor("mine", { mine: 7 });
    assert.ok(found.kind === "problem" && /"mine" in plimsoll.workflows/.test(found.problem));
    const none = workflowFor("theirs", {});
    assert.ok(none.kind === "problem" && /no workflow named "theirs"/.test(none.problem));
  });

  it("are refused as a whole where the setting is no object or has too many", () => {
    for (const setting of [7, "x", [], Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`w${n}`, {}]))])
      assert.deepEqual([parseWorkflows(setting).workflows.length, parseWorkflows(setting).problems.length], [0, 1]);
    for (const setting of [undefined, null, {}])
      assert.deepEqual(parseWorkflows(setting), { workflows: [], problems: [] });
  });

  it("never throw, whatever the setting holds, and never lose the ones built in (property)", () => {
    fc.assert(
      fc.property(fc.anything(), fc.string(), (setting, name) => {
        parseWorkflows(setting);
        parseWorkflows({ [name]: setting });
        workflowFor(name, setting);
        assert.equal(workflowFor("snapshot", setting).kind, "workflow");
      }),
    );
  });
});
