// Many full resets of one real agent in a real VS Code, one after another, as a person would click them.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as rest } from "node:timers/promises";
import { endingOf, openProduct, type Step } from "../e2e/product.ts";
import { prepareSubject, type SubjectKind } from "../e2e/subjects.ts";
import { until } from "../support/until.ts";

export const subjectKinds: readonly SubjectKind[] = [
  "Claude Code",
  "Codex without its daemon",
  "Codex with its daemon",
];

/** The journal of all of them. Rejects where one does not end. `restMs`: so long nobody clicks after one. */
export async function runResets(kind: SubjectKind, count: number, restMs = 0): Promise<readonly Step[]> {
  const dir = await mkdtemp(path.join(tmpdir(), "plimsoll-resets-"));
  const subject = await prepareSubject(kind, dir);
  try {
    const product = await openProduct(subject.sandbox);
    try {
      await product.vscode.openTerminal();
      await product.command(subject.command);
      await product.vscode.terminalShows(subject.ready, 40_000);
      await product.enter(subject.prompt(50_000));
      await product.gaugeShows("50k", 30_000);
      // A long journal begins anew: what was read before is kept.
      const steps = new Map<string, Step>();
      const ended = async () => {
        for (const step of await product.journal()) steps.set(`${step.instanceId} ${step.seq}`, step);
        return [...steps.values()].flatMap((step) => endingOf(step) ?? []);
      };
      for (let done = 0; done < count; done += 1) {
        await rest(restMs);
        await product.vscode.palette("Plimsoll: Save and Clear…");
        await product.vscode.dialogButton("Save & Clear");
        await until(`the end of reset ${done + 1}`, async () => (await ended()).length > done, 90_000);
      }
      return [...steps.values()];
    } catch (error) {
      await product.vscode.screenshot(`out/resets ${kind}.png`);
      const last = (await product.journal()).slice(-12).map(({ event, from, to }) => `${event.kind}: ${from} → ${to}`);
      console.error([...(await product.vscode.toasts()), ...last].join("\n"));
      throw error;
    } finally {
      await product.close();
    }
  } finally {
    await subject.stop();
    await rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}
