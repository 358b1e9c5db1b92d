import assert from "node:assert/strict";
import {
  argumentsOf,
  environmentBehind,
  parseCommands,
  parseLsof,
  parsePs,
} from "../../../server/shell/processes/psText.ts";

const ps = `    1     0     1     0 ??       Mon Nov 30 08:00:00 2026 /sbin/launchd
  501   498   501   777 ttys003  Mon Nov 30 23:01:09 2026 -zsh
  777   501   777   777 ttys003  Tue Dec  1 00:05:30 2026 /Users/ada/Library/Application Support/bin/claude
`;

describe("what ps and lsof tell of a process", () => {
  it("reads every row, with the start as Claude writes it of itself", () => {
    const [launchd, shell, claude] = parsePs(ps) ?? [];
    assert.equal(launchd?.tty, undefined);
    assert.equal(shell?.name, "zsh");
    assert.deepEqual(claude, {
      pid: 777,
      parent: 501,
      birth: "Tue Dec  1 00:05:30 2026",
      startedAt: Date.UTC(2026, 11, 1, 0, 5, 30),
      name: "claude",
      argv: ["/Users/ada/Library/Application Support/bin/claude"],
      group: 777,
      tty: "ttys003",
      foregroundGroup: 777,
    });
  });

  it("does not guess: one row of another form makes the whole output unknown", () => {
    assert.equal(parsePs(`${ps}ps: unknown keyword\n`), undefined);
    assert.equal(parsePs(ps.replace("Mon Nov 30 23", "Lun 30 nov 23")), undefined);
    assert.deepEqual(parsePs(""), []);
  });

  it("keeps a program's path whole, whatever spaces it has", () => {
    const commands = parseCommands("  777 /Users/a b/claude --model sonnet\n  501 -zsh\n");
    assert.deepEqual(argumentsOf("/Users/a b/claude", commands.get(777) ?? ""), [
      "/Users/a b/claude",
      "--model",
      "sonnet",
    ]);
    assert.deepEqual(argumentsOf("/bin/zsh", commands.get(501) ?? ""), ["-zsh"]);
  });

  it("takes variables only from behind the command line", () => {
    const command = "claude say CODEX_HOME=/typed";
    const shown = `${command} HOME=/Users/ada SECRET=x CLAUDE_CONFIG_DIR=/Users/ada/my config TERM=xterm`;
    assert.deepEqual(environmentBehind(command, shown), {
      HOME: "/Users/ada",
      CLAUDE_CONFIG_DIR: "/Users/ada/my config",
    });
  });

  it("tells a hidden environment from an empty one", () => {
    assert.equal(environmentBehind("claude", "claude"), undefined);
    assert.equal(environmentBehind("claude", "other HOME=/x"), undefined);
  });

  it("reads the open files of lsof's field output", () => {
    assert.deepEqual(parseLsof("p777\nfcwd\nn/Users/ada/api\nf23\nn/Users/ada/.codex/thread-writer-locks/a.lock\n"), [
      { descriptor: "cwd", path: "/Users/ada/api" },
      { descriptor: "23", path: "/Users/ada/.codex/thread-writer-locks/a.lock" },
    ]);
  });
});
