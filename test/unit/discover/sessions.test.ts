import assert from "node:assert/strict";
import { isClaude, parseSessionRecord, parseSubagent, projectSlug } from "../../../server/agents/claude/sessions.ts";
import {
  dayFolders,
  parseRolloutHead,
  recogniseCodex,
  threadOfLock,
  threadOfRollout,
  titleIdOf,
} from "../../../server/agents/codex/sessions.ts";
import { threadTime } from "../../../server/core/threadTime.ts";

const thread = "01a22e4e-3a52-7e30-8225-3e6120000001";
const record = {
  pid: 8359,
  sessionId: "9b7a0c1e-1111-4222-8333-444455556666",
  cwd: "/w/api",
  procStart: "40923",
  version: "2.1.332",
  kind: "interactive",
  entrypoint: "cli",
  name: "api-6d",
  nameSource: "derived",
  status: "waiting",
  waitingFor: "permission prompt",
  statusUpdatedAt: 1_796_078_279_582,
};
const parse = (over: object) => parseSessionRecord(JSON.stringify({ ...record, ...over }));

describe("Claude's session record", () => {
  it("says who it is and what it waits for", () => {
    assert.deepEqual(parse({}), {
      pid: 8359,
      conversationId: record.sessionId,
      cwd: "/w/api",
      inTerminal: true,
      inPanel: false,
      birth: "40923",
      version: "2.1.332",
      state: "waiting",
      waitingFor: "permission prompt",
      since: 1_796_078_279_582,
    });
  });

  it("is a person's terminal only when interactive and of the command line", () => {
    for (const over of [
      { entrypoint: "sdk-cli" },
      { kind: "bg" },
      { kind: undefined },
      { entrypoint: "claude-vscode" },
    ]) {
      const parsed = parse(over);
      assert.ok(!("problem" in parsed) && !parsed.inTerminal, JSON.stringify(over));
    }
  });

  it("leaves a state unknown that it does not know", () => {
    const parsed = parse({ status: "dreaming", statusUpdatedAt: "soon" });
    assert.ok(!("problem" in parsed));
    assert.equal(parsed.state, undefined);
    assert.equal(parsed.since, undefined);
  });

  it("keeps a name that a person gave", () => {
    assert.ok("name" in parse({ nameSource: "user" }));
    assert.ok(!("name" in parse({})));
  });

  it("takes a Windows file time for the birth", () => {
    const parsed = parse({ procStart: undefined, procStartFt: "134090316000000000" });
    assert.ok(!("problem" in parsed));
    assert.equal(parsed.birth, "134090316000000000");
  });

  it("refuses what would lead out of its folder, half a record, and other files", () => {
    for (const text of [JSON.stringify({ ...record, sessionId: "../../x" }), '{"pid":83', "[]", ""]) {
      assert.ok("problem" in parseSessionRecord(text), text);
    }
  });

  it("tells a running sub-agent from a finished one", () => {
    assert.deepEqual(parseSubagent('{"agentType":"Explore","description":"d"}'), { name: "Explore", running: true });
    assert.deepEqual(parseSubagent('{"agentType":"Explore","finished":true}'), { name: "Explore", running: false });
    assert.equal(parseSubagent("{"), undefined);
  });
});

describe("Claude's project folder", () => {
  it("is the real path with everything but letters and digits replaced", () => {
    assert.equal(projectSlug("/w/a.b_c-d"), "-w-a-b-c-d");
    assert.equal(projectSlug("/w/Sp ace (x) [y]"), "-w-Sp-ace--x---y-");
    assert.equal(projectSlug("/w/Ünïcödé-日本"), "-w--n-c-d----");
  });

  it("is cut at 200 and told apart by a hash of the whole path", () => {
    const long = `/w/${"d".repeat(250)}`;
    assert.match(projectSlug(long), /^-w-d{197}-[0-9a-z]+$/);
    assert.notEqual(projectSlug(long), projectSlug(`${long}e`));
    assert.equal(projectSlug(`/${"x".repeat(199)}`).length, 200);
  });
});

describe("a Claude command line", () => {
  it("is a conversation, however it was installed", () => {
    for (const argv of [
      ["claude"],
      ["/usr/local/bin/claude", "--resume", "x"],
      ["/home/a/.local/share/claude/versions/2.1.332", "fix the bug"],
      ["C:\\Users\\a\\claude.exe"],
      ["node", "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js", "-c"],
      ["/usr/bin/node", "/usr/local/bin/claude"],
      ["claude", "--", "-p"],
    ]) {
      assert.ok(isClaude("x", argv), argv.join(" "));
    }
  });

  it("is none when it prints, runs an errand or is another program", () => {
    for (const argv of [
      ["claude", "-p", "hello"],
      ["claude", "--model", "sonnet", "--print"],
      ["claude", "mcp", "serve"],
      ["claude", "--version"],
      ["/home/a/claude/run.sh"],
      ["vim", "claude"],
      ["node", "server.js", "claude"],
      ["rg"],
      [],
    ]) {
      assert.ok(!isClaude("x", argv), argv.join(" "));
    }
  });
});

describe("a Codex command line", () => {
  const kind = (...args: readonly string[]) => recogniseCodex(["/opt/bin/codex", ...args]);

  it("is a terminal agent, told by what keeps it off its daemon", () => {
    for (const args of [["--no-daemon"], ["-c", "a=b"], ["-ca=b"], ["--config=a=b"], ["--search", "hello"]]) {
      const command = kind(...args);
      assert.ok(command?.kind === "terminal" && command.embedded, args.join(" "));
    }
    for (const args of [[], ["-m", "gpt"], ["--enable", "hooks"], ["-C", "/w"], ["exec it, please"]]) {
      const command = kind(...args);
      assert.ok(command?.kind === "terminal" && !command.embedded, args.join(" "));
    }
  });

  it("names what it resumes and where it works", () => {
    const command = kind("-m", "gpt", "resume", thread, "--cd=/w/api");
    assert.ok(command?.kind === "terminal");
    assert.equal(command.resumes, thread);
    assert.equal(command.folder, "/w/api");
    assert.ok(command.continues);
  });

  it("is none for the daemon, for errands and for other programs", () => {
    assert.equal(kind("app-server", "--listen", "unix://"), undefined);
    assert.equal(kind("-m", "gpt", "exec", "hello"), undefined);
    assert.equal(kind("--version"), undefined);
    assert.equal(recogniseCodex(["codex-linux-sandbox"]), undefined);
    assert.equal(recogniseCodex(["bash", "codex"]), undefined);
    assert.equal(recogniseCodex([]), undefined);
  });

  it("is only the launcher where node runs it", () => {
    assert.deepEqual(recogniseCodex(["node", "/usr/bin/codex", "-c", "a=b"]), { kind: "launcher" });
    assert.equal(recogniseCodex(["node", "/w/app.js"]), undefined);
  });
});

describe("Codex's files", () => {
  it("carry the conversation's id in their names", () => {
    assert.equal(threadOfLock(`${thread}.lock`), thread);
    assert.equal(threadOfLock("../x.lock"), undefined);
    assert.equal(threadOfRollout(`rollout-2026-12-01T06-14-22-${thread}.jsonl`), thread);
    assert.equal(threadOfRollout("rollout-x.jsonl"), undefined);
  });

  it("lie in the day of the id's clock, in whatever zone that was", () => {
    const at = threadTime(thread.slice(0, 29));
    assert.equal(at, 0x01a22e4e3a52);
    assert.deepEqual(dayFolders(Date.UTC(2026, 11, 1, 0, 30)), ["2026/12/01", "2026/11/30", "2026/12/02"]);
    assert.equal(threadTime("9b7a0c1e-1111-4222-8333-444455556666"), undefined);
  });

  it("begin with a head that says whose they are", () => {
    const line = (payload: object) => JSON.stringify({ type: "session_meta", payload: { id: thread, ...payload } });
    assert.deepEqual(parseRolloutHead(line({ cwd: "/w", cli_version: "0.171.0", source: "cli" })), {
      conversationId: thread,
      subagent: false,
      cwd: "/w",
      version: "0.171.0",
    });
    assert.equal(parseRolloutHead(line({ source: { subagent: { thread_spawn: {} } } }))?.subagent, true);
    assert.equal(parseRolloutHead('{"type":"session_meta","payl'), undefined);
  });

  it("show the id in a title that was told to", () => {
    assert.equal(titleIdOf(`${thread.slice(0, 29)}... | Ready | Context 0% used`), thread.slice(0, 29));
    assert.equal(titleIdOf(`Ready | ${thread}`), thread);
    assert.equal(titleIdOf("Ready | Context 0% used"), undefined);
    assert.equal(titleIdOf("commit 01a22e4e-3a52"), undefined);
  });
});
