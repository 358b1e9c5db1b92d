import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { endingOf, type Product, type Step } from "../../e2e/product.ts";
import type { Subject } from "../../e2e/subjects.ts";
import { commandOf, descendants } from "../../support/processes.ts";
import { until } from "../../support/until.ts";

/** One reset that a person asked for, followed through the journal. */
export type Ordered = {
  readonly instanceId: string;
  readonly resetId: string;
  /** Steps it has been at so far, as `saving/writing`. */
  readonly steps: () => Promise<readonly string[]>;
  readonly reached: (step: string) => Promise<void>;
  /** Waits until the newest step is one of these, and returns at once: the next one may follow within milliseconds. */
  readonly at: (step: RegExp) => Promise<void>;
  readonly ending: (timeoutMs?: number) => Promise<Ending>;
};

export type Ending = {
  /** As `refused at prompt-box-empty`. */
  readonly how: string;
  readonly reason: string;
  readonly cleared: boolean;
  readonly origin: string;
};

export type Scene = {
  /** The dialog is answered, and the reset has begun. */
  readonly order: (button?: string) => Promise<Ordered>;
  /**
   * Holds the worker as soon as the reset is at this step, so that what `meanwhile` does comes before its next one.
   * `shown`: what its order for this step shows in the terminal.
   */
  readonly heldAt: (ordered: Ordered, at: RegExp, meanwhile: () => Promise<unknown>, shown?: RegExp) => Promise<void>;
  /** A prompt with a word to be found again, answered and measured. */
  readonly fill: (codeword: string, tokens?: number) => Promise<void>;
  /** Whatever a key that should not have been pressed would change. */
  readonly traces: () => Promise<Traces>;
  readonly saves: () => Promise<readonly string[]>;
  /** Processes of this VS Code whose command line holds the words. */
  readonly processesOf: (words: string) => readonly number[];
  readonly killTerminal: () => Promise<void>;
  readonly backspace: (times: number) => Promise<void>;
  /** Presses Escape until the words are gone. */
  readonly leave: (words: string | RegExp) => Promise<void>;
};

export type Traces = {
  /** Conversations on the agent's disk. */
  readonly conversations: number;
  /** What its model was asked. */
  readonly requests: number;
};

const Line = z.object({
  resetId: z.string().optional(),
  seq: z.number(),
  instanceId: z.string(),
  from: z.string(),
  to: z.string(),
  event: z
    .object({
      kind: z.string(),
      report: z.object({ refused: z.object({ gate: z.string() }).optional() }).optional(),
      result: z.object({ gate: z.string().optional() }).loose().optional(),
    })
    .loose(),
  ended: z.object({ outcome: z.string(), reason: z.string(), cleared: z.boolean() }).loose().optional(),
});
const Order = z.object({ order: z.object({ origin: z.string() }).loose() }).loose();

export function sceneOf(subject: Subject, product: Product): Scene {
  const { vscode, server } = product;
  const { records, newest } = createRecords(server.dir);

  function follow(instanceId: string, resetId: string): Ordered {
    const own = async () => (await records()).filter((one) => one.resetId === resetId);
    const steps = async () => (await own()).map(({ step }) => step.to);
    const over = async () => (await own()).some(({ step }) => step.ended !== undefined);
    return {
      instanceId,
      resetId,
      steps,
      reached: async (step) => {
        await until(`step ${step}`, async () => (await steps()).includes(step) || over(), 30_000);
        assert.ok((await steps()).includes(step), `it ended before ${step}: ${(await steps()).join(" → ")}`);
      },
      async at(step) {
        const giveUpAt = Date.now() + 30_000;
        for (;;) {
          const last = newest(resetId);
          if (last !== undefined && step.test(last.to)) return;
          assert.equal(last?.ended, undefined, `it ended before ${String(step)}: ${(await steps()).join(" → ")}`);
          assert.ok(Date.now() < giveUpAt, `not at ${String(step)} in time: ${(await steps()).join(" → ")}`);
          await pause(2);
        }
      },
      ending: (timeoutMs = 40_000) =>
        until(
          "the end of the reset",
          async () => {
            const all = await own();
            const last = all.find(({ step }) => step.ended !== undefined)?.step;
            const how = last === undefined ? undefined : endingOf(last);
            if (last?.ended === undefined || how === undefined)
              throw new Error(all.map(({ step }) => step.to).join(" → "));
            const { reason, cleared } = last.ended;
            const origin = all.flatMap(({ step }) => Order.safeParse(step.event).data?.order.origin ?? [])[0] ?? "";
            return { how, reason, cleared, origin };
          },
          timeoutMs,
        ),
    };
  }

  const processesOf = (words: string) => descendants(server.pid).filter((pid) => commandOf(pid).includes(words));
  const codex = path.join(subject.sandbox.home, ".codex/thread-writer-locks");
  const claude = path.join(subject.sandbox.home, ".claude/projects");

  /** Chosen once: where the machine is busy, a second try would meet the dialog of the first. */
  async function run(title: string): Promise<void> {
    const widget = vscode.page.locator(".quick-input-widget");
    await widget.waitFor({ state: "hidden" });
    await vscode.page.keyboard.press("F1");
    await widget.locator(".quick-input-box input").first().fill(`>${title}`);
    await widget.getByRole("option", { name: title }).first().click();
  }

  return {
    processesOf,
    async killTerminal() {
      const shown = vscode.page.locator(".terminal-wrapper");
      const before = await shown.count();
      await run("Terminal: Kill the Active Terminal Instance");
      await until("the end of the terminal", async () => (await shown.count()) < before);
    },
    async order(button = "Save & Clear") {
      const known = new Set((await records()).map(({ resetId }) => resetId));
      await run("Notifications: Clear All Notifications");
      await run("Plimsoll: Save and Clear…");
      // The click may answer long after the reset has begun, where the machine is busy.
      vscode.dialogButton(button).catch(() => undefined);
      const begun = await until("the order in the journal", async () =>
        (await records()).find(({ resetId }) => resetId !== undefined && !known.has(resetId)),
      );
      return follow(begun.step.instanceId, begun.resetId ?? "");
    },
    async heldAt(ordered, at, meanwhile, shown) {
      const [worker] = processesOf("dist/server.cjs");
      assert.ok(worker !== undefined, "a worker");
      await ordered.at(at);
      process.kill(worker, "SIGSTOP");
      try {
        if (shown !== undefined)
          await until(`${String(shown)} in the terminal`, async () => {
            // It has written the step down, and may not have given its order yet: it goes on for a moment.
            const isThere = () => vscode.terminalShows(shown, 300).catch(() => undefined);
            if ((await isThere()) !== undefined) return true;
            process.kill(worker, "SIGCONT");
            await pause(5);
            process.kill(worker, "SIGSTOP");
            return false;
          });
        await meanwhile();
      } finally {
        process.kill(worker, "SIGCONT");
      }
    },
    async fill(codeword, tokens = 150_000) {
      await product.enter(subject.says(codeword, tokens));
      await product.gaugeShows(`${tokens / 1000}k`);
    },
    async traces() {
      const names = [...(await list(codex)), ...(await list(claude))].filter(
        (name) => /\.(lock|jsonl)$/.test(name) && !name.includes("subagents"),
      );
      return { conversations: names.length, requests: subject.api.requests.length };
    },
    async saves() {
      const folder = path.join(subject.sandbox.project, ".plimsoll");
      return (await list(folder)).filter((name) => name.endsWith("state.md"));
    },
    async backspace(times) {
      for (let left = times; left > 0; left -= 1) await vscode.pressInTerminal("Backspace");
    },
    async leave(words) {
      const isGone = async () => {
        const text = await vscode.terminalText();
        return typeof words === "string" ? !text.includes(words) : !words.test(text);
      };
      await until(`${String(words)} to be gone`, async () => {
        // The first Escape may only close a notification, and two in a burst are another key to the agent.
        await vscode.pressInTerminal("Escape");
        return until("it to go", isGone, 1500);
      });
    },
  };
}

const list = (folder: string) => readdir(folder, { recursive: true }).catch(() => []);

type Recorded = { readonly resetId: string | undefined; readonly step: Step };

/** Reads the journals again and again: where they lie is looked for once. */
function createRecords(dir: string) {
  let folder: string | undefined;
  const files = (place: string) => readdirSync(place).filter((name) => name.endsWith(".jsonl"));
  const read = (place: string, name: string) => readFileSync(path.join(place, name), "utf8");
  return {
    async records(): Promise<readonly Recorded[]> {
      const name = folder ?? (await list(dir)).find((one) => /plimsoll[^/]*\/journal$/.test(one));
      if (name === undefined) return [];
      const place = path.resolve(dir, name);
      folder = place;
      return files(place).flatMap((file) => read(place, file).split("\n").flatMap(recordOf));
    },
    /** The last step of this reset; without a pause, because the next one may follow at once. */
    newest(resetId: string): Step | undefined {
      const place = folder;
      if (place === undefined) return undefined;
      for (const file of files(place)) {
        const last = read(place, file)
          .split("\n")
          .findLast((line) => line.includes(`"resetId":"${resetId}"`));
        const [record] = last === undefined ? [] : recordOf(last);
        if (record !== undefined) return record.step;
      }
      return undefined;
    },
  };
}

function recordOf(line: string): readonly Recorded[] {
  try {
    const { resetId, ...step } = Line.parse(JSON.parse(line));
    return [{ resetId, step }];
  } catch {
    // Empty, half written, or of another kind.
    return [];
  }
}
