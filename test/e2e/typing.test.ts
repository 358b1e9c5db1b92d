import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { until } from "../support/until.ts";
import { endingOf, openProduct, type Product } from "./product.ts";
import { prepareSubject, type Subject, type SubjectKind } from "./subjects.ts";

const kinds: readonly SubjectKind[] = ["Claude Code", "Codex without its daemon", "Codex with its daemon"];

const buttons = { "Save and Clear…": "Save & Clear", "Compact Context…": "Compact" } as const;

for (const kind of kinds)
  describe(`Plimsoll with the real ${kind}`, function () {
    this.timeout(180_000);

    let dir: string;
    let subject: Subject;
    let product: Product;

    before(async () => {
      dir = await mkdtemp(path.join(tmpdir(), "plimsoll-e2e-"));
      subject = await prepareSubject(kind, dir);
      // Below the point where Codex would compact by itself, at the next prompt already.
      product = await openProduct(subject.sandbox, { settings: { "plimsoll.lines.hardTokens": 230_000 } });
      await product.vscode.openTerminal();
      await product.command(subject.command);
      await product.vscode.terminalShows(subject.ready, 40_000);
    });
    afterEach(async function () {
      if (this.currentTest?.state === "failed")
        await product?.vscode.screenshot(`out/e2e/${kind}, ${this.currentTest.title.slice(0, 50)}.png`);
    });
    after(async () => {
      await product?.close();
      await subject?.stop();
      await rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    });

    /** Outcomes of all resets so far, oldest first. */
    const outcomes = async () => (await product.journal()).flatMap((step) => endingOf(step) ?? []);
    const oneMore = async (before: number) =>
      until(
        "the end of the reset",
        async () => {
          const all = await outcomes();
          return all.length > before ? all.slice(before) : undefined;
        },
        60_000,
      );
    /** As from the menu: the command, then the dialog that says what is typed. */
    async function order(title: keyof typeof buttons): Promise<void> {
      await product.vscode.palette(`Plimsoll: ${title}`);
      await product.vscode.dialogButton(buttons[title]);
    }

    /** The gauge of a conversation that has just read its brief. */
    const briefed = /\b(19|2[0-3])k/;

    it("moves the gauge with every answer", async () => {
      for (const [tokens, shown] of [
        [150_000, "150k"],
        [210_000, "210k"],
      ] as const) {
        await product.enter(subject.prompt(tokens));
        await product.gaugeShows(shown);
      }
    });

    it("compacts exactly once, and says from how much to how much", async () => {
      const before = await outcomes();
      assert.equal(await subject.compactions(), 0);
      await order("Compact Context…");
      assert.deepEqual(await oneMore(before.length), ["confirmed"]);
      assert.equal(await subject.compactions(), 1);
      assert.match(await product.vscode.toast("210k →"), /summary/);
    });

    it("asks once over the line, and clears after the click: same process, new conversation", async () => {
      const before = await outcomes();
      await product.enter(subject.prompt(240_000));
      await product.gaugeShows("240k");
      await product.vscode.toast("every further step");
      const instances = new Set((await product.journal()).map(({ instanceId }) => instanceId));
      await product.vscode.toastButton("every further step", "Save & Clear");
      assert.deepEqual(await oneMore(before.length), ["confirmed"]);
      await product.gaugeShows(briefed);
      assert.deepEqual(new Set((await product.journal()).map(({ instanceId }) => instanceId)), instances);
      await product.enter(subject.prompt(12_000));
      await product.gaugeShows("12k");
    });

    it("refuses when a draft stands in the prompt box, and leaves it as it is", async () => {
      const before = await outcomes();
      await product.vscode.typeInTerminal("half a thought");
      await product.vscode.terminalShows("half a thought");
      await order("Save and Clear…");
      assert.deepEqual(await oneMore(before.length), ["refused at prompt-box-empty"]);
      assert.match(await product.vscode.toast("draft"), /was not typed/);
      await product.vscode.terminalShows("half a thought");
      for (const _ of "half a thought") await product.vscode.pressInTerminal("Backspace");
    });

    it("refuses when a permission dialog is open, and approves nothing", async () => {
      const file = path.join(dir, "approved-by-mistake");
      const before = await outcomes();
      await product.enter(subject.asksToTouch(file));
      await product.vscode.terminalShows(subject.dialogWords, 20_000);
      await order("Save and Clear…");
      assert.deepEqual(await oneMore(before.length), ["refused at turn-ended"]);
      await product.vscode.terminalShows(subject.dialogWords);
      const isGone = async () => !(await product.vscode.terminalText()).includes(subject.dialogWords);
      await until("the dialog to be gone", async () => {
        // The first Escape may only close a notification, and two in a burst are another key to the agent.
        await product.vscode.pressInTerminal("Escape");
        return until("it to go", isGone, 1500);
      });
      assert.equal(existsSync(file), false);
    });

    it("waits while the agent works, and clears when its turn has ended", async () => {
      const before = await outcomes();
      await product.enter(subject.prompt(30_000, "DELAY=4000"));
      await product.vscode.terminalShows(/interrupt/i);
      await order("Save and Clear…");
      await until("armed", async () => (await product.journal()).some(({ to }) => to === "armed"));
      assert.deepEqual(await oneMore(before.length), ["confirmed"]);
      await product.gaugeShows(briefed);
    });

    it("gives an armed clear up when a prompt comes instead", async () => {
      const before = await outcomes();
      await product.enter(subject.prompt(30_000, "DELAY=5000"));
      await product.vscode.terminalShows(/interrupt/i);
      await order("Save and Clear…");
      await until("armed", async () => (await product.journal()).filter(({ to }) => to === "armed").length > 1);
      await product.enter(subject.prompt(40_000, "and also"));
      // Where the agent keeps its queue on disk, the prompt is seen there already.
      assert.match((await oneMore(before.length)).join(), /^(refused at nothing-(said-since|pending)|aborted)$/);
      assert.match((await product.journal()).at(-1)?.ended?.reason ?? "", /prompt/);
      await product.gaugeShows("40k");
    });
  });
