import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { endingOf, openProduct, type Product, type Step } from "../e2e/product.ts";
import { prepareSubject, type Subject, type SubjectKind } from "../e2e/subjects.ts";
import { endProcess } from "../support/processes.ts";
import { until } from "../support/until.ts";

const kinds: readonly SubjectKind[] = ["Claude Code", "Codex without its daemon", "Codex with its daemon"];
const clears = Number(process.env["SOAK_CLEARS"] ?? 30);

for (const kind of kinds)
  for (const hogs of [0, 2])
    describe(`${clears} clears in a row: ${kind}, ${hogs} busy loops beside it`, function () {
      this.timeout(clears * 40_000);

      let dir: string;
      let subject: Subject;
      let product: Product;
      let busy: readonly number[] = [];

      before(async () => {
        dir = await mkdtemp(path.join(tmpdir(), "plimsoll-soak-"));
        subject = await prepareSubject(kind, dir);
        product = await openProduct(subject.sandbox);
        await product.vscode.openTerminal();
        await product.command(subject.command);
        await product.vscode.terminalShows(subject.ready, 40_000);
        await product.enter(subject.prompt(50_000));
        await product.gaugeShows("50k", 30_000);
        const loops = Array.from({ length: hogs }, () =>
          spawn(process.execPath, ["-e", "for(;;);"], { stdio: "ignore" }),
        );
        busy = loops.flatMap(({ pid }) => pid ?? []);
      });
      after(async () => {
        await Promise.all(busy.map((pid) => endProcess(pid)));
        await product?.close();
        await subject?.stop();
        await rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
      });

      it("are all confirmed, none wrong", async () => {
        for (let done = 0; done < clears; done += 1) {
          await product.vscode.palette("Plimsoll: Clear Context…");
          await product.vscode.dialogButton("Type It");
          await until(
            `the end of clear ${done + 1}`,
            async () => (await product.journal()).filter(({ outcome }) => outcome !== undefined).length > done,
            60_000,
          );
        }
        const steps = await product.journal();
        const endings = steps.flatMap((step) => endingOf(step) ?? []);
        report(kind, hogs, steps, endings);
        assert.deepEqual(
          endings,
          Array.from({ length: clears }, () => "confirmed"),
        );
      });
    });

/** One row of the reliability table: outcomes, and how long the parts took (ms). */
function report(kind: string, hogs: number, steps: readonly Step[], endings: readonly string[]): void {
  const counts = new Map<string, number>();
  for (const ending of endings) counts.set(ending, (counts.get(ending) ?? 0) + 1);
  const spans = (from: string, to: string) => spansOf(steps, from, to).sort((a, b) => a - b);
  const quantile = (values: readonly number[], share: number) =>
    values[Math.min(values.length - 1, Math.floor(values.length * share))];
  const cell = (values: readonly number[]) => `${quantile(values, 0.5)} / ${quantile(values, 0.99)}`;
  const row = [
    kind,
    String(hogs),
    [...counts].map(([ending, count]) => `${count} ${ending}`).join(", "),
    cell(spans("approved", "typed")),
    cell(spans("typed", "pressed")),
    cell(spans("pressed", "observed")),
  ];
  console.log(`| ${row.join(" | ")} |`);
}

function spansOf(steps: readonly Step[], from: string, to: string): number[] {
  const spans: number[] = [];
  let start: number | undefined;
  for (const { event } of steps) {
    const at = Number(event["at"]);
    if (event.kind === from) start = at;
    if (event.kind === to && start !== undefined) {
      spans.push(at - start);
      start = undefined;
    }
  }
  return spans;
}
