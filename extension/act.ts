import { randomUUID } from "node:crypto";
import { type ExtensionContext, type LogOutputChannel, window } from "vscode";
import type { CommandId } from "../server/protocol/agents.ts";
import { Approve, Cancel } from "../server/protocol/messages.ts";
import type { AgentView } from "../server/protocol/view.ts";
import type { Link } from "./link.ts";
import type { ModelStore } from "./model.ts";
import { inform, warn } from "./notify.ts";
import { canAct, typingFor } from "./words/can.ts";
import { confirmation } from "./words/confirm.ts";
import { findAgent } from "./words/fullness.ts";
import { refusedWords } from "./words/outcome.ts";
import { staleAnswer } from "./words/question.ts";
import { say } from "./words/say.ts";
import { verb } from "./words/steps.ts";

const explained = "explained";

export type Acts = {
  /**
   * A click on *Clear* or *Compact*: the consent for this one time. `shown` is the agent as the person saw it. A click in the
   * question is enough; one in a menu is asked again, and so is the first on this machine.
   */
  readonly approve: (shown: AgentView, command: CommandId, from: "question" | "menu") => Promise<void>;
  readonly cancel: (instanceId: string) => Promise<void>;
};

export function createActs(context: ExtensionContext, link: Link, model: ModelStore, log: LogOutputChannel): Acts {
  /** Why nothing may be typed, as far as the window knows; the worker's gates judge for themselves. */
  function hindrance(agent: AgentView): string | undefined {
    const { mode, paused } = model.current();
    const typing = typingFor(agent, mode, paused);
    if (typing === "gauge") return say.gauge;
    if (typing === "paused") return say.paused;
    if (typing === "not-here") return say.notHere;
    return agent.reset === undefined || agent.reset.phase === "needs-reconcile" ? undefined : say.busyReset;
  }

  /** The agent as it is now, if it is still in the conversation that was shown. */
  function same(shown: AgentView): AgentView | undefined {
    const now = findAgent(model.current().view, shown.instanceId);
    return now?.conversationId === shown.conversationId ? now : undefined;
  }

  async function confirmed(agent: AgentView, command: CommandId): Promise<boolean> {
    const { mode, paused } = model.current();
    const words = confirmation(agent, command, typingFor(agent, mode, paused));
    const options = { modal: true, detail: words.detail };
    const picked = await window.showWarningMessage(words.message, options, words.button);
    if (picked === undefined) return false;
    await context.globalState.update(explained, true);
    return true;
  }

  async function approve(shown: AgentView, command: CommandId, from: "question" | "menu"): Promise<void> {
    // A toast may be old: the agent may have another name or size by now, or another conversation.
    const current = same(shown);
    const problem = current === undefined ? staleAnswer : hindrance(current);
    if (current === undefined || problem !== undefined) {
      await inform(problem ?? staleAnswer);
      return;
    }
    const mustExplain = from === "menu" || context.globalState.get(explained) !== true;
    if (mustExplain && !(await confirmed(current, command))) return;
    const { mode, paused } = model.current();
    const now = same(shown);
    if (now === undefined || !canAct(typingFor(now, mode, paused))) {
      await inform(staleAnswer);
      return;
    }
    const { reading } = mustExplain ? current : shown;
    const tokens = reading.kind === "measured" ? reading.tokens : undefined;
    const answer = await link.ask(Approve, {
      approvalId: randomUUID(),
      instanceId: shown.instanceId,
      command,
      at: Date.now(),
      ...(shown.conversationId === undefined ? {} : { conversationId: shown.conversationId }),
      ...(tokens === undefined ? {} : { shownTokens: tokens }),
    });
    if (answer.kind === "none") await warn(say.unknownStart);
    else if (answer.value.outcome === "refused") {
      const { reason, remedy } = answer.value;
      await warn(refusedWords(now.name, verb(command), reason, remedy));
    }
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
