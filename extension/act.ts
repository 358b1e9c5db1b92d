import { randomUUID } from "node:crypto";
import { type ExtensionContext, type LogOutputChannel, window } from "vscode";
import { type Act, Approve, Cancel } from "../server/protocol/messages.ts";
import type { AgentView } from "../server/protocol/view.ts";
import type { Link } from "./link.ts";
import type { ModelStore } from "./model.ts";
import { inform, warn } from "./notify.ts";
import { canAct, typingFor } from "./words/can.ts";
import { goalVerb, savesFirst } from "./words/choices.ts";
import { confirmation } from "./words/confirm.ts";
import { findAgent, nameOf } from "./words/fullness.ts";
import { refusedWords } from "./words/outcome.ts";
import { staleAnswer } from "./words/question.ts";
import { canSave, savingWords } from "./words/saving.ts";
import { say } from "./words/say.ts";

/** What was explained before there was a save was another thing: a key of its own. */
const explained = "explained.saveAndClear";

/** `unknown`: the worker did not answer; it may have been begun. */
export type Begun = "started" | "not" | "unknown";

export type Acts = {
  /**
   * A click: the consent for this one time. `shown` is the agent as the person saw it. A click in the question is enough; one
   * in a menu is asked again, and so is the first on this machine.
   */
  readonly approve: (shown: AgentView, act: Act, from: "question" | "menu") => Promise<Begun>;
  readonly cancel: (instanceId: string) => Promise<void>;
};

export function createActs(context: ExtensionContext, link: Link, model: ModelStore, log: LogOutputChannel): Acts {
  /** Why nothing may be typed, as far as the window knows; the worker's gates judge for themselves. */
  function hindrance(agent: AgentView, act: Act): string | undefined {
    const { mode, paused } = model.current();
    const typing = typingFor(agent, mode, paused);
    if (typing === "gauge") return say.gauge;
    if (typing === "paused") return say.paused;
    if (typing === "not-here") return say.notHere;
    if (agent.reset !== undefined && agent.reset.phase !== "needs-reconcile") return say.busyReset;
    return savesFirst(act) && !canSave(agent) ? `${nameOf(agent)}: ${savingWords(agent).join(" ")}` : undefined;
  }

  /** The agent as it is now, if it is still in the conversation that was shown. */
  function same(shown: AgentView): AgentView | undefined {
    const now = findAgent(model.current().view, shown.instanceId);
    return now?.conversationId === shown.conversationId ? now : undefined;
  }

  async function confirmed(agent: AgentView, act: Act): Promise<boolean> {
    const { mode, paused } = model.current();
    const words = confirmation(agent, act, typingFor(agent, mode, paused));
    const options = { modal: true, detail: words.detail };
    const picked = await window.showWarningMessage(words.message, options, words.button);
    if (picked === undefined) return false;
    await context.globalState.update(explained, true);
    return true;
  }

  async function approve(shown: AgentView, act: Act, from: "question" | "menu"): Promise<Begun> {
    // A toast may be old: the agent may have another name or size by now, or another conversation.
    const current = same(shown);
    const problem = current === undefined ? staleAnswer : hindrance(current, act);
    if (current === undefined || problem !== undefined) {
      await inform(problem ?? staleAnswer);
      return "not";
    }
    const mustExplain = from === "menu" || context.globalState.get(explained) !== true;
    if (mustExplain && !(await confirmed(current, act))) return "not";
    const { mode, paused } = model.current();
    const now = same(shown);
    if (now === undefined || !canAct(typingFor(now, mode, paused))) {
      await inform(staleAnswer);
      return "not";
    }
    const { reading } = mustExplain ? current : shown;
    const tokens = reading.kind === "measured" ? reading.tokens : undefined;
    const answer = await link.ask(Approve, {
      approvalId: randomUUID(),
      instanceId: shown.instanceId,
      act,
      at: Date.now(),
      ...(shown.conversationId === undefined ? {} : { conversationId: shown.conversationId }),
      ...(tokens === undefined ? {} : { shownTokens: tokens }),
    });
    if (answer.kind === "none") {
      await warn(say.unknownStart);
      return "unknown";
    }
    if (answer.value.outcome === "started") return "started";
    const { reason, remedy } = answer.value;
    await warn(refusedWords(now.name, goalVerb[act.kind], reason, remedy));
    return "not";
  }

  return {
    approve,
    cancel: async (instanceId) => {
      const answer = await link.ask(Cancel, { instanceId });
      if (answer.kind === "none") await warn(say.noAnswer);
      else if (!answer.value.cancelled) await inform(say.nothingToCancel);
      log.info(`cancel: ${answer.kind}`);
    },
  };
}
