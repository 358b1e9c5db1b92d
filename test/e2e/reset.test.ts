import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { until } from "../support/until.ts";
import { endingOf, openProduct, type Product } from "./product.ts";
import { prepareSubject, type Subject, type SubjectKind } from "./subjects.ts";
import { toldIn } from "./told.ts";

const kinds: readonly SubjectKind[] = ["Claude Code", "Codex without its daemon", "Codex with its daemon"];

for (const kind of kinds)
  describe(`Save, clear, brief and undo with the real ${kind}`, function () {
    this.timeout(120_000);

    let dir: string;
    let subject: Subject;
    let product: Product;

    before(async () => {
      dir = await mkdtemp(path.join(tmpdir(), "plimsoll-e2e-"));
      subject = await prepareSubject(kind, dir);
      execFileSync("git", ["init", "-q", subject.sandbox.project]);
      product = await openProduct(subject.sandbox, { settings: { "plimsoll.lines.hardTokens": 230_000 } });
      await product.vscode.openTerminal();
      await product.command(subject.command);
      await product.vscode.terminalShows(subject.ready, 40_000);
    });
    beforeEach(async () => {
      await product.vscode.palette("Notifications: Clear All Notifications");
    });
    afterEach(async function () {
      if (this.currentTest?.state === "failed")
        await product?.vscode.screenshot(`out/e2e/reset ${kind}, ${this.currentTest.title.slice(0, 50)}.png`);
    });
    after(async () => {
      await product?.close();
      await subject?.stop();
      await rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    });

    const outcomes = async () => (await product.journal()).flatMap((step) => endingOf(step) ?? []);
    /** The ends of what is begun by `act`. */
    async function endsOf(act: () => Promise<void>): Promise<readonly string[]> {
      const before = (await outcomes()).length;
      await act();
      const ended = async () => {
        const all = await outcomes();
        return all.length > before && all.slice(before);
      };
      return until("the end of the reset", ended, 60_000);
    }
    /** As from the palette: the command, then the dialog that says what is typed. */
    async function order(command: string, button: string): Promise<void> {
      await product.vscode.palette(`Plimsoll: ${command}`);
      await product.vscode.dialogButton(button);
    }
    /** Where the resets of all agents stand; each agent has a journal of its own. */
    const phases = async () => [
      ...new Map((await product.journal()).map((step) => [step.instanceId, step.to])).values(),
    ];
    const reaches = (phase: string) => until(phase, async () => (await phases()).includes(phase), 30_000);

    /** Requests whose conversation holds these words, not counting what tools showed. */
    const toldWith = (words: string) =>
      subject.api.requests.map(toldIn).filter((texts) => texts.join("\n").includes(words));
    const wasTold = (words: string) => until(`"${words}" in a request`, () => toldWith(words).at(-1));

    /** A word that only this conversation knows; over the line, unless it is to stay under it. */
    async function fill(codeword: string, tokens = 240_000): Promise<void> {
      await product.enter(subject.says(codeword, tokens));
      await wasTold(`Remember the codeword ${codeword}.`);
      await product.gaugeShows(`${tokens / 1000}k`);
    }
    /** After a prompt that was sent now, whether the conversation still knows the word. */
    async function stillKnows(codeword: string, tokens: number): Promise<void> {
      const again = `which word, after ${codeword.length} letters?`;
      await product.enter(subject.prompt(tokens, again));
      assert.ok((await wasTold(again)).join("\n").includes(`Remember the codeword ${codeword}.`));
    }
    /** What was told to the conversation that was briefed last; the old one's words are not in it. */
    async function isFresh(codeword: string): Promise<string> {
      // It reads what was saved, where a good agent quotes the person.
      await until("the saved state in a request", () => subject.lastRequestText().includes(`codeword ${codeword}.`));
      const texts = toldWith("[plimsoll brief ").at(-1)?.join("\n") ?? "";
      assert.match(texts, /\[plimsoll brief ([0-9a-f]{12})\] Automatic: read \.plimsoll\/\1\/brief\.md/);
      assert.ok(!texts.includes(codeword), "the old prompt is in the new conversation");
      return texts;
    }
    async function savedStates(): Promise<readonly string[]> {
      const folder = path.join(subject.sandbox.project, ".plimsoll");
      const names = (await readdir(folder)).filter((name) => /^[0-9a-f]{12}$/.test(name));
      return Promise.all(names.map((name) => readFile(path.join(folder, name, "state.md"), "utf8").catch(() => "")));
    }
    /** A turn that is under way: one that was interrupted before its first word would come back into Claude's box. */
    const worksFor = (ms: number) => {
      const file = path.join(subject.sandbox.project, `DELAY=${ms}`);
      return subject.prompt(40_000, kind === "Claude Code" ? `TOOL:Read {"file_path":"${file}"}` : `DELAY=${ms}`);
    };
    /** The first answer of the dialog; a dialog that has just come up takes no key yet. */
    async function answersYes(): Promise<void> {
      const isGone = async () => !(await product.vscode.terminalText()).includes(subject.saveDialogWords);
      await until("the dialog to be gone", async () => {
        await product.vscode.pressInTerminal("Enter");
        return until("it to go", isGone, 1500);
      });
    }
    const instances = async () => new Set((await product.journal()).map(({ instanceId }) => instanceId)).size;
    /** Ends the agent and starts it in another way, in the same terminal. */
    async function restart(command: string): Promise<void> {
      await product.enter("/exit");
      // Not before the shell has the keyboard again: Codex ends in a keyboard mode of its own.
      await product.vscode.terminalShows(/[$#]\s*$/, 20_000);
      await product.command("clear");
      await product.command(command);
      await product.vscode.terminalShows(subject.ready, 40_000);
    }

    it("is done by one click in the notification, with figures before and after", async () => {
      await fill("marzipan");
      const ends = endsOf(async () => {
        await product.vscode.toastButton("every further step", "Save & Clear");
        // The first time on this machine it is explained.
        await product.vscode.dialogButton("Save & Clear");
      });
      assert.deepEqual(await ends, ["confirmed"]);
      await isFresh("marzipan");
      assert.match(
        await product.vscode.toast("240k →"),
        /^project: 240k → (19|2\d)k\. Saved \(\d\.\d kB\) and cleared/,
      );
      const saved = await savedStates();
      assert.equal(saved.length, 1);
      assert.match(saved.join(), /^<!-- plimsoll check code: [0-9a-f]{12} -->\n.*marzipan/s);
      const exclude = await readFile(path.join(subject.sandbox.project, ".git/info/exclude"), "utf8");
      assert.match(exclude, /^\/?\.plimsoll\/?$/m);

      // Undo, in the result: one click.
      assert.deepEqual(await endsOf(() => product.vscode.toastButton("240k →", "Undo")), ["confirmed"]);
      await product.gaugeShows("240k");
      await stillKnows("marzipan", 235_000);
      assert.equal(await instances(), 1);
    });

    it("is done from the palette, and undone from there", async () => {
      await fill("nougat");
      assert.deepEqual(await endsOf(() => order("Save and Clear…", "Save & Clear")), ["confirmed"]);
      await isFresh("nougat");
      const ends = endsOf(async () => {
        await product.vscode.palette("Plimsoll: Undo Clear…");
        assert.match((await product.vscode.quickPickRows())[0] ?? "", /240k tokens before/);
        await product.vscode.quickPickChoose("240k tokens before");
        await product.vscode.dialogButton("Undo Clear");
      });
      assert.deepEqual(await ends, ["confirmed"]);
      await product.gaugeShows("240k");
      await stillKnows("nougat", 150_000);
    });

    it("is done from the status bar's menu", async () => {
      await fill("praline", 150_000);
      const ends = endsOf(async () => {
        await product.vscode.clickStatus("plimsoll.agents");
        await product.vscode.quickPickRows();
        await product.vscode.quickPickChoose("Save & Clear…");
        await product.vscode.dialogButton("Save & Clear");
      });
      assert.deepEqual(await ends, ["confirmed"]);
      await isFresh("praline");
      assert.match(await product.vscode.toast("150k →"), /150k → (19|2\d)k/);
      assert.equal(await instances(), 1);
    });

    it("delivers what was written for the new conversation, once and as it is", async () => {
      const words = "Look at the harbour, USAGE=31000 OUT=0,\nand count the boats SAY=counted";
      await fill("fondant", 150_000);
      await product.vscode.palette("Plimsoll: Save, Clear, Then…");
      await product.vscode.typeInEditor("plimsoll-then", words);
      const ends = endsOf(async () => {
        await product.vscode.codeLens("Send With Save & Clear");
        await product.vscode.dialogButton("Save, Clear, Then");
      });
      assert.deepEqual(await ends, ["confirmed"]);
      const texts = await wasTold("Look at the harbour");
      assert.ok(texts.includes(words), "as a prompt of its own");
      assert.equal(texts.join("\n").split("Look at the harbour").length, 2);
      assert.match(await isFresh("fondant"), /more follows\./);
      await product.gaugeShows("31k");
    });

    // What is left out with the daemon differs only after what ties the terminal to its conversation.
    if (kind !== "Codex with its daemon") {
      it("goes on by itself after Save, Clear & Continue", async () => {
        await fill("krokant", 150_000);
        assert.deepEqual(await endsOf(() => order("Save, Clear & Continue…", "Save, Clear & Continue")), ["confirmed"]);
        assert.match(await isFresh("krokant"), /then go on\./);
      });

      it("types nothing into the new conversation after Save, Clear & Stop", async () => {
        await fill("turron", 150_000);
        assert.deepEqual(await endsOf(() => order("Save, Clear & Stop…", "Save, Clear & Stop")), ["confirmed"]);
        await product.gaugeShows("no reading yet");
        const briefs = toldWith("[plimsoll brief ").length;
        await product.enter(subject.prompt(30_000, "anew"));
        const texts = (await wasTold("anew")).join("\n");
        assert.ok(!texts.includes("[plimsoll ") && !texts.includes("turron"));
        assert.equal(toldWith("[plimsoll brief ").length, briefs);
      });

      it("only saves by Save Now", async () => {
        await fill("halva", 150_000);
        const before = (await savedStates()).join();
        assert.deepEqual(await endsOf(() => order("Save Now", "Save Now")), ["confirmed"]);
        assert.match(await product.vscode.toast("saved, "), /^project: saved, \d\.\d kB\./);
        assert.ok((await savedStates()).join().includes("halva") && !before.includes("halva"));
        await stillKnows("halva", 150_000);
      });

      it("lets the person look and edit first, by Review First", async () => {
        await fill("gianduja", 150_000);
        const ends = endsOf(async () => {
          await order("Review First…", "Review First");
          await reaches("saved/reviewing");
          await product.vscode.typeInEditor("/state.md", "\nThe person adds: mind the tide.\n");
          await product.vscode.toastButton("Look at the saved state", "Clear Now");
        });
        assert.deepEqual(await ends, ["confirmed"]);
        await isFresh("gianduja");
        assert.ok(subject.lastRequestText().includes("mind the tide"));
        assert.ok((await savedStates()).some((state) => state.includes("mind the tide")));
        await product.vscode.palette("View: Close Editor");
      });
    }

    it("ends a long turn by Interrupt, which does not count as the person's doing", async () => {
      await product.enter(worksFor(60_000));
      await product.vscode.terminalShows(/interrupt/i);
      const ends = endsOf(async () => {
        await order("Save Now", "Save Now");
        await reaches("armed");
        await product.vscode.palette("Plimsoll: Interrupt Agent (Escape)");
        await product.vscode.terminalShows(/interrupted/i);
      });
      assert.deepEqual(await ends, ["confirmed"]);
    });

    it("waits for a permission that only the person gives", async () => {
      await restart(subject.asksCommand);
      await fill("toffee", 150_000);
      const ends = endsOf(async () => {
        await order("Save and Clear…", "Save & Clear");
        await product.vscode.terminalShows(subject.saveDialogWords, 30_000);
        assert.match(
          await product.vscode.toast("waiting for your permission"),
          /^project: Save & Clear.*Show Terminal/s,
        );
        assert.ok((await phases()).includes("saving/writing"));
        await answersYes();
      });
      assert.deepEqual(await ends, ["confirmed"]);
      await isFresh("toffee");
    });

    if (kind === "Claude Code")
      it("saves without asking once that is allowed", async () => {
        await fill("caramel", 150_000);
        await order("Allow Saving Without Asking", "Allow Always");
        await product.vscode.toast("saves without asking from now on");
        const file = path.join(subject.sandbox.project, ".claude/settings.local.json");
        assert.match(await readFile(file, "utf8"), /"Edit\(\.plimsoll\/\*\*\)"/);
        assert.deepEqual(await endsOf(() => order("Save and Clear…", "Save & Clear")), ["confirmed"]);
        await isFresh("caramel");
      });

    it("refuses at once where nothing can be saved, and says what to do", async () => {
      await restart(subject.readOnlyCommand);
      await fill("sherbet", 150_000);
      const before = await product.journal();
      await product.vscode.palette("Plimsoll: Save and Clear…");
      const words = await product.vscode.toast("can't save now");
      assert.match(words, kind === "Claude Code" ? /plan mode.*Shift\+Tab/s : /read-only.*\/permissions/s);
      assert.deepEqual(await product.journal(), before);
    });
  });
