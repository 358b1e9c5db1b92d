import { type LogOutputChannel, window } from "vscode";
import { type CommandName, titles } from "./commandIds.ts";
import { kindOf } from "./log.ts";
import type { ModelStore } from "./model.ts";
import { unslanted } from "./words/plain.ts";

export type ProblemPorts = {
  readonly log: LogOutputChannel;
  readonly model: ModelStore;
  /** Those of the settings that were shown already, with a way to the settings editor. */
  readonly shown: () => readonly string[];
  readonly run: (name: CommandName) => Promise<void>;
};

/** Says each problem of the worker's once, when it comes: in the hover alone nobody would find it. */
export function createProblems({ log, model, shown, run }: ProblemPorts): void {
  let before: readonly string[] = [];
  const failed = (error: unknown) => log.error(`problems: one could not be shown (${kindOf(error)})`);

  model.watch(({ view }) => {
    if (view === undefined) return;
    const fresh = view.problems.filter((problem) => !before.includes(problem) && !shown().includes(problem));
    before = view.problems;
    for (const problem of fresh) {
      log.warn(`problem: ${unslanted(problem, 300)}`);
      window.showWarningMessage(`Plimsoll: ${unslanted(problem, 300)}`, titles.doctor).then((picked) => {
        if (picked !== undefined) run("doctor").catch(failed);
      }, failed);
    }
  });
}
