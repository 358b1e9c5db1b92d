import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { findSnapshot, isSameSnapshot, lookAtSnapshot } from "../../../server/shell/save/snapshotFile.ts";
import { snapshot as workflow } from "../../../server/workflows/snapshot.ts";
import type { SnapshotSave } from "../../../server/workflows/workflow.ts";
import { canary, testFolder } from "./folder.ts";

const { save } = workflow;
if (save.kind !== "snapshot") throw new Error("not a snapshot");

/** As Datarim writes it. */
const text = (task = "ABC-0012", stage = "plan") =>
  `---\ntask_id: ${task}\nartifact: stage-snapshot\nschema_version: 1\nstage: ${stage}\ncommand: /dr-plan\n---\n\n${canary}\nstage: do\n`;

describe("the snapshot of a workflow", () => {
  const folder = testFolder();
  const fileOf = (task: string) => join(folder.path, "datarim/snapshots", `${task}.snapshot.md`);
  const put = (task = "ABC-0012", content = text(task)) => {
    writeFileSync(fileOf(task), content, { mode: 0o600 });
    writeFileSync(join(folder.path, "datarim/tasks", `${task}-task-description.md`), "");
  };
  beforeEach(() => {
    for (const name of ["snapshots", "tasks"]) mkdirSync(join(folder.path, "datarim", name), { recursive: true });
  });

  const find = (taskId?: string, how: SnapshotSave = save) => {
    const found = findSnapshot(folder.path, how, taskId);
    assert.doesNotMatch(JSON.stringify(found), new RegExp(canary));
    return found;
  };
  const reasonOf = (taskId?: string, how?: SnapshotSave): string => {
    const found = find(taskId, how);
    if (found.kind !== "problem") throw new Error("a snapshot was found");
    assert.match(found.remedy, /^[A-Z].*\.$/);
    return found.reason;
  };
  const bound = (taskId?: string, how?: SnapshotSave) => {
    const found = find(taskId, how);
    if (found.kind === "problem") throw new Error(found.reason);
    return found.snapshot;
  };

  it("is bound: task, stage, path, description, digest", () => {
    put();
    const { taskId, stage, path, digest, descriptionPath } = bound();
    assert.deepEqual([taskId, stage, path], ["ABC-0012", "plan", fileOf("ABC-0012")]);
    assert.equal(descriptionPath, join(folder.path, "datarim/tasks/ABC-0012-task-description.md"));
    assert.deepEqual(lookAtSnapshot(folder.path, save, "ABC-0012"), {
      kind: "well-formed",
      size: readFileSync(path).length,
      digest,
    });
  });

  it("is refused where there are two, by that reason; one of them is found by its task", () => {
    put();
    put("XY-7");
    assert.match(reasonOf(), /there are 2 snapshots/);
    assert.equal(bound("XY-7").taskId, "XY-7");
  });

  const broken: Readonly<Record<string, { readonly say: RegExp; readonly doIt: () => void }>> = {
    "there is none": { say: /there is no snapshot/, doIt: () => rmSync(fileOf("ABC-0012")) },
    "its folder is missing": {
      say: /there is no snapshot/,
      doIt: () => rmSync(join(folder.path, "datarim/snapshots"), { recursive: true }),
    },
    "its folder is a link": {
      say: /folder of the snapshots cannot be used \(it is a link\)/,
      doIt: () => {
        renameSync(join(folder.path, "datarim/snapshots"), join(folder.path, "away"));
        symlinkSync(join(folder.path, "away"), join(folder.path, "datarim/snapshots"));
      },
    },
    "it is a link": {
      say: /it is a link/,
      doIt: () => {
        renameSync(fileOf("ABC-0012"), join(folder.path, "away"));
        symlinkSync(join(folder.path, "away"), fileOf("ABC-0012"));
      },
    },
    "it is a folder": {
      say: /no plain file/,
      doIt: () => {
        rmSync(fileOf("ABC-0012"));
        mkdirSync(fileOf("ABC-0012"));
      },
    },
    "others may write it": { say: /other users may change/, doIt: () => chmodSync(fileOf("ABC-0012"), 0o620) },
    "it is too large": { say: /too large/, doIt: () => put("ABC-0012", text().padEnd(65 * 1024, "x")) },
    "it names no task": { say: /no task/, doIt: () => put("ABC-0012", text().replace("task_id", "job")) },
    "its task is of another form": { say: /no task/, doIt: () => put("ABC-0012", text("abc-12; rm")) },
    "it names another task than its file": { say: /another task/, doIt: () => put("ABC-0012", text("ABC-0013")) },
    "it names two tasks": { say: /no task/, doIt: () => put("ABC-0012", text().replace("---\n", "---\ntask: XY-1\n")) },
    "it names no stage in its head": {
      say: /no stage/,
      doIt: () => put("ABC-0012", text().replace("stage: plan\n", "")),
    },
    "its stage is not known": { say: /no stage/, doIt: () => put("ABC-0012", text("ABC-0012", "party")) },
    "its description is missing": {
      say: /description/,
      doIt: () => rmSync(join(folder.path, "datarim/tasks/ABC-0012-task-description.md")),
    },
  };
  for (const [what, { say, doIt }] of Object.entries(broken))
    it(`is refused where ${what}`, () => {
      put();
      assert.equal(find().kind, "snapshot");
      doIt();
      assert.match(reasonOf(), say);
      assert.match(reasonOf("ABC-0012"), what === "its folder is a link" ? /it is a link/ : say);
      assert.notEqual(lookAtSnapshot(folder.path, save, "ABC-0012").kind, "well-formed");
    });

  it("may have a plain head, quotes, CRLF and a byte order mark", () => {
    for (const content of [
      "task: ABC-0012\nstage: do\n\nbody",
      "\uFEFFtask: \"ABC-0012\"\r\nstage: 'do'\r\n\r\nbody",
      "stage: do\ntask: ABC-0012",
    ]) {
      put("ABC-0012", content);
      assert.equal(bound().stage, "do");
    }
    put("ABC-0012", "task: ABC-0012\n\nstage: do\n");
    assert.match(reasonOf(), /no stage/);
  });

  it("may lie at one fixed place, without a description", () => {
    const fixed: SnapshotSave = { kind: "snapshot", path: "NOW.md", stages: ["do"] };
    writeFileSync(join(folder.path, "NOW.md"), "task: ABC-1\nstage: do\n", { mode: 0o600 });
    assert.equal(bound(undefined, fixed).path, join(folder.path, "NOW.md"));
    const named: SnapshotSave = { kind: "snapshot", path: "{taskId}.md", stages: ["do"] };
    writeFileSync(join(folder.path, "ABC-1.md"), "task: ABC-1\nstage: do\n", { mode: 0o600 });
    assert.equal(bound(undefined, named).taskId, "ABC-1");
  });

  it("is looked for by no id that is not strictly one (property)", () => {
    put();
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom("../ABC-1", "ABC-1/..", "ABC-1\n", "abc-1", "A1-2")), (id) => {
        fc.pre(!/^[A-Z]+-[0-9]{1,10}$/.test(id) || id.includes("\n"));
        assert.equal(find(id).kind, "problem");
      }),
    );
  });

  it("is the same only as the same file with the same content", () => {
    put();
    const was = bound();
    const isSame = () => isSameSnapshot(folder.path, was);
    assert.equal(isSame(), true);
    // Another file of the same content in its place.
    writeFileSync(join(folder.path, "copy"), text(), { mode: 0o600 });
    renameSync(was.path, join(folder.path, "away"));
    renameSync(join(folder.path, "copy"), was.path);
    assert.equal(isSame(), false);
    renameSync(join(folder.path, "away"), was.path);
    assert.equal(isSame(), true);
    writeFileSync(was.path, text("ABC-0012", "qa"));
    assert.equal(isSame(), false);
    rmSync(was.path);
    assert.equal(isSame(), false);
  });
});
