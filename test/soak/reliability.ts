// What a run of many resets showed, as a row of RELIABILITY.md.
import { appendFile } from "node:fs/promises";
import { cpus } from "node:os";
import { quantile } from "../bench/figure.ts";
import type { Step } from "../e2e/product.ts";

/** One reset's times, ms. `own`: from the click to the brief's record, without the agent's save turn. */
export type Times = { readonly whole: number; readonly saveTurn: number; readonly own: number };

/** From the journal: the click, the Enter of the save line, the end of that turn, and the brief seen as a prompt. */
export function resetTimes(steps: readonly Step[]): readonly Times[] {
  const times: Times[] = [];
  let clicked: number | undefined;
  let saveEnter: number | undefined;
  let saveEnd: number | undefined;
  for (const { from, to, event } of steps) {
    const at = Number(event["at"]);
    if (event.kind === "approved") [clicked, saveEnter, saveEnd] = [at, undefined, undefined];
    if (from === "saving/pressing" && to === "saving/proof") saveEnter = at;
    if (event.kind === "observed" && event["turn"] === "idle" && saveEnter !== undefined)
      saveEnd ??= Number(event["turnSince"] ?? at);
    if (from === "resuming/proof" && to === "resuming/settling" && clicked !== undefined && saveEnter !== undefined) {
      const saveTurn = Math.max(0, (saveEnd ?? saveEnter) - saveEnter);
      times.push({ whole: at - clicked, saveTurn, own: at - clicked - saveTurn });
    }
  }
  return times;
}

/** Adds the row to the table, and prints it. */
export async function noteRow(
  kind: string,
  hogs: number,
  endings: readonly string[],
  times: readonly Times[],
): Promise<void> {
  const counts = new Map<string, number>();
  for (const ending of endings) counts.set(ending, (counts.get(ending) ?? 0) + 1);
  const cell = (values: readonly number[]) => `${quantile(values, 0.5)} / ${quantile(values, 0.99)}`;
  const row = [
    kind,
    `${hogs} on ${cpus().length} cores`,
    [...counts].map(([ending, count]) => `${count} ${ending}`).join(", "),
    cell(times.map(({ own }) => own)),
    cell(times.map(({ saveTurn }) => saveTurn)),
  ];
  const line = `| ${row.join(" | ")} |\n`;
  process.stdout.write(line);
  await appendFile("RELIABILITY.md", line);
}
