import { resolveLines } from "../core/pressure.ts";
import { turnOfWatched } from "./watched.ts";
import type { Worker } from "./worker.ts";

/** Doctor's section on this window: what is watched, what could be typed, and what stands in the way. */
export function windowReport(worker: Worker, environment: Readonly<Record<string, string | undefined>>): string {
  const { settings, window, terminals } = worker.host();
  const lines = resolveLines(settings, environment);
  const agents = worker.agents();
  const rows = [
    `mode: ${settings.mode}; typing ${window.paused ? "paused" : "not paused"}; workspace ${window.trusted ? "trusted" : "not trusted"}`,
    lines.kind === "problem" ? `lines: ${lines.problem}` : "lines: all can be used",
    `step log: ${worker.journal.problem() ?? "written"}`,
    "trust: each line of the step log is signed, which proves what Plimsoll wrote and in which order; any program that runs as you could type and write the same",
    `saving: workflow ${settings.workflow}${worker.saves.workflowProblem() === undefined ? "" : `, which can't be used: ${worker.saves.workflowProblem()}`}`,
    `worker: process ${process.pid}, ${Math.round(process.memoryUsage().rss / 1024 / 1024)} MB`,
    `terminals: ${terminals.length}`,
    ...agents.map(({ instance, name, terminal }) => {
      const box =
        terminal === undefined
          ? "no terminal of this window"
          : terminal.stream.kind === "held"
            ? "its prompt box can be seen"
            : `its prompt box cannot be seen (${terminal.stream.why})`;
      const watched = worker.watch.one(instance.instanceId);
      const turn = watched === undefined ? "gone" : turnOfWatched(watched).kind;
      return `${name.replaceAll(/[`*_[\]<>|]/g, "")}: ${instance.agent}, process ${instance.pid}, ${turn}; ${box}`;
    }),
  ];
  return `## This window\n\n${rows.map((row) => `- ${row}`).join("\n")}\n`;
}
