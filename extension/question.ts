import { type LogOutputChannel, window } from "vscode";
import { Snooze } from "../server/protocol/messages.ts";
import type { AgentView, QuestionView } from "../server/protocol/view.ts";
import type { Acts } from "./act.ts";
import type { Link } from "./link.ts";
import { kindOf } from "./log.ts";
import type { Model, ModelStore } from "./model.ts";
import { inform } from "./notify.ts";
import { typingFor } from "./words/can.ts";
import { actOf } from "./words/choices.ts";
import { findAgent } from "./words/fullness.ts";
import { type Answer, type Asked, askAbout, staleAnswer } from "./words/question.ts";

export type QuestionPorts = {
  readonly link: Link;
  readonly model: ModelStore;
  readonly acts: Acts;
  readonly log: LogOutputChannel;
  readonly show: (instanceId: string) => Promise<void>;
  readonly more: (instanceId: string) => Promise<void>;
  readonly resume: () => void;
};

/** Announces the open question once. The question itself stays in the status bar until it is answered or void. */
export function createQuestion(ports: QuestionPorts): void {
  const { model, log } = ports;
  let announced = "";
  let latest = 0;

  model.watch((now) => {
    const question = now.view?.question;
    const agent = question && findAgent(now.view, question.instanceId);
    if (question === undefined || agent === undefined) {
      // A worker that was started anew counts its questions from the beginning.
      announced = "";
      return;
    }
    // The mode has just been changed: the worker takes the question back in a moment.
    if (now.mode === "gauge") return;
    const key = `${question.questionId} ${now.paused} ${now.mode}`;
    if (key === announced) return;
    announced = key;
    announce(question, agent, now).catch((error: unknown) => log.error(`question: ${kindOf(error)}`));
  });

  async function announce(question: QuestionView, agent: AgentView, now: Model): Promise<void> {
    const others = question.alsoInstanceIds.flatMap((id) => findAgent(now.view, id) ?? []);
    const asked = askAbout(agent, others, typingFor(agent, now.mode, now.paused));
    latest += 1;
    const own = latest;
    const picked = await toast(asked);
    const still = model.current().view?.question?.questionId === question.questionId;
    if (picked === undefined) {
      // Closing it is *Not Now*. A toast that a newer one replaced was closed by nobody.
      if (still && own === latest && asked.closing === "not-now") await snooze(ports.link, question);
    } else if (still || picked.kind === "show") await answered(picked, agent);
    else await inform(staleAnswer);
  }

  async function answered(answer: Answer, agent: AgentView): Promise<void> {
    switch (answer.kind) {
      case "act":
        await ports.acts.approve(agent, actOf(answer.choice), "question");
        return;
      case "show":
        return ports.show(agent.instanceId);
      case "resume":
        return ports.resume();
      case "more":
        return ports.more(agent.instanceId);
      case "not-now": {
        const question = model.current().view?.question;
        if (question !== undefined) await snooze(ports.link, question);
      }
    }
  }
}

const snooze = async (link: Link, { instanceId, questionId }: QuestionView): Promise<void> => {
  await link.ask(Snooze, { instanceId, questionId });
};

async function toast({ message, severe, buttons }: Asked): Promise<Answer | undefined> {
  const titles = buttons.map(({ title }) => title);
  const picked = severe
    ? await window.showErrorMessage(message, ...titles)
    : await window.showWarningMessage(message, ...titles);
  return buttons.find(({ title }) => title === picked)?.answer;
}
