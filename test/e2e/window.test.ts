import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type ClaudeSandbox, prepareClaude } from "../agents/claude.ts";
import { startFakeAnthropic } from "../support/fakeAnthropic.ts";
import type { FakeApi } from "../support/fakeApi.ts";
import { commandOf, descendants } from "../support/processes.ts";
import { until } from "../support/until.ts";
import { openProduct, type Product } from "./product.ts";

describe("one window with two alike agents", function () {
  this.timeout(120_000);

  let dir: string;
  let api: FakeApi;
  let claude: ClaudeSandbox;
  let product: Product;

  before(async () => {
    dir = await mkdtemp(path.join(tmpdir(), "plimsoll-e2e-"));
    api = await startFakeAnthropic();
    claude = await prepareClaude({ dir, api });
    product = await openProduct(claude);
  });
  afterEach(async function () {
    if (this.currentTest?.state === "failed")
      await product?.vscode.screenshot(`out/e2e/window, ${this.currentTest.title.slice(0, 50)}.png`);
  });
  after(async () => {
    await product?.close();
    await api?.stop();
    await rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });

  const toastOf = (texts: readonly string[], words: string) => texts.find((text) => text.includes(words));
  async function startAgent(prompt: string): Promise<void> {
    await product.vscode.openTerminal();
    await product.enter("claude --permission-mode acceptEdits");
    await product.vscode.terminalShows("❯", 40_000);
    await product.enter(prompt);
  }
  /** Transcripts that begin with a `/clear`. */
  async function clears(): Promise<number> {
    const names = (await readdir(claude.transcripts)).filter((name) => name.endsWith(".jsonl"));
    const texts = await Promise.all(names.map((name) => readFile(path.join(claude.transcripts, name), "utf8")));
    return texts.filter((text) => text.includes("<command-name>/clear<")).length;
  }

  it("clears the one that the question names, behind the one that is in front", async () => {
    const { vscode } = product;
    await startAgent("go USAGE=290000 first");
    await product.gaugeShows("290k");
    await vscode.toast("project: 290k tokens");
    await startAgent("go USAGE=90000 second");
    await product.gaugeShows(/project 1 290k.*clear\?/i);

    await vscode.toastButton("290k tokens", "Save & Clear");
    assert.match(await vscode.dialog(), /Save & Clear: project 1 \(290k\)\?/);
    await vscode.dialogButton("Save & Clear");

    const result = await until("the result", async () => toastOf(await vscode.toasts(), "290k →"), 60_000);
    assert.match(result, /^project 1: /);
    await vscode.terminalShows("second");
    await product.gaugeShows("project 2 90k");
    assert.equal(await clears(), 1);
  });

  it("leaves no progress beside the result, and none of the waiting", async () => {
    const { vscode } = product;
    await vscode.palette("Notifications: Clear All Notifications");
    await product.enter("go USAGE=91000 DELAY=7000");
    await vscode.terminalShows(/interrupt/i);
    await vscode.palette("Plimsoll: Save and Clear…");
    await vscode.dialogButton("Save & Clear");
    await vscode.toast("waits because the agent is working");
    await until("the result", async () => toastOf(await vscode.toasts(), "91k →"), 60_000);
    assert.equal((await vscode.toasts()).length, 1);
  });

  it("says so where the worker died between the paste and Enter, and presses no key afterwards", async () => {
    const { vscode } = product;
    await product.enter("go USAGE=92000");
    await product.gaugeShows("92k");
    const before = await clears();
    await vscode.palette("Plimsoll: Save and Clear…");
    await vscode.dialogButton("Save & Clear");
    await until(
      "the order",
      async () => {
        const last = new Map((await product.journal()).map(({ instanceId, to }) => [instanceId, to]));
        return [...last.values()].includes("dispatched/typing");
      },
      40_000,
    );
    const worker = descendants(product.server.pid).find((pid) => commandOf(pid).includes("dist/server.cjs"));
    assert.ok(worker !== undefined);
    process.kill(worker, "SIGSTOP");
    await vscode.terminalShows("❯ /clear");
    process.kill(worker, "SIGKILL");
    assert.match(await vscode.toast("may still stand in its prompt box"), /^project 2: .* Look at the terminal/);
    await vscode.terminalShows("❯ /clear");
    assert.equal(await clears(), before);

    await vscode.clickStatus("plimsoll.agents");
    await vscode.quickPickRows();
    await vscode.quickPickChoose("Abort");
    await product.gaugeShows("project 2 92k");
    for (const _ of "/clear") await vscode.pressInTerminal("Backspace");
  });

  it("keeps measuring only, whatever other setting changes", async () => {
    const { vscode } = product;
    await vscode.setSettings({ "plimsoll.mode": "gauge" });
    await vscode.setSettings({ "plimsoll.lines.softTokens": 150_000 });
    await product.enter("go USAGE=295000");
    await product.gaugeShows("● project 2 295k");
    await vscode.clickStatus("plimsoll.agents");
    const rows = await vscode.quickPickRows();
    await vscode.quickPickClose();
    assert.ok(rows.some((row) => row.startsWith("Check")));
    assert.ok(!rows.some((row) => /^(Save|Compact)/.test(row)), rows.join("\n"));
  });
});
