import assert from "node:assert/strict";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { projectSlug } from "../../../server/agents/claude/sessions.ts";
import { watchPaths } from "../../../server/shell/discovery/discover.ts";
import { subagents } from "../../../server/shell/discovery/subagents.ts";
import { createStandIns } from "./standIn.ts";

const conversation = "9b7a0c1e-1111-4222-8333-444455556666";

describe("finding Claude", () => {
  let lab: ReturnType<typeof createStandIns>;

  before(function () {
    if (process.platform !== "linux") this.skip();
  });
  beforeEach(() => {
    lab = createStandIns();
  });
  afterEach(() => lab?.dispose());

  const record = (process: { pid: number; birth: string }, over: object = {}) =>
    lab.write(`.claude/sessions/${process.pid}.json`, {
      pid: process.pid,
      procStart: process.birth,
      sessionId: conversation,
      cwd: lab.cwd,
      kind: "interactive",
      entrypoint: "cli",
      version: "2.1.332",
      status: "idle",
      ...over,
    });

  it("ties a process to the conversation that its own record names", async () => {
    const claude = await lab.start("claude");
    record(claude, { status: "waiting", waitingFor: "permission prompt" });
    const transcript = lab.write(`.claude/projects/${projectSlug(lab.cwd)}/${conversation}.jsonl`, "");

    const [found, ...others] = await lab.find();

    assert.equal(others.length, 0);
    assert.equal(found?.instanceId, `claude-${claude.pid}-${claude.birth}`);
    assert.equal(found?.binding, "process");
    assert.equal(found?.conversationId, conversation);
    assert.equal(found?.transcript, transcript);
    assert.equal(found?.terminalId, "t1");
    assert.equal(found?.cwd, lab.cwd);
    assert.equal(found?.version, "2.1.332");
    assert.deepEqual(found?.reported, { state: "waiting", waitingFor: "permission prompt" });
    assert.deepEqual(watchPaths(found), [join(lab.home, ".claude/sessions")]);
  });

  it("shows one without a record, bound to nothing", async () => {
    await lab.start("claude");
    const [found] = await lab.find();
    assert.equal(found?.binding, "none");
    assert.equal(found?.conversationId, undefined);
    assert.equal(found?.configDir, join(lab.home, ".claude"));
  });

  it("does not believe the record of an earlier process with the same number", async () => {
    const claude = await lab.start("claude");
    record(claude, { procStart: "1" });
    const [found] = await lab.find();
    assert.equal(found?.binding, "none");
  });

  it("has no transcript while none was written, and finds one in any project", async () => {
    const claude = await lab.start("claude");
    record(claude);
    const [before] = await lab.find();
    assert.equal(before?.binding, "process");
    assert.equal(before?.transcript, undefined);
    const moved = lab.write(`.claude/projects/-elsewhere/${conversation}.jsonl`, "");
    const [after] = await lab.find();
    assert.equal(after?.transcript, moved);
  });

  it("takes the config folder of the process's own environment, through links", async () => {
    mkdirSync(join(lab.home, "real"));
    symlinkSync(join(lab.home, "real"), join(lab.home, "linked"));
    const claude = await lab.start("claude", {
      environment: { CLAUDE_CONFIG_DIR: join(lab.home, "linked"), CLAUDE_CODE_DISABLE_1M_CONTEXT: "1" },
    });
    record(claude);
    const [found] = await lab.find();
    assert.equal(found?.binding, "none");
    assert.equal(found?.configDir, join(lab.home, "real"));
    assert.deepEqual(found?.windowEnv, { disable1m: true });
  });

  it("binds neither of two processes that write one conversation", async () => {
    record(await lab.start("claude"));
    record(await lab.start("claude"));
    const found = await lab.find();
    assert.deepEqual(
      found.map((one) => [one.binding, one.candidates]),
      [
        ["ambiguous", [conversation]],
        ["ambiguous", [conversation]],
      ],
    );
  });

  it("leaves out one that talks to a program and not to a person", async () => {
    record(await lab.start("claude"), { entrypoint: "sdk-cli" });
    assert.deepEqual(await lab.find(), []);
  });

  it("shows a panel's session below the editor, and nothing else there", async () => {
    record(await lab.start("claude"), { entrypoint: "claude-vscode" });
    await lab.start("claude");
    const found = await lab.find({ shells: [], hostPid: process.pid });
    assert.deepEqual(
      found.map((one) => [one.place, one.binding, one.terminalId]),
      [["panel", "process", undefined]],
    );
  });

  it("waits for a record that is being written", async () => {
    const claude = await lab.start("claude");
    lab.write(`.claude/sessions/${claude.pid}.json`, '{"pid":');
    const finding = lab.find();
    setTimeout(() => record(claude), 50);
    const [found] = await finding;
    assert.equal(found?.binding, "process");
  });

  it("names the running sub-agents of a conversation", async () => {
    const claude = await lab.start("claude");
    record(claude);
    const folder = `.claude/projects/${projectSlug(lab.cwd)}/${conversation}`;
    lab.write(`${folder}.jsonl`, "");
    lab.write(`${folder}/subagents/agent-a1.meta.json`, { agentType: "Explore" });
    lab.write(`${folder}/subagents/agent-a2.meta.json`, { agentType: "Plan", finished: true });
    const [found] = await lab.find();
    assert.ok(found !== undefined);
    const running = await subagents(found);
    assert.ok(running.kind === "known");
    assert.deepEqual(
      running.value.map((one) => one.name),
      ["Explore"],
    );
    lab.write(`${folder}/subagents/agent-a3.meta.json`, "{");
    assert.equal((await subagents(found)).kind, "unknown");
  });
});
