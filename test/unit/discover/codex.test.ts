import assert from "node:assert/strict";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { dayFolders } from "../../../server/agents/codex/sessions.ts";
import { threadTime } from "../../../server/core/threadTime.ts";
import { watchPaths } from "../../../server/shell/discovery/discover.ts";
import { createStandIns } from "./standIn.ts";

const first = "01a22e4e-3a52-7e30-8225-3e6120000001";
const second = "01a22e88-b46c-75f3-a8ee-22dc60000003";

describe("finding Codex", () => {
  let lab: ReturnType<typeof createStandIns>;

  before(function () {
    if (process.platform !== "linux") this.skip();
  });
  beforeEach(() => {
    lab = createStandIns();
  });
  afterEach(() => lab?.dispose());

  const lock = (id: string) => lab.write(`.codex/thread-writer-locks/${id}.lock`, "");
  const rollout = (id: string, over: object = {}) => {
    const [day] = dayFolders(threadTime(id) ?? 0);
    const head = {
      type: "session_meta",
      payload: { id, cwd: lab.cwd, cli_version: "0.171.0", source: "cli", ...over },
    };
    return lab.write(`.codex/sessions/${day}/rollout-2026-01-01T00-00-00-${id}.jsonl`, `${JSON.stringify(head)}\n`);
  };

  it("ties a process to the conversation whose lock it holds", async () => {
    const path = rollout(first);
    await lab.start("codex", { files: [lock(first)] });
    const [found, ...others] = await lab.find();
    assert.equal(others.length, 0);
    assert.equal(found?.binding, "process");
    assert.equal(found?.conversationId, first);
    assert.equal(found?.transcript, path);
    assert.equal(found?.version, "0.171.0");
    assert.equal(found?.daemon, false);
    assert.deepEqual(watchPaths(found), [join(lab.home, ".codex/thread-writer-locks")]);
  });

  it("has no transcript before the first prompt", async () => {
    await lab.start("codex", { files: [lock(first)] });
    const [found] = await lab.find();
    assert.equal(found?.conversationId, first);
    assert.equal(found?.transcript, undefined);
  });

  it("doubts when the older of two held conversations went on being written", async () => {
    const path = rollout(first);
    const files = [lock(first), lock(second)];
    await lab.start("codex", { files });
    utimesSync(path, new Date(), new Date(Date.now() + 60_000));
    const [found] = await lab.find();
    assert.equal(found?.binding, "ambiguous");
    assert.deepEqual([...(found?.candidates ?? [])].toSorted(), [first, second]);
  });

  it("takes the home of the process's own environment", async () => {
    const held = lab.write(`other/thread-writer-locks/${first}.lock`, "");
    await lab.start("codex", { files: [held], environment: { CODEX_HOME: join(lab.home, "other") } });
    const [found] = await lab.find();
    assert.equal(found?.binding, "process");
    assert.equal(found?.configDir, join(lab.home, "other"));
  });

  it("believes the id in the terminal's own title when it talks to its daemon", async () => {
    rollout(first);
    await lab.start("codex");
    const shell = { terminalId: "t1", shellPid: process.pid };
    const [untitled] = await lab.find({ shells: [shell] });
    assert.equal(untitled?.binding, "none");
    assert.equal(untitled?.daemon, true);
    const [found] = await lab.find({ shells: [{ ...shell, titleId: first.slice(0, 29) }] });
    assert.equal(found?.binding, "title");
    assert.equal(found?.conversationId, first);
  });

  it("doubts a title whose conversation lives in another folder", async () => {
    rollout(first, { cwd: lab.home });
    await lab.start("codex");
    const [found] = await lab.find({
      shells: [{ terminalId: "t1", shellPid: process.pid, titleId: first.slice(0, 29) }],
    });
    assert.equal(found?.binding, "ambiguous");
  });

  it("does not count a lock that nobody holds as born with the process", async () => {
    await lab.start("codex");
    lock(first);
    const [found] = await lab.find({ now: Date.now() + 60_000 });
    assert.notEqual(found?.binding, "birth");
    assert.equal(found?.conversationId, undefined);
  });

  it("takes a pick where nothing else names a conversation", async () => {
    const codex = await lab.start("codex");
    const [found] = await lab.find({ picks: new Map([[`codex-${codex.pid}-${codex.birth}`, first]]) });
    assert.equal(found?.binding, "picked");
    assert.equal(found?.conversationId, first);
  });
});
