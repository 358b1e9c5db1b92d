import assert from "node:assert/strict";
import { parseCim, splitCommandLine, withoutReusedParents } from "../../../server/shell/processes/cimText.ts";

const row = (over: object) => ({
  ProcessId: 4242,
  ParentProcessId: 4000,
  Name: "claude.exe",
  ExecutablePath: "C:\\Users\\Ada L\\claude.exe",
  CommandLine: '"C:\\Users\\Ada L\\claude.exe" --model sonnet',
  Birth: "134090316000000000",
  ...over,
});

describe("what CIM tells of a process", () => {
  it("reads name, arguments and birth", () => {
    const [claude] = parseCim(`\uFEFF${JSON.stringify([row({})])}`) ?? [];
    assert.equal(claude?.name, "claude");
    assert.equal(claude?.birth, "134090316000000000");
    assert.equal(claude?.startedAt, Date.UTC(2025, 11, 1, 3));
    assert.deepEqual(claude?.argv, ["C:\\Users\\Ada L\\claude.exe", "--model", "sonnet"]);
  });

  it("leaves the command line of another user's process empty", () => {
    const [other] = parseCim(JSON.stringify([row({ CommandLine: null, ExecutablePath: null })])) ?? [];
    assert.deepEqual(other?.argv, []);
    assert.equal(other?.executable, undefined);
  });

  it("leaves out what has no birth, and gives nothing for other output", () => {
    assert.deepEqual(parseCim(JSON.stringify([row({ Birth: null })])), []);
    for (const text of ["", "Get-CimInstance : Access denied", "{}", JSON.stringify([{ ProcessId: "x" }])]) {
      assert.equal(parseCim(text), undefined, text);
    }
  });

  it("does not take a younger process for a parent: its number was used again", () => {
    const rows = [row({}), row({ ProcessId: 4000, Birth: "134090317000000000" })];
    const processes = withoutReusedParents(parseCim(JSON.stringify(rows)) ?? []);
    assert.equal(processes.find((process) => process.pid === 4242)?.parent, 0);
  });

  it("splits a command line as Windows does", () => {
    assert.deepEqual(splitCommandLine('codex -c "a = ""b""" C:\\x\\ "d\\\\" e\\"f ""'), [
      "codex",
      "-c",
      "a = b",
      "C:\\x\\",
      "d\\",
      'e"f',
      "",
    ]);
  });
});
