import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { commandOf, descendants, isAlive } from "../support/processes.ts";
import { until } from "../support/until.ts";
import { endingOf, installProduct, openProduct, type Product } from "./product.ts";
import { prepareSubject, type Subject } from "./subjects.ts";

/** The lines that a person sends, and where the reset stands then. */
const handed = [
  ["saving/handed", /\[plimsoll save [0-9a-f]{12}\]/],
  ["dispatched/handed", /[❯›] \/clear/],
  ["resuming/handed", /\[plimsoll brief [0-9a-f]{12}\]/],
] as const;

describe("Plimsoll in trouble, with the real agents", function () {
  this.timeout(180_000);

  let dir: string;
  let subject: Subject;
  let product: Product;

  async function start(kind: Parameters<typeof prepareSubject>[0], installed = true): Promise<void> {
    subject = await prepareSubject(kind, dir);
    product = await openProduct(subject.sandbox, { installed });
    await product.vscode.openTerminal();
    await product.command(subject.command);
    await product.vscode.terminalShows(subject.ready, 40_000);
  }
  const endings = async () => (await product.journal()).flatMap((step) => endingOf(step) ?? []);
  const firstEnding = () => until("the end of the reset", async () => (await endings())[0], 60_000);
  /** As from the palette: the command, then the dialog that says what is typed. */
  async function order(command: string, button: string): Promise<void> {
    await product.vscode.palette(`Plimsoll: ${command}`);
    await product.vscode.dialogButton(button);
  }
  /** Processes of this VS Code whose command line holds the words. */
  const processesOf = (words: string) =>
    descendants(product.server.pid).filter((pid) => commandOf(pid).includes(words));

  beforeEach(async () => {
    dir = await mkdtemp(path.join(tmpdir(), "plimsoll-e2e-"));
  });
  afterEach(async function () {
    if (this.currentTest?.state === "failed")
      await product?.vscode.screenshot(`out/e2e/${this.currentTest.title.slice(0, 50)}.png`);
    await product?.close();
    await subject?.stop();
    await rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });

  it("types nothing into the shell when the agent ends between the look and Enter", async () => {
    await start("Claude Code");
    await product.enter(subject.prompt(150_000));
    await product.gaugeShows("150k");
    const [worker] = processesOf("dist/server.cjs");
    const [agent] = processesOf("@anthropic-ai/claude-code");
    assert.ok(worker !== undefined && agent !== undefined);
    await order("Save and Clear…", "Save & Clear");
    // The order to paste is out: the worker is held until the line stands in the box, and the agent ends there.
    await until(
      "the order",
      async () => (await product.journal()).some(({ to }) => to === "dispatched/typing"),
      40_000,
    );
    process.kill(worker, "SIGSTOP");
    try {
      await product.vscode.terminalShows("❯ /clear");
      process.kill(agent, "SIGKILL");
      await until("the agent's end", () => !isAlive(agent));
    } finally {
      process.kill(worker, "SIGCONT");
    }
    const ending = await firstEnding();
    assert.match(ending, /^(taken-back|left-in-box|refused)/);
    await product.vscode.typeInTerminal("echo still $((40+2))");
    await product.vscode.pressInTerminal("Enter");
    const screen = await product.vscode.terminalShows("still 42");
    assert.doesNotMatch(screen, /clear: (command|No such)|command not found/);
  });

  it("shows that its worker died, starts it anew, and measures right again", async () => {
    await start("Claude Code");
    await product.enter(subject.prompt(210_000));
    await product.gaugeShows("210k");
    const [worker] = processesOf("dist/server.cjs");
    assert.ok(worker !== undefined);
    process.kill(worker, "SIGKILL");
    await product.gaugeShows(/stopped|starting/i);
    await product.gaugeShows("210k", 30_000);
    assert.notEqual(processesOf("dist/server.cjs")[0], worker);
  });

  it("ends its worker when the extension host is killed", async () => {
    await start("Claude Code");
    await product.gaugeShows("project", 20_000);
    const [worker] = processesOf("dist/server.cjs");
    const [host] = processesOf("--type=extensionHost");
    assert.ok(worker !== undefined && host !== undefined);
    process.kill(host, "SIGKILL");
    await until("the worker's end", () => !isAlive(worker), 5000);
  });

  it("shows an agent truthfully that ran at 290k before Plimsoll came", async () => {
    await start("Claude Code", false);
    await product.enter(subject.prompt(290_000));
    await product.vscode.terminalShows("ok");
    await installProduct(product.server);
    await product.vscode.reload();
    await product.gaugeShows("290k", 20_000);
  });

  it("clears a Codex whose daemon and title say nothing: only its thread's birth does", async () => {
    await start("Codex as installed");
    await product.enter(subject.prompt(150_000));
    await product.gaugeShows("150k", 30_000);
    await order("Save and Clear…", "Save & Clear");
    assert.equal(await firstEnding(), "confirmed");
    await product.gaugeShows(/\b(19|2[0-3])k/);
    await product.enter(subject.prompt(60_000));
    await product.gaugeShows("60k");
  });

  for (const kind of ["Claude Code", "Codex without its daemon", "Codex with its daemon"] as const)
    it(`lets the person press Enter after a reload, and reconnects: ${kind}`, async () => {
      await start(kind);
      await product.enter(subject.prompt(150_000));
      await product.gaugeShows("150k");
      await product.vscode.reload();
      await product.gaugeShows("150k", 30_000);
      await order("Save and Clear…", "Save & Clear");
      // Nothing is pressed for the person, not once.
      for (const [phase, line] of handed) {
        await until(phase, async () => (await product.journal()).at(-1)?.to === phase, 40_000);
        await product.vscode.terminalShows(line);
        assert.deepEqual(await endings(), []);
        await product.vscode.pressInTerminal("Enter");
      }
      assert.equal(await firstEnding(), "confirmed");
      await product.gaugeShows(/\b(19|2[0-3])k/);

      await product.enter(subject.prompt(60_000));
      await product.gaugeShows("60k");
      await product.vscode.palette("Plimsoll: Reconnect…");
      await product.vscode.dialogButton("Paste It");
      await product.vscode.terminalShows(/[❯›] \/exit/);
      await product.vscode.pressInTerminal("Enter");
      await product.vscode.toast("its prompt box can be seen");
      await product.gaugeShows("60k");
      await order("Save and Clear…", "Save & Clear");
      await until("a second confirmed clear", async () => (await endings()).length === 2, 60_000);
      assert.deepEqual(await endings(), ["confirmed", "confirmed"]);
    });
});
