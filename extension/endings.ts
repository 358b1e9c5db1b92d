import { type LogOutputChannel, window } from "vscode";
import { type CommandName, titles } from "./commandIds.ts";
import { kindOf } from "./log.ts";
import type { ModelStore } from "./model.ts";
import type { Progress } from "./progress.ts";
import { nameOf } from "./words/fullness.ts";
import { type Ended, endedWords } from "./words/outcome.ts";
import { undecidedWords } from "./words/steps.ts";

/** How long the progress of a reset may still stand beside how it ended: the end is not held back for longer. */
const besideMs = 2500;
/** A worker that was started anew may still find the proof in this time. */
const proofMs = 3000;

export type EndingPorts = {
  readonly log: LogOutputChannel;
  readonly model: ModelStore;
  readonly progress: Progress;
  readonly run: (name: CommandName, instanceId?: string) => Promise<void>;
};

/** Says how a reset ended: one sentence, one remedy. */
export function createEndings({ log, model, progress, run }: EndingPorts): (ended: Ended) => void {
  const told = new Set<string>();

  async function show(ended: Ended): Promise<void> {
    const { message, good } = endedWords(ended);
    await Promise.race([progress.gone(ended.resetId), new Promise((resolve) => setTimeout(resolve, besideMs))]);
    // A message without a button is cut off after one line.
    const buttons = good ? [titles.showTerminal] : [titles.showTerminal, titles.showLog];
    const picked = good
      ? await window.showInformationMessage(message, ...buttons)
      : await window.showWarningMessage(message, ...buttons);
    if (picked === titles.showTerminal) await run("showTerminal", ended.instanceId);
    else if (picked === titles.showLog) await run("showLog");
  }

  const undecided = () =>
    (model.current().view?.agents ?? []).filter(
      ({ reset }) => reset?.phase === "needs-reconcile" && !told.has(reset.resetId),
    );

  /** A reset that a worker left behind has no end of its own to be told: without this only the status bar showed it. */
  function showUndecided(): void {
    for (const agent of undecided()) {
      if (agent.reset === undefined) continue;
      told.add(agent.reset.resetId);
      const message = undecidedWords(nameOf(agent), agent.reset.command);
      window.showWarningMessage(message, titles.showTerminal).then((picked) => {
        if (picked !== undefined) run("showTerminal", agent.instanceId).catch(failed);
      }, failed);
    }
  }

  const failed = (error: unknown) => log.error(`reset: its end could not be shown (${kindOf(error)})`);

  let isWaiting = false;
  model.watch(() => {
    if (isWaiting || undecided().length === 0) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      showUndecided();
    }, proofMs);
  });

  return (ended) => {
    told.add(ended.resetId);
    log.info(`reset: ${ended.resetId} ended ${ended.outcome}${ended.gate === undefined ? "" : ` at ${ended.gate}`}`);
    show(ended).catch(failed);
  };
}
