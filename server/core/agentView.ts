import type { Mode } from "../protocol/settings.ts";
import type { TerminalFacts } from "../protocol/terminals.ts";
import type { AgentView } from "../protocol/view.ts";
import { branchOf } from "./branch.ts";
import type { Conversation, Reading, TurnState } from "./conversation.ts";
import { unobservableBecause } from "./gates/reasons.ts";
import type { Instance } from "./instance.ts";
import { type CompactionSettings, compactionPoint, type Judgement, judge, type Lines } from "./pressure.ts";
import type { Candidate } from "./question.ts";
import type { Reset } from "./reset/types.ts";
import { resetView } from "./reset/view.ts";
import type { Ability } from "./save/ability.ts";

/** One agent with everything that is judged of it. */
export type AgentFacts = {
  readonly instance: Instance;
  readonly name: string;
  readonly conversation?: Conversation;
  readonly transcriptProblem?: string;
  readonly turn: TurnState;
  readonly subagents: readonly { readonly name: string; readonly since?: number }[];
  readonly terminal?: TerminalFacts;
  readonly reset: Reset;
  readonly compaction: CompactionSettings;
  readonly ability: Ability;
  /** Name of the workflow, where it is not the usual one. */
  readonly workflow?: string;
};

export type Rules = {
  readonly lines: Lines;
  readonly mode: Mode;
  readonly platformMeasured: boolean;
  /** A turn that has gone on for longer than this is a moment to ask too, ms. */
  readonly longTurnMs: number;
};

/** What is known of its size; an agent whose conversation is not known is not measured, which is not low. */
function readingOf({ instance, conversation, transcriptProblem }: AgentFacts): Reading {
  if (transcriptProblem !== undefined) return { kind: "unmeasured", why: transcriptProblem };
  if (conversation !== undefined) return conversation.reading;
  if (instance.binding === "ambiguous")
    return { kind: "unmeasured", why: "more than one conversation may be the one in this terminal" };
  return instance.conversationId === undefined && instance.binding === "none"
    ? { kind: "unmeasured", why: "nothing on disk names this terminal's conversation yet" }
    : { kind: "none-yet" };
}

function judgeAgent(agent: AgentFacts, { lines }: Rules): Judgement {
  const reading = readingOf(agent);
  const windowSize = agent.conversation?.window?.size;
  return judge(
    {
      ...(reading.kind === "measured" ? { tokens: reading.tokens } : {}),
      ...(windowSize === undefined ? {} : { windowSize }),
      compactionPoint: compactionPoint(agent.instance.agent, windowSize, agent.compaction),
    },
    lines,
  );
}

/** What the question is told of an agent. */
export function candidateOf(agent: AgentFacts, rules: Rules, now: number): Candidate {
  const reading = readingOf(agent);
  const judgement = judgeAgent(agent, rules);
  const { instance, turn } = agent;
  const workedMs = turn.kind === "working" && turn.since !== undefined ? now - turn.since : 0;
  return {
    instanceId: instance.instanceId,
    ...(instance.conversationId === undefined ? {} : { conversationId: instance.conversationId }),
    ...(reading.kind === "measured" ? { tokens: reading.tokens } : {}),
    ...(judgement.percent === undefined ? {} : { percent: judgement.percent }),
    over: branchFor(agent, rules, judgement) === "ask",
    goodMoment: turn.kind === "idle" || turn.kind === "error" || workedMs >= rules.longTurnMs,
    resetOpen: agent.reset.phase !== "none" && agent.reset.phase !== "needs-reconcile",
  };
}

const branchFor = (agent: AgentFacts, { mode, platformMeasured }: Rules, { pressure }: Judgement) =>
  branchOf({
    mode,
    reading: readingOf(agent),
    pressure,
    place: agent.instance.place,
    binding: agent.instance.binding,
    platformMeasured,
  });

/** Everything that is shown of one agent. */
export function agentView(agent: AgentFacts, rules: Rules, quietUntilTokens: number | undefined): AgentView {
  const { instance, conversation, turn } = agent;
  const judgement = judgeAgent(agent, rules);
  const reset = resetView(agent.reset);
  const { lines } = rules;
  return {
    instanceId: instance.instanceId,
    agent: instance.agent,
    ...only("version", instance.version ?? conversation?.version),
    name: agent.name,
    ...only("terminalId", instance.terminalId),
    place: instance.place,
    pid: instance.pid,
    ...only("conversationId", instance.conversationId),
    binding: instance.binding,
    reading: readingView(readingOf(agent)),
    ...only("model", conversation?.model),
    ...only("window", conversation?.window),
    ...only("percent", judgement.percent),
    pressure: judgement.pressure,
    ...only("decidedBy", judgement.decidedBy),
    breach: judgement.breach,
    lines: {
      ...(lines.tokens === undefined ? {} : { soft: lines.tokens.soft, hard: lines.tokens.hard }),
      softPercent: lines.percent.soft,
      hardPercent: lines.percent.hard,
    },
    ...only("ownCompaction", judgement.ownCompaction),
    turn: {
      kind: turn.kind,
      ...("since" in turn ? only("since", turn.since) : {}),
      ...(turn.kind === "waiting" ? { waitingFor: turn.waitingFor } : {}),
    },
    queued: conversation?.queued ?? 0,
    subagents: agent.subagents.map(({ name, since }) => ({ name, ...only("since", since) })),
    backgroundShells: conversation?.backgroundShells.length ?? 0,
    observable: observableOf(agent),
    saving: agent.ability,
    ...only("workflow", agent.workflow),
    branch: branchFor(agent, rules, judgement),
    ...only("quietUntilTokens", quietUntilTokens),
    ...only("reset", reset),
  };
}

function observableOf({ instance, terminal }: AgentFacts): AgentView["observable"] {
  if (terminal === undefined)
    return {
      kind: "no",
      why:
        instance.place === "terminal"
          ? "its terminal is not known yet"
          : "it does not run in a terminal of this window",
    };
  return terminal.stream.kind === "held"
    ? { kind: "yes" }
    : { kind: "no", why: unobservableBecause(terminal.stream.why), since: terminal.stream.since };
}

function readingView(reading: Reading): AgentView["reading"] {
  if (reading.kind !== "measured") return reading;
  const { tokens, at, estimate, suspect } = reading;
  return { kind: "measured", tokens, at, estimate, suspect };
}

type Only<K extends string, V> = { readonly [P in K]?: V };

/** The one member, or nothing where its value is unknown. */
function only<K extends string, V>(key: K, value: V | undefined): Only<K, V>;
function only(key: string, value: unknown): Only<string, unknown> {
  return value === undefined ? {} : { [key]: value };
}
