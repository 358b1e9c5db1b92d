import { type LogOutputChannel, window, workspace } from "vscode";
import { Reviewed } from "../server/protocol/messages.ts";
import type { AgentView, ResetView } from "../server/protocol/view.ts";
import type { Acts } from "./act.ts";
import { openSaved } from "./lastSaved.ts";
import type { Link } from "./link.ts";
import { kindOf } from "./log.ts";
import type { ModelStore } from "./model.ts";
import { inform, warn } from "./notify.ts";
import { findAgent, nameOf } from "./words/fullness.ts";
import { reviewWords as words } from "./words/review.ts";
import { say } from "./words/say.ts";

export type Review = {
  /** The saved state was looked at: the clear may come. */
  readonly clearNow: (agent: AgentView) => Promise<void>;
};

/** *Review First*: opens what was saved, once, and asks whether to go on. It waits in the status bar meanwhile. */
export function createReview(link: Link, model: ModelStore, acts: Acts, log: LogOutputChannel): Review {
  const opened = new Set<string>();

  model.watch(({ view }) => {
    for (const agent of view?.agents ?? []) {
      const { reset } = agent;
      if (reset?.step !== "reviewing" || opened.has(reset.resetId)) continue;
      opened.add(reset.resetId);
      show(agent, reset).catch((error: unknown) => log.error(`review: ${kindOf(error)}`));
    }
  });

  async function show(agent: AgentView, { resetId, statePath }: ResetView): Promise<void> {
    const isOpen = statePath !== undefined && (await openSaved(log, statePath));
    const message = isOpen ? words.ask(nameOf(agent)) : words.notOpened(nameOf(agent));
    const picked = isOpen
      ? await window.showInformationMessage(message, words.clearNow, words.cancel)
      : await window.showWarningMessage(message, words.clearNow, words.cancel);
    if (picked === undefined) return;
    if (reviewing(agent.instanceId)?.resetId !== resetId) await inform(words.over);
    else if (picked === words.clearNow) await clearNow(agent);
    else await acts.cancel(agent.instanceId);
  }

  const reviewing = (instanceId: string): ResetView | undefined => {
    const reset = findAgent(model.current().view, instanceId)?.reset;
    return reset?.step === "reviewing" ? reset : undefined;
  };

  async function clearNow(agent: AgentView): Promise<void> {
    const { instanceId } = agent;
    const reset = reviewing(instanceId);
    if (reset === undefined) return inform(words.over);
    if (!(await areEditsWritten(reset.statePath))) return warn(words.notSaved(nameOf(agent)));
    const answer = await link.ask(Reviewed, { instanceId, resetId: reset.resetId });
    if (answer.kind === "none") await warn(say.noAnswer);
    else if (!answer.value.goesOn) await inform(words.over);
  }

  return { clearNow };
}

const writtenMs = 3000;

/** What stands only in the editor would not count. */
async function areEditsWritten(path: string | undefined): Promise<boolean> {
  const document = workspace.textDocuments.find(({ uri }) => uri.scheme === "file" && uri.fsPath === path);
  if (document === undefined || !document.isDirty || (await document.save())) return true;
  // "Not saved" is also the answer where auto save was faster; that it was written is heard a moment later.
  const endsAt = Date.now() + writtenMs;
  while (document.isDirty && Date.now() < endsAt) await new Promise((resolve) => setTimeout(resolve, 50));
  return !document.isDirty;
}
