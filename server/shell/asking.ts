import { type AgentFacts, candidateOf, type Rules } from "../core/agentView.ts";
import { nextQuestion, noQuestions, type QuestionMemory, quietUntil, snooze } from "../core/question.ts";
import type { QuestionView } from "../protocol/view.ts";

export type AskingPorts = {
  readonly agents: () => readonly AgentFacts[];
  readonly rules: () => Rules;
  readonly now: () => number;
};

/** Holds what is asked and what is quiet; `core/question.ts` decides. */
export function createAsking({ agents, rules, now }: AskingPorts) {
  let memory: QuestionMemory = noQuestions;

  const candidates = () => {
    const at = now();
    const current = rules();
    return agents().map((agent) => candidateOf(agent, current, at));
  };
  const update = (): void => {
    memory = nextQuestion(memory, candidates(), now());
  };

  return {
    /** Agents or their sizes changed. */
    update,
    /** *Not Now*. */
    snooze(instanceId: string, questionId: string | undefined): void {
      memory = snooze(memory, candidates(), instanceId, questionId);
      update();
    },
    /** Until which size (tokens) an agent is quiet; undefined: it is not. */
    quietUntil: (agent: AgentFacts) => quietUntil(memory, candidateOf(agent, rules(), now())),
    view(): QuestionView | undefined {
      const { open } = memory;
      if (open === undefined) return undefined;
      const { questionId, instanceId, alsoInstanceIds, since } = open;
      return { questionId, instanceId, alsoInstanceIds: [...alsoInstanceIds], since };
    },
  };
}
