import type { Model } from "../model.ts";
import { clock } from "./amounts.ts";

/** What the window knows, then what the worker says; readable without the worker too. */
export function doctorText(model: Model, version: string, report: string | undefined, now: number): string {
  const { worker, mode, paused } = model;
  const state = {
    starting: "starting",
    running: worker.kind === "running" ? `running since ${clock(worker.since, now)}` : "running",
    down: worker.kind === "down" ? `stopped at ${clock(worker.since, now)}; it is started again by itself` : "stopped",
  }[worker.kind];
  const known = [
    "# Plimsoll Doctor",
    "",
    `- Plimsoll ${version}`,
    `- Worker: ${state}`,
    `- Mode: ${mode}${mode === "gauge" ? " (nothing is typed)" : " (only a click types)"}`,
    `- Typing: ${paused ? "paused in this window" : "not paused"}`,
    "",
  ].join("\n");
  return `${known}\n${report ?? "The worker did not answer, so there is no more to say. Run *Plimsoll: Restart Worker*, and see *Plimsoll: Show Log*.\n"}`;
}
