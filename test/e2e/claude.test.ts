import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type ClaudeSandbox, prepareClaude } from "../agents/claude.ts";
import { startFakeAnthropic } from "../support/fakeAnthropic.ts";
import type { FakeApi } from "../support/fakeApi.ts";
import { until } from "../support/until.ts";
import { openProduct, type Product } from "./product.ts";

describe("Plimsoll with the real Claude Code in a real VS Code", function () {
  this.timeout(240_000);

  let dir: string;
  let api: FakeApi;
  let claude: ClaudeSandbox;
  let product: Product;

  before(async () => {
    dir = await mkdtemp(path.join(tmpdir(), "plimsoll-e2e-"));
    api = await startFakeAnthropic();
    claude = await prepareClaude({ dir, api });
    product = await openProduct(claude);
    await product.vscode.openTerminal();
    await product.enter("claude");
    await product.vscode.terminalShows("❯");
  });
  afterEach(async function () {
    if (this.currentTest?.state === "failed")
      await product?.vscode.screenshot(`out/e2e/claude ${this.currentTest.title.slice(0, 40)}.png`);
  });
  after(async () => {
    await product?.close();
    await api?.stop();
    await rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });

  it("moves the gauge with every answer", async () => {
    for (const [usage, shown] of [
      ["150000", "150k"],
      ["210000", "210k"],
      ["290000", "290k"],
    ] as const) {
      await product.enter(`hello USAGE=${usage}`);
      await product.gaugeShows(shown);
      await product.vscode.screenshot(`out/e2e/gauge-${shown}.png`);
    }
  });

  it("asks once, and types one clear after the click and the first-time explanation", async () => {
    const text = await product.vscode.toast("290k");
    assert.match(text, /project/);
    await product.vscode.screenshot("out/e2e/question.png");
    await product.vscode.toastButton("290k", "Clear");
    const dialog = await product.vscode.dialog();
    assert.match(dialog, /\/clear/);
    await product.vscode.screenshot("out/e2e/first-time.png");
    await product.vscode.dialogButton("Type It");
    await until("a second conversation", async () => (await transcripts()).length === 2);
    await product.gaugeShows("no reading yet");
    const ending = (await product.journal()).filter(({ outcome }) => outcome !== undefined);
    assert.deepEqual(
      ending.map(({ outcome }) => outcome),
      ["confirmed"],
    );
    await product.vscode.screenshot("out/e2e/cleared.png");
  });

  async function transcripts(): Promise<string[]> {
    return (await readdir(claude.transcripts)).filter((name) => name.endsWith(".jsonl"));
  }
  void readFile;
});
