import assert from "node:assert/strict";
import fc from "fast-check";
import {
  parseCmdline,
  parseLocks,
  parseStat,
  parseUid,
  pickEnvironment,
} from "../../../server/shell/processes/procText.ts";

const bootedAt = 1_700_000_000_000;
const rest = (birth: string) =>
  `S 10 42 40 34816 43 4194304 1 0 0 0 5 3 0 0 20 0 1 0 ${birth} 9000000 900 18446744073709551615 1 1 0`;

describe("what /proc tells of a process", () => {
  it("reads parent, birth, groups and terminal from the stat line", () => {
    assert.deepEqual(parseStat(`77 (claude) ${rest("12345")}`, bootedAt), {
      pid: 77,
      parent: 10,
      birth: "12345",
      startedAt: bootedAt + 123_450,
      name: "claude",
      group: 42,
      tty: "34816",
      foregroundGroup: 43,
    });
  });

  it("takes any name, also one made to look like the fields behind it", () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        const stat = parseStat(`77 (${name}) ${rest("9")}`, bootedAt);
        assert.equal(stat?.name, name);
        assert.equal(stat?.birth, "9");
      }),
      { examples: [["tmux: server"], ["a) R 1 2 3 ("], [""]] },
    );
  });

  it("has no terminal where the number is 0", () => {
    const stat = parseStat(`77 (daemon) ${rest("9").replace("34816 43", "0 -1")}`, bootedAt);
    assert.equal(stat?.tty, undefined);
    assert.equal(stat?.foregroundGroup, undefined);
  });

  it("gives nothing for a line that is cut or no stat line at all", () => {
    for (const line of ["", "77 (claude", "77 (claude) S 10", "x (claude) S", `0 (idle) ${rest("1")}`]) {
      assert.equal(parseStat(line, bootedAt), undefined, line);
    }
  });

  it("keeps empty arguments and drops the last separator", () => {
    assert.deepEqual(parseCmdline("codex\0-m\0\0x y\0"), ["codex", "-m", "", "x y"]);
    assert.deepEqual(parseCmdline(""), []);
  });

  it("takes the chosen variables out of an environment and nothing else", () => {
    const block = Buffer.from(
      "HOME=/home/ada\0ANTHROPIC_API_KEY=secret\0MY_CODEX_HOME=/wrong\0CODEX_HOME=/c h\0CLAUDE_CONFIG_DIR=\0",
    );
    assert.deepEqual(pickEnvironment(block), { HOME: "/home/ada", CODEX_HOME: "/c h", CLAUDE_CONFIG_DIR: "" });
  });

  it("never takes a name that is not on the list, whatever the block holds", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.stringMatching(/^[A-Z_]{1,20}$/), fc.string())), (pairs) => {
        const block = Buffer.from(pairs.map(([name, value]) => `${name}=${value.replaceAll("\0", "")}\0`).join(""));
        for (const name of Object.keys(pickEnvironment(block))) {
          assert.ok(pairs.some(([given]) => given === name));
          assert.match(name, /^(HOME|USERPROFILE|CLAUDE_C\w+|CODEX_HOME)$/);
        }
      }),
    );
  });

  it("reads who holds which lock, and skips those who wait for one", () => {
    const table = [
      "1: POSIX  ADVISORY  READ 16504 fe:00:1663024 128 128",
      "2: FLOCK  ADVISORY  WRITE 16505 fe:00:1663172 0 EOF",
      "2: -> FLOCK  ADVISORY  WRITE 999 fe:00:1663172 0 EOF",
      "3: OFDLCK ADVISORY  WRITE -1 fe:00:1 0 EOF",
      "nonsense",
    ].join("\n");
    assert.deepEqual(parseLocks(table), [
      { pid: 16504, inode: 1663024n },
      { pid: 16505, inode: 1663172n },
    ]);
  });

  it("reads the effective user", () => {
    assert.equal(parseUid("Name:\tcodex\nUid:\t1000\t1001\t1000\t1000\nGid:\t5\t5\t5\t5\n"), 1001);
    assert.equal(parseUid("Name:\tcodex\n"), undefined);
  });
});
