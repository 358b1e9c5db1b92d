import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { openProduct, type Product } from "../e2e/product.ts";
import { prepareSubject, type Subject, type SubjectKind } from "../e2e/subjects.ts";
import { isAlive } from "../support/processes.ts";
import { until } from "../support/until.ts";
import { type Ordered, type Scene, sceneOf, type Traces } from "./adversaries/scene.ts";

const kinds: readonly SubjectKind[] = ["Claude Code", "Codex without its daemon", "Codex with its daemon"];

for (const kind of kinds)
  describe(`What may go wrong in a reset, with the real ${kind}`, function () {
    this.timeout(120_000);
    const isClaude = kind === "Claude Code";
    /** What ties a terminal to its conversation is another thing there; the rest is the same. */
    const isFew = kind === "Codex with its daemon";
    const all = isFew ? () => undefined : describe;

    let dir: string;
    let subject: Subject;
    let product: Product;
    let scene: Scene;

    before(async () => {
      dir = await mkdtemp(path.join(tmpdir(), "plimsoll-e2e-"));
      subject = await prepareSubject(kind, dir);
      product = await openProduct(subject.sandbox);
      scene = sceneOf(subject, product);
      await startAgent("first");
    });
    afterEach(async function () {
      subject.saving("well");
      if (this.currentTest?.state === "failed")
        await product?.vscode.screenshot(`out/e2e/adversaries ${kind}, ${this.currentTest.title.slice(0, 50)}.png`);
    });
    after(async () => {
      await product?.close();
      await subject?.stop();
      await rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    });

    async function startAgent(codeword: string): Promise<void> {
      await product.vscode.openTerminal();
      await runAgent(codeword);
    }
    async function runAgent(codeword: string): Promise<void> {
      await product.command(subject.command);
      await product.vscode.terminalShows(subject.ready, 40_000);
      await scene.fill(codeword);
    }

    /** Refused or called off for this reason, which the notification says too, and not cleared. */
    async function notCleared(ordered: Ordered, how: string, reason: RegExp): Promise<void> {
      const ending = await ordered.ending();
      assert.match(`${ending.how}: ${ending.reason}`, new RegExp(`^${how}: .*(${reason.source})`));
      assert.equal(ending.cleared, false);
      await product.vscode.toast(ending.reason.slice(0, 60));
    }

    /** A whole reset, and a conversation to go on with. */
    async function works(codeword: string): Promise<void> {
      const ordered = await scene.order();
      assert.equal((await ordered.ending()).how, "confirmed");
      assert.ok(subject.lastRequestText().includes(`[plimsoll brief ${ordered.resetId}]`));
      await scene.fill(codeword);
    }

    /** What stands in place of the empty prompt box, and how it is left. */
    const views: readonly {
      readonly name: string;
      readonly open: () => Promise<unknown>;
      readonly leave: () => Promise<unknown>;
      readonly gate?: string;
      readonly reason: RegExp;
      readonly claudeOnly?: boolean;
    }[] = [
      {
        name: "a draft",
        open: () => typed("half a thought"),
        leave: () => scene.backspace(14),
        reason: /a draft stands/,
      },
      {
        name: "shell mode",
        open: async () => {
          await product.vscode.typeInTerminal("!");
          await product.vscode.terminalShows(/^!/m);
        },
        leave: () => scene.backspace(1),
        reason: /the prompt box is in shell mode/,
      },
      {
        name: "the list of commands",
        open: () => typed("/cl"),
        leave: () => scene.backspace(3),
        reason: /a draft stands/,
      },
      {
        name: "the search through old prompts",
        open: async () => {
          await product.vscode.pressInTerminal("Control+r");
          await product.vscode.terminalShows(searchWords);
        },
        leave: () => scene.leave(searchWords),
        reason: /no prompt box can be seen/,
      },
      {
        name: "the menu of models",
        open: async () => {
          await product.enter("/model");
          await product.vscode.terminalShows(menuWords);
        },
        leave: () => scene.leave(menuWords),
        // Claude Code tells of its own menus on disk.
        ...(isClaude
          ? { gate: "turn-ended", reason: /the agent waits for you/ }
          : { reason: /no prompt box can be seen/ }),
      },
      {
        name: "the view of the transcript",
        open: async () => {
          await product.vscode.pressInTerminal("Control+o");
          await product.vscode.terminalShows("Showing detailed");
        },
        leave: () => scene.leave("Showing detailed"),
        reason: /no prompt box can be seen/,
        claudeOnly: true,
      },
    ];
    const searchWords = isClaude ? "⌕" : "reverse-i-search";
    const menuWords = /[❯›] +1\./;

    async function typed(words: string): Promise<void> {
      await product.vscode.typeInTerminal(words);
      await product.vscode.terminalShows(new RegExp(`[❯›] ${words}`));
    }
    const untouched = async (before: Traces) => assert.deepEqual(await scene.traces(), before);
    const sameConversation = async ({ conversations }: Traces) =>
      assert.equal((await scene.traces()).conversations, conversations);

    all("before it is asked to save", () => {
      for (const { name, open, leave, gate = "prompt-box-empty", reason, claudeOnly = false } of views)
        if (isClaude || !claudeOnly)
          it(`types nothing into ${name}`, async () => {
            const before = await scene.traces();
            await open();
            try {
              await notCleared(await scene.order(), `refused at ${gate}`, reason);
              await untouched(before);
            } finally {
              await leave();
            }
          });

      it("types nothing into a question of the agent", async () => {
        const file = path.join(dir, "approved-by-mistake");
        await product.enter(subject.asksToTouch(file));
        await product.vscode.terminalShows(subject.dialogWords);
        const before = await scene.traces();
        await notCleared(await scene.order(), "refused at turn-ended", /the agent waits for you|a tool call is open/);
        await sameConversation(before);
        await scene.leave(subject.dialogWords);
        assert.equal(existsSync(file), false);
      });

      it("types nothing while a prompt waits in the queue", async () => {
        await product.enter(subject.prompt(150_000, "DELAY=8000"));
        await product.vscode.terminalShows(/interrupt/i);
        await product.enter(subject.prompt(160_000, "and also"));
        const before = await scene.traces();
        const ordered = await scene.order();
        const { how, cleared } = await ordered.ending();
        if (how === "confirmed") {
          // Where the queue is not on disk: the prompt was answered, and is part of what was saved.
          const asked = subject.api.requests.map(({ body }) => JSON.stringify(body));
          const said = asked.findIndex((body) => body.includes("and also"));
          assert.ok(!isClaude && said >= 0);
          assert.ok(said < asked.findIndex((body) => body.includes(`[plimsoll save ${ordered.resetId}]`)));
          await scene.fill("queued");
          return;
        }
        assert.match(how, /^(refused at nothing-pending|refused at nothing-said-since|aborted)$/);
        assert.equal(cleared, false);
        await product.gaugeShows("160k");
        await sameConversation(before);
      });

      if (isClaude)
        it("waits for a sub-agent in the background", async () => {
          const task = {
            description: "sub job",
            prompt: "inner task USAGE=5000 DELAY=9000 SAY=innerdone",
            subagent_type: "general-purpose",
            run_in_background: true,
          };
          const before = await scene.traces();
          await product.enter(`go USAGE=150000 TOOL:Agent ${JSON.stringify(task)}`);
          await until("the sub-agent", () => subject.api.requests.length > before.requests + 1);
          const ordered = await scene.order();
          await ordered.reached("armed");
          assert.equal((await ordered.ending()).how, "confirmed");
          await scene.fill("background");
        });
    });

    all("while it saves", () => {
      beforeEach(() => subject.saving("slow"));

      async function whileSaving(meanwhile: (ordered: Ordered) => Promise<unknown>): Promise<Ordered> {
        const ordered = await scene.order();
        await ordered.reached("saving/writing");
        await meanwhile(ordered);
        return ordered;
      }

      it("is called off by a prompt of the person", async () => {
        const before = await scene.traces();
        const ordered = await whileSaving(() => product.enter(subject.prompt(160_000, "and also")));
        await notCleared(ordered, "aborted", /a prompt was sent after the click/);
        await sameConversation(before);
        subject.saving("well");
        await product.gaugeShows("160k");
      });

      it("is called off when the agent ends, and types nothing into the one started after it", async () => {
        const ordered = await whileSaving(endAgent);
        await notCleared(ordered, "aborted", /the agent has ended/);
        subject.saving("well");
        // An agent that is killed leaves its terminal with another keyboard.
        await scene.killTerminal();
        await startAgent("again");
        await works("started anew");
      });

      it("is called off when its terminal is closed", async () => {
        const ordered = await whileSaving(scene.killTerminal);
        await notCleared(ordered, "aborted", /the agent has ended|the terminal was closed/);
        subject.saving("well");
        await startAgent("in another terminal");
      });
    });

    describe("between the save and the clear", () => {
      let before: Traces;

      async function atLast(meanwhile: (ordered: Ordered) => Promise<unknown>): Promise<Ordered> {
        const ordered = await scene.order();
        await scene.heldAt(ordered, /^(saved|claimed)/, async () => {
          before = await scene.traces();
          await meanwhile(ordered);
        });
        return ordered;
      }

      for (const { name, open, leave, gate = "prompt-box-empty", reason } of views.filter(({ name: view }) =>
        ["a draft", "shell mode", "the menu of models"].includes(view),
      ))
        it(`types nothing into ${name}`, async () => {
          const ordered = await atLast(open);
          if (gate === "turn-ended") {
            // What comes up after the click is waited for.
            await product.vscode.toast("waits because the agent waits for you");
            await untouched(before);
            await leave();
            assert.equal((await ordered.ending()).how, "confirmed");
            await scene.fill("after the menu");
            return;
          }
          try {
            await notCleared(ordered, `refused( at ${gate})?`, reason);
            await untouched(before);
          } finally {
            await leave();
          }
        });

      it("clears nothing after a prompt of the person", async () => {
        const ordered = await atLast(async () => {
          await product.enter(subject.prompt(170_000, "one more"));
          await until("the prompt", () => subject.api.requests.length > before.requests);
        });
        await notCleared(
          ordered,
          "(aborted|refused at nothing-said-since|taken-back)",
          /a prompt was sent after the (click|save)/,
        );
        await product.gaugeShows("170k");
        await sameConversation(before);
      });

      it("clears nothing when the saved state was changed", async () => {
        const ordered = await atLast(async ({ resetId }) => {
          const file = path.join(subject.sandbox.project, ".plimsoll", resetId, "state.md");
          await appendFile(file, "\nOne more line.\n");
        });
        await notCleared(
          ordered,
          "(refused at saved-well|taken-back)",
          /the saved state was changed after it was checked/,
        );
        await untouched(before);
      });

      it("clears nothing when the person has cleared it", async () => {
        const ordered = await atLast(async () => {
          await product.enter("/clear");
          await until("the clear", async () => (await scene.traces()).conversations > before.conversations);
        });
        const ending = await ordered.ending();
        assert.match(ending.how, /^(refused|aborted|taken-back)/);
        assert.match(ending.reason, /another conversation|an earlier conversation|binding|certain|names this/);
        assert.equal(ending.cleared, false);
        assert.equal((await scene.traces()).conversations, before.conversations + 1);
        await scene.fill("cleared by hand");
      });

      it("clears nothing when the person has compacted it", async () => {
        const compactions = await subject.compactions();
        const ordered = await atLast(async () => {
          await product.enter("/compact");
          await until("the compaction", async () => (await subject.compactions()) > compactions);
        });
        await notCleared(ordered, "(aborted|taken-back)", /the agent compacted by itself meanwhile/);
        await sameConversation(before);
        await scene.fill("compacted by hand");
      });

      it("works the next time", () => works("next"));
    });

    describe("with the line in the prompt box", () => {
      /** Holds the worker before the last look. */
      async function inBox(meanwhile: () => Promise<unknown>): Promise<{ ordered: Ordered; before: Traces }> {
        const ordered = await scene.order();
        let before: Traces = { conversations: 0, requests: 0 };
        const held = async () => {
          before = await scene.traces();
          await meanwhile();
          // VS Code hands on what it shows only after a pause of 50 ms, and nothing tells when it has.
          await product.vscode.page.waitForTimeout(300);
        };
        await scene.heldAt(ordered, /^dispatched\/typing/, held, /[❯›] \/clear/);
        return { ordered, before };
      }

      it("presses nothing when the person types on", async () => {
        const { ordered, before } = await inBox(async () => {
          await product.vscode.typeInTerminal("x");
          await product.vscode.terminalShows("/clearx");
        });
        const { how, cleared } = await ordered.ending();
        assert.match(how, /^(left-in-box|taken-back)/);
        assert.equal(cleared, false);
        await untouched(before);
        if (how.startsWith("left-in-box")) {
          await product.vscode.terminalShows("/clearx");
          await scene.backspace(7);
        }
      });

      it("presses nothing when the person searches for an old prompt", async () => {
        const { ordered, before } = await inBox(async () => {
          await product.vscode.pressInTerminal("Control+r");
          await product.vscode.terminalShows(searchWords);
        });
        const { how, cleared } = await ordered.ending();
        assert.match(how, /^(left-in-box|taken-back)/);
        assert.equal(cleared, false);
        await untouched(before);
        await scene.leave(searchWords);
        if (/[❯›] \/clear/.test(await product.vscode.terminalText())) await scene.backspace(6);
      });

      it("types nothing into the shell when the agent ends", async () => {
        const { ordered } = await inBox(async () => {
          await endAgent();
        });
        const { how, cleared } = await ordered.ending();
        assert.match(how, /^(taken-back|left-in-box|refused|aborted)/);
        assert.equal(cleared, false);
        // What would have been run stands on its screen; a killed agent leaves another keyboard for all but Enter.
        await product.vscode.pressInTerminal("Enter");
        const screen = await product.vscode.terminalShows(/project[$#][\s\S]*project[$#]/);
        assert.doesNotMatch(screen, /clear: (command|No such)|command not found/);
        await scene.killTerminal();
        await startAgent("after its end");
      });

      it("presses nothing late when the window was cut off, and works afterwards", async () => {
        const browser = product.vscode.page.context();
        const { ordered, before } = await inBox(() => browser.setOffline(true));
        let how = "";
        try {
          ({ how } = await ordered.ending());
        } finally {
          await browser.setOffline(false);
        }
        assert.match(how, /^(left-in-box|taken-back)/);
        // What was typed while it was cut off arrives behind what was left there.
        await product.vscode.typeInTerminal("late");
        const screen = await product.vscode.terminalShows(/[❯›] (\/clear)?late/, 40_000);
        await untouched(before);
        await scene.backspace(/[❯›] \/clearlate/.test(screen) ? 10 : 4);
        await works("connected again");
      });
    });

    all("before the brief", () => {
      async function cleared(meanwhile: (before: Traces) => Promise<unknown>): Promise<Ordered> {
        const ordered = await scene.order();
        await scene.heldAt(ordered, /^(confirmed|resuming)/, async () => meanwhile(await scene.traces()));
        return ordered;
      }
      const ours = ({ resetId }: Ordered) => subject.lastRequestText().includes(`[plimsoll brief ${resetId}]`);

      it("waits until a draft is gone", async () => {
        const ordered = await cleared(() => typed("half a thought"));
        await until("another look at the draft", async () => (await ordered.steps()).length > 0);
        await product.vscode.terminalShows("half a thought");
        assert.equal(ours(ordered), false);
        await scene.backspace(14);
        assert.equal((await ordered.ending()).how, "confirmed");
        assert.ok(ours(ordered));
        await scene.fill("after a draft");
      });

      it("leaves the new conversation to the person who goes on in it", async () => {
        const ordered = await cleared(async ({ requests }) => {
          await product.enter(subject.prompt(30_000, "on with it"));
          await until("the prompt", () => subject.api.requests.length > requests);
        });
        const ending = await ordered.ending();
        assert.equal(ending.how, "not-briefed");
        assert.match(ending.reason, /you went on in the new conversation yourself/);
        assert.equal(ending.cleared, true);
        await product.gaugeShows("30k");
        assert.equal(ours(ordered), false);
        await scene.fill("taken over");
      });
    });

    all("with a bad save", () => {
      for (const [style, how, reason] of [
        ["link", "refused", /the saved state is a link/],
        ["outside", "refused", /lies outside the agent's folder|is a link/],
        ["keeps-working", "refused at no-work-since", /went on working after it had saved/],
        [
          "grows",
          "refused at (saved-well|no-work-since)",
          /the saved state was changed after it was checked|went on working/,
        ],
      ] as const)
        it(`clears nothing when it saves like this: ${style}`, async () => {
          const before = await scene.traces();
          subject.saving(style);
          await notCleared(await scene.order(), how, reason);
          await sameConversation(before);
        });

      it("clears nothing when it saves too little, the request, with another code, or not at all; two well at once", async () => {
        const styles = [
          ["echo", /it wrote back what it was asked/],
          ["small", /too little to go on from/],
          ["wrong-code", /does not begin with this save's check code/],
          ["none", /it has saved nothing/],
        ] as const;
        const begun: { readonly ordered: Ordered; readonly reason: RegExp }[] = [];
        for (const [at, [style, reason]] of styles.entries()) {
          if (at > 0) await startAgent(style);
          subject.saving(style);
          const ordered = await scene.order();
          await ordered.reached("saving/writing");
          const { requests } = await scene.traces();
          await product.vscode.terminalShows(style === "none" ? "I keep all of it" : /Saved\./);
          assert.ok(requests > 0);
          begun.push({ ordered, reason });
        }
        const { conversations } = await scene.traces();
        for (const { ordered, reason } of begun) {
          const ending = await ordered.ending();
          assert.match(`${ending.how}: ${ending.reason}`, new RegExp(`^refused.*: .*${reason.source}`));
          assert.equal(ending.cleared, false);
        }
        assert.equal((await scene.traces()).conversations, conversations);
        assert.equal(new Set(begun.map(({ ordered }) => ordered.instanceId)).size, styles.length);

        // Two of these, in one folder, at the same time: each is briefed from its own.
        subject.saving("well");
        const one = await scene.order();
        await product.vscode.palette("Terminal: Focus Next Terminal Group");
        const two = await scene.order();
        assert.notEqual(two.instanceId, one.instanceId);
        assert.deepEqual([(await one.ending()).how, (await two.ending()).how], ["confirmed", "confirmed"]);
        for (const { resetId } of [one, two]) {
          const text = await readFile(path.join(subject.sandbox.project, ".plimsoll", resetId, "state.md"), "utf8");
          assert.ok(text.length > 1000);
          const asked = subject.api.requests.map(({ body }) => JSON.stringify(body));
          assert.ok(asked.some((body) => body.includes(`[plimsoll brief ${resetId}]`)));
        }
      });
    });

    all("when the conversation no longer fits", () => {
      it("is cleared without a save, and the brief says so", async () => {
        await product.enter(subject.prompt(210_000, isClaude ? "ERR=toolong" : "ERR=overflow"));
        await product.vscode.terminalShows(/Context limit reached|context window/i);
        const ordered = await scene.order("Clear Without a Save");
        const { how, origin, cleared } = await ordered.ending();
        assert.deepEqual({ how, origin, cleared }, { how: "confirmed", origin: "forced", cleared: true });
        const folder = path.join(subject.sandbox.project, ".plimsoll", ordered.resetId);
        assert.equal(existsSync(path.join(folder, "state.md")), false);
        const brief = await readFile(path.join(folder, "brief.md"), "utf8");
        assert.match(brief, /nothing (was|could be|is) saved|without a save|no longer fit/i);
        assert.ok(!(await ordered.steps()).includes("saving/typing"));
        await scene.fill("fits again");
      });
    });

    all("with its transcript deleted", () => {
      it("says so when nothing is left of its transcript", async () => {
        subject.saving("slow");
        const ordered = await scene.order();
        await ordered.reached("saving/writing");
        const folder = isClaude ? ".claude/projects" : ".codex/sessions";
        await rm(path.join(subject.sandbox.home, folder), { recursive: true, force: true });
        const { how, cleared, reason } = await ordered.ending(60_000);
        assert.match(how, /^(refused|aborted)/);
        assert.match(reason, /transcript|conversation/);
        assert.equal(cleared, false);
        subject.saving("well");
        await scene.killTerminal();
        await startAgent("with a transcript");
        await works("with a new transcript");
      });
    });

    async function endAgent(): Promise<void> {
      const agents = agentProcesses();
      assert.notEqual(agents.length, 0);
      for (const agent of agents) process.kill(agent, "SIGKILL");
      await until("the end of the agent", () => !agents.some(isAlive));
    }
    const agentProcesses = () => scene.processesOf(isClaude ? "@anthropic-ai/claude-code" : "codex");
  });
