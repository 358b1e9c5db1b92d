import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectSlug } from "../../../server/agents/claude/sessions.ts";
import { doctor } from "../../../server/cli/doctor.ts";
import { status } from "../../../server/cli/status.ts";
import { plain } from "../../../server/shell/plain.ts";
import { linuxProcesses } from "../../../server/shell/processes/linux.ts";
import { createProcFolder } from "../processes/procFolder.ts";

const conversation = "9b7a0c1e-1111-4222-8333-444455556666";

/** A machine with one Claude, whose last answer was made with 205 000 tokens, or with no agent at all. */
function createMachine(isEmpty: boolean) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "plimsoll-")));
  const write = (path: string, content: object) => {
    mkdirSync(join(home, path, ".."), { recursive: true });
    writeFileSync(join(home, path), `${JSON.stringify(content)}\n`);
  };
  const cwd = join(home, "api");
  mkdirSync(cwd);
  const claude = { pid: 900_002, parent: 1, argv: ["claude"], birth: 100, cwd, environment: { HOME: home } };
  const folder = createProcFolder(isEmpty ? [] : [claude], { uptime: 1000, children: false });
  if (!isEmpty) {
    const session = { pid: claude.pid, procStart: "100", sessionId: conversation, cwd, kind: "interactive" };
    const idle = { status: "idle", statusUpdatedAt: Date.UTC(2026, 10, 30, 20, 53, 30) };
    write(`.claude/sessions/${claude.pid}.json`, { ...session, entrypoint: "cli", version: "2.1.332", ...idle });
    const usage = {
      input_tokens: 5000,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 200_000,
      output_tokens: 9,
    };
    write(`.claude/projects/${projectSlug(cwd)}/${conversation}.jsonl`, {
      type: "assistant",
      uuid: "u1",
      timestamp: "2026-11-30T20:53:29.460Z",
      sessionId: conversation,
      isSidechain: false,
      message: { id: "m1", role: "assistant", model: "claude-opus-5-5", content: [], usage },
    });
  }
  let out = "";
  let err = "";
  return {
    io: {
      out: (text: string) => {
        out += text;
      },
      err: (text: string) => {
        err += text;
      },
      environment: { HOME: home },
    },
    here: { processes: linuxProcesses(folder.root) },
    out: () => out,
    err: () => err,
    dispose() {
      folder.dispose();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

describe("the agents of a machine on the command line", () => {
  let machine: ReturnType<typeof createMachine>;

  before(function () {
    if (process.platform !== "linux") this.skip();
  });
  afterEach(() => machine?.dispose());

  it("stand in a table, measured", async () => {
    machine = createMachine(false);
    assert.equal(await status([], machine.io, machine.here), 0);
    const [headings, row] = machine.out().split("\n");
    assert.match(headings ?? "", /^NAME +AGENT +PID +TOKENS +PERCENT +PRESSURE +STATE +BINDING$/);
    assert.match(row ?? "", /^api +claude +900002 +205 000 +21% +selective +idle +process$/);
    assert.equal(machine.err(), "");
  });

  it("can be read by a program", async () => {
    machine = createMachine(false);
    assert.equal(await status(["--json"], machine.io, machine.here), 0);
    const [agent] = JSON.parse(machine.out());
    assert.equal(agent.conversation, conversation);
    assert.equal(agent.tokens, 205_000);
    assert.equal(agent.windowFrom, "model-table");
  });

  it("are none: that is said, and the exit tells", async () => {
    machine = createMachine(true);
    assert.equal(await status([], machine.io, machine.here), 1);
    assert.equal(machine.out(), "");
    assert.match(machine.err(), /^No Claude Code or Codex/);
  });

  it("are not looked for when the command is not understood", async () => {
    machine = createMachine(false);
    assert.equal(await status(["--jsno"], machine.io, machine.here), 2);
    assert.equal(await doctor(["now"], machine.io, machine.here), 2);
    assert.equal(machine.out(), "");
    assert.match(machine.err(), /Usage: plimsoll status/);
  });

  it("are watched until the person ends it", async () => {
    machine = createMachine(true);
    const signal = AbortSignal.timeout(50);
    assert.equal(await status(["--watch"], { ...machine.io, signal }, machine.here), 0);
  });

  it("are examined by Doctor, with what to do", async () => {
    machine = createMachine(false);
    assert.equal(await doctor([], machine.io, machine.here), 0);
    assert.match(machine.out(), /claude 2\.1\.332, process 900002/);
    assert.match(machine.out(), /0 bad lines/);
    assert.match(machine.out(), /## What to do\n\n- nothing/);
  });

  it("cannot write to the screen by their names", () => {
    assert.equal(plain("a\u001b[2Jb\u202ec\nd"), "a?[2Jb?c?d");
  });
});
