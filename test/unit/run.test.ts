import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { countMocha, judgeStage, totalLine } from "../run/counts.ts";
import { runCommand } from "../run/runCommand.ts";
import { isAlive } from "../support/processes.ts";
import { until } from "../support/until.ts";

const summary = ["  a suite", "    ✔ a test", "", "  12 passing (3s)", "  2 pending", "  1 failing", ""];

describe("the sum of a test run", () => {
  it("is mocha's own", () => {
    assert.deepEqual(countMocha(summary), { passed: 12, failed: 1, skipped: 2 });
  });

  it("sees through colours, the mark of the suite inside VS Code and Windows' line ends", () => {
    assert.equal(countMocha(["\u001b[92m \u001b[0m\u001b[32m 7 passing\u001b[0m\u001b[90m (44ms)\u001b[0m"]).passed, 7);
    assert.equal(countMocha(["\u2063  5 passing (2s)\r"]).passed, 5);
  });

  it("does not take a test's title for it", () => {
    assert.equal(countMocha(["    ✔ 5 passing ships", "3 passing ships in the night"]).passed, 0);
  });

  it("counts a stage without tests as one", () => {
    assert.deepEqual(judgeStage({ mocha: false }, { well: true, lines: [] }).counts.passed, 1);
    assert.deepEqual(judgeStage({ mocha: false }, { well: false, lines: [] }).counts.failed, 1);
  });

  it("counts a stage that ran no test as failed", () => {
    assert.equal(judgeStage({ mocha: true }, { well: true, lines: ["  0 passing (1ms)"] }).counts.failed, 1);
  });

  it("counts a stage that went wrong for another reason than its tests as failed", () => {
    const lines = ["  12 passing (3s)", "ERROR: Coverage for lines (94%) does not meet global threshold (95%)"];
    assert.deepEqual(judgeStage({ mocha: true }, { well: false, lines }).counts, { passed: 12, failed: 1, skipped: 0 });
    assert.equal(judgeStage({ mocha: true }, { well: false, lines: summary }).counts.failed, 1);
  });

  it("counts a stage whose time was over as failed, besides its failing tests", () => {
    assert.equal(judgeStage({ mocha: true }, { well: false, lines: summary, endedBecause: "late" }).counts.failed, 2);
  });

  it("says what was skipped only if something was", () => {
    assert.equal(totalLine({ passed: 3, failed: 0, skipped: 0 }), "3 passed, 0 failed");
    assert.equal(totalLine({ passed: 3, failed: 1, skipped: 2 }), "3 passed, 1 failed, 2 skipped");
  });
});

describe("a command of the test run", function () {
  this.timeout(30_000);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "plimsoll-run-"));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const run = async (code: string, limitMs: number, stop = new AbortController().signal) => {
    await writeFile(path.join(folder, "command.mjs"), code);
    return runCommand(["command.mjs"], folder, limitMs, stop, { write: () => true });
  };

  it("tells how it ended", async () => {
    assert.equal((await run("", 20_000)).well, true);
    assert.equal((await run("process.exit(3)", 20_000)).well, false);
  });

  it("gets no input to wait for", async () => {
    assert.equal(
      (await run("process.stdin.resume(); process.stdin.on('end', () => process.exit(0));", 20_000)).well,
      true,
    );
  });

  it("is ended with its children when its time is over", async function () {
    if (process.platform === "win32") this.skip();
    const sleeper = "setInterval(() => undefined, 1000)";
    const detached = `spawn(process.execPath, ["-e", ${JSON.stringify(sleeper)}], { detached: true, stdio: "ignore" })`;
    const code = `import { spawn } from "node:child_process";\nprocess.stdout.write("child " + ${detached}.pid + "\\n");\n${sleeper};\n`;
    const { well, endedBecause, lines } = await run(code, 1500);
    assert.equal(well, false);
    assert.match(endedBecause ?? "", /still running/);
    const child = Number(/child (\d+)/.exec(lines.join("\n"))?.[1]);
    await until("the end of the child", () => !isAlive(child));
  });

  it("is ended when the run is interrupted", async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 200);
    assert.match(
      (await run("setInterval(() => undefined, 1000)", 20_000, stop.signal)).endedBecause ?? "",
      /interrupted/,
    );
  });
});
