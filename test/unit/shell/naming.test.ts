import assert from "node:assert/strict";
import type { TerminalFacts } from "../../../server/protocol/terminals.ts";
import { createNaming } from "../../../server/shell/naming.ts";
import type { Watched } from "../../../server/shell/watched.ts";
import { instance } from "../gates/goodFacts.ts";

const terminal = (terminalId: string): TerminalFacts => ({
  terminalId,
  name: "✳ Claude Code",
  stream: { kind: "held", since: 1 },
});
const agent = (instanceId: string, terminalId?: string): Watched => ({
  instance: { ...instance, instanceId, cwd: "/home/me/web" },
  subagents: [],
  ...(terminalId === undefined ? {} : { terminal: terminal(terminalId) }),
});

describe("the names of alike agents", () => {
  const terminals = [terminal("t1"), terminal("t2")];

  it("follow their terminals, so that one started anew keeps its number", () => {
    let agents = [agent("claude-1-1", "t1"), agent("claude-2-1", "t2")];
    const naming = createNaming(
      () => agents,
      () => terminals,
    );
    assert.deepEqual([naming.nameOf("claude-1-1"), naming.nameOf("claude-2-1")], ["web 1", "web 2"]);
    agents = [agent("claude-2-1", "t2"), agent("claude-3-1", "t1"), agent("claude-4-1")];
    assert.deepEqual(
      [...naming.names()],
      [
        ["claude-3-1", "web 1"],
        ["claude-2-1", "web 2"],
        ["claude-4-1", "web 3"],
      ],
    );
  });

  it("are remembered of one that has ended, and never an id", () => {
    let agents = [agent("claude-1-1", "t1")];
    const naming = createNaming(
      () => agents,
      () => terminals,
    );
    naming.names();
    agents = [];
    assert.equal(naming.nameOf("claude-1-1"), "web");
    assert.equal(naming.nameOf("claude-9-9"), "claude");
  });
});
