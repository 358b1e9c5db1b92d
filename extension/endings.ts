import { type LogOutputChannel, window } from "vscode";
import { type CommandName, titles } from "./commandIds.ts";
import { kindOf } from "./log.ts";
import { type Ended, endedWords } from "./words/outcome.ts";

/** Says how a reset ended: one sentence, one remedy. */
export function createEndings(
  log: LogOutputChannel,
  run: (name: CommandName, instanceId?: string) => Promise<void>,
): (ended: Ended) => void {
  async function show(ended: Ended): Promise<void> {
    const { message, good } = endedWords(ended);
    // A message without a button is cut off after one line.
    const buttons = good ? [titles.showTerminal] : [titles.showTerminal, titles.showLog];
    const picked = good
      ? await window.showInformationMessage(message, ...buttons)
      : await window.showWarningMessage(message, ...buttons);
    if (picked === titles.showTerminal) await run("showTerminal", ended.instanceId);
    else if (picked === titles.showLog) await run("showLog");
  }
  return (ended) => {
    log.info(`reset: ${ended.resetId} ended ${ended.outcome}${ended.gate === undefined ? "" : ` at ${ended.gate}`}`);
    show(ended).catch((error: unknown) => log.error(`reset: its end could not be shown (${kindOf(error)})`));
  };
}
