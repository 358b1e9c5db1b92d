import { env, type LogOutputChannel, window } from "vscode";
import type { Acts } from "./act.ts";
import { type CommandName, titles } from "./commandIds.ts";
import type { Documents } from "./documents.ts";
import { openSaved } from "./lastSaved.ts";
import { kindOf } from "./log.ts";
import type { ModelStore } from "./model.ts";
import { warn } from "./notify.ts";
import type { Progress } from "./progress.ts";
import type { Then } from "./then.ts";
import type { Undo } from "./undo.ts";
import { nameOf } from "./words/fullness.ts";
import { type EndButton, type Ended, endedWords, undeliveredTitle } from "./words/outcome.ts";
import { say } from "./words/say.ts";
import { undecidedWords } from "./words/steps.ts";

/** How long the progress of a reset may still stand beside how it ended: the end is not held back for longer. */
const besideMs = 2500;
/** A worker that was started anew may still find the proof in this time. */
const proofMs = 3000;

export type EndingPorts = {
  readonly log: LogOutputChannel;
  readonly model: ModelStore;
  readonly progress: Progress;
  readonly acts: Acts;
  readonly undo: Undo;
  readonly then: Then;
  readonly documents: Documents;
  readonly run: (name: CommandName, instanceId?: string) => Promise<void>;
};

const buttonTitles: Readonly<Record<EndButton, string>> = {
  undo: say.undo,
  openSaved: say.openSaved,
  copy: say.copy,
  showTerminal: titles.showTerminal,
  showLog: titles.showLog,
};

/** Says how a reset ended: one sentence, one remedy. */
export function createEndings(ports: EndingPorts): (ended: Ended) => void {
  const { log, model, progress, acts, run } = ports;
  const told = new Set<string>();

  async function show(ended: Ended, undelivered: string): Promise<void> {
    if (undelivered !== "")
      // Where nothing was cleared it can be sent once more as it is.
      await (ended.cleared
        ? ports.documents.open(undeliveredTitle(ended.name), undelivered)
        : ports.then.again(ended, undelivered));
    const { message, good, buttons } = endedWords(ended, undelivered !== "");
    await Promise.race([progress.gone(ended.resetId), new Promise((resolve) => setTimeout(resolve, besideMs))]);
    // A message without a button is cut off after one line.
    const shown = buttons.map((button) => buttonTitles[button]);
    const picked = good
      ? await window.showInformationMessage(message, ...shown)
      : await window.showWarningMessage(message, ...shown);
    const button = buttons.find((one) => buttonTitles[one] === picked);
    if (button !== undefined) await pressed(button, ended, undelivered);
  }

  async function pressed(button: EndButton, ended: Ended, undelivered: string): Promise<void> {
    switch (button) {
      case "undo":
        return ports.undo.one(ended.resetId, "question");
      case "openSaved":
        if (ended.saved === undefined || !(await openSaved(log, ended.saved.path))) await warn(say.notOpened);
        return;
      case "copy":
        await env.clipboard.writeText(undelivered);
        return;
      case "showTerminal":
        return run("showTerminal", ended.instanceId);
      case "showLog":
        return run("showLog");
    }
  }

  const undecided = () =>
    (model.current().view?.agents ?? []).flatMap((agent) =>
      agent.reset?.phase === "needs-reconcile" && !told.has(agent.reset.resetId) ? [{ agent, reset: agent.reset }] : [],
    );

  /** It has no end of its own to be told: without this only the status bar showed it. */
  function showUndecided(): void {
    for (const { agent, reset } of undecided()) {
      told.add(reset.resetId);
      const message = undecidedWords(nameOf(agent), reset.goal);
      const { instanceId } = agent;
      window.showWarningMessage(message, say.report, say.abort, titles.showTerminal).then((picked) => {
        if (picked === say.report) run("report", instanceId).catch(failed);
        else if (picked === say.abort) acts.cancel(instanceId).catch(failed);
        else if (picked !== undefined) run("showTerminal", instanceId).catch(failed);
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
    show(ended, ports.then.ended(ended).join("\n\n")).catch(failed);
  };
}
