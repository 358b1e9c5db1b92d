import type { Facts } from "../../core/gates/gate.ts";
import type { Baseline, Open, Order, Question, Saved } from "../../core/reset/types.ts";
import { abilityOf } from "../../core/save/ability.ts";
import type { Goal } from "../../protocol/agents.ts";
import { HoldsTexts, ProbeScreen } from "../../protocol/messages.ts";
import type { ScreenFacts } from "../../protocol/terminals.ts";
import { ask, type Peer } from "../../protocol/wire.ts";
import { type HostFacts, turnOfWatched, type Watched } from "../watched.ts";
import { within } from "../within.ts";
import type { SaveSteps } from "./saveSteps.ts";

export type GatherPorts = {
  readonly peer: Peer;
  readonly now: () => number;
  readonly host: () => HostFacts;
  /** Looks at one agent again: processes, records and transcript, from disk. Undefined: it is gone. */
  readonly lookAgain: (instanceId: string) => Promise<Watched | undefined>;
  /** Another live process holds this agent's claim. */
  readonly claimedElsewhere: (instanceId: string) => Promise<boolean>;
  readonly journalProblem: () => string | undefined;
  readonly platformMeasured: boolean;
  readonly saves: Pick<SaveSteps, "onDisk" | "isAllowed" | "workflowProblem">;
  /** When the window was heard last, epoch ms. */
  readonly hostHeardAt: () => number;
};

/** What is asked about: an order that was given, or one that might be (*Check*). */
export type Asked = {
  readonly instanceId: string;
  readonly terminalId: string | undefined;
  readonly goal: Goal;
  readonly savesFirst: boolean;
  readonly question: Question;
  readonly order?: Order;
  /** Texts that the window has to hold for it to go on. */
  readonly texts?: Order["carry"];
  /** What was saved, once something is. */
  readonly saved?: Saved;
  /** After a clear: the conversation it has to be in. */
  readonly conversationId?: string;
  readonly approvalUsed: boolean;
  readonly otherReset: boolean;
};

/** What is asked of a reset that is under way. */
export const askedOf = (state: Open, question: Question, approvalUsed: boolean): Asked => {
  const { order } = state;
  const conversationId = state.phase === "resuming" ? state.conversationId : order.conversationId;
  return {
    instanceId: order.instanceId,
    terminalId: order.terminalId,
    goal: order.goal,
    savesFirst: order.savesFirst,
    question,
    order,
    texts: textsNeeded(state),
    ...("saved" in state && state.saved !== undefined ? { saved: state.saved } : {}),
    ...(conversationId === undefined ? {} : { conversationId }),
    approvalUsed,
    otherReset: false,
  };
};

/** All of them before the clear. After it the brief is said whatever became of them, and each is asked for in its turn. */
function textsNeeded(state: Open): Order["carry"] {
  if (state.phase !== "resuming") return state.order.carry;
  const [line] = state.queue;
  return line?.kind === "held" ? [{ textId: line.textId, digest: line.digest }] : [];
}

/** A window that does not answer a look within this time does not answer, ms. */
const probeMs = 3000;

export type Gathered = { readonly facts: Facts; readonly baseline: Baseline };

/** Gathers every fact once, disk first, the screen last: it is the one that changes fastest. */
export async function gather(ports: GatherPorts, asked: Asked): Promise<Gathered> {
  const watched = await ports.lookAgain(asked.instanceId);
  const claimed = await ports.claimedElsewhere(asked.instanceId);
  const { settings, settingProblems, window, terminals } = ports.host();
  const terminal = terminals.find(({ terminalId }) => terminalId === watched?.instance.terminalId);
  const screen =
    watched === undefined || terminal === undefined ? undefined : await probe(ports.peer, watched, terminal.terminalId);
  const conversation = watched?.conversation;
  const onDisk = asked.saved === undefined ? undefined : await ports.saves.onDisk(asked.saved, watched?.instance);
  const { receipt, brief } = asked.saved ?? {};
  const texts = asked.texts ?? [];
  const workflowProblem = ports.saves.workflowProblem();
  const facts: Facts = {
    now: ports.now(),
    goal: asked.goal,
    question: asked.question,
    savesFirst: asked.savesFirst,
    forced: asked.order?.origin === "forced",
    conversationId: asked.conversationId,
    ability: abilityOf(conversation?.permission, watched !== undefined && ports.saves.isAllowed(watched.instance)),
    ...(workflowProblem === undefined ? {} : { workflowProblem }),
    ...(receipt === undefined || onDisk === undefined
      ? {}
      : { saved: { receipt, stateDigest: onDisk.stateDigest, transcriptBytes: onDisk.transcriptBytes } }),
    ...(brief === undefined || onDisk === undefined
      ? {}
      : { brief: { digest: brief.digest, digestNow: onDisk.briefDigest } }),
    carries: texts.length,
    textsHeld: texts.length === 0 || (await areHeld(ports.peer, texts)),
    hostSilentMs: ports.now() - ports.hostHeardAt(),
    mode: settings.mode,
    settingProblems,
    trusted: window.trusted,
    paused: window.paused,
    platformMeasured: ports.platformMeasured,
    expected: { instanceId: asked.instanceId, terminalId: asked.terminalId },
    ...(watched === undefined ? {} : { instance: watched.instance }),
    ...(terminal === undefined ? {} : { terminal }),
    ...(screen === undefined ? {} : { screen }),
    ...(conversation === undefined ? {} : { conversation }),
    ...(watched?.transcriptProblem === undefined ? {} : { transcriptProblem: watched.transcriptProblem }),
    turn: watched === undefined ? { kind: "unknown" } : turnOfWatched(watched),
    subagents: watched?.subagents ?? [],
    ...(asked.order === undefined ? {} : { approval: approvalOf(asked.order) }),
    approvalUsed: asked.approvalUsed,
    armed: asked.question.look === "again",
    otherReset: asked.otherReset || claimed,
    ...withProblem(ports.journalProblem()),
    quietMs: settings.quietMs,
  };
  return { facts, baseline: baselineOf(watched) };
}

/** What stands on disk of an agent now. */
function baselineOf(watched: Watched | undefined): Baseline {
  const conversation = watched?.conversation;
  const reading = conversation?.reading;
  const conversationId = watched?.instance.conversationId;
  return {
    ...(conversationId === undefined ? {} : { conversationId }),
    ...(reading?.kind === "measured" ? { tokens: reading.tokens } : {}),
    compactions: conversation?.compactions ?? 0,
    ...(conversation?.lastCommand === undefined ? {} : { lastCommandAt: conversation.lastCommand.at }),
    ...(conversation?.lastPrompt === undefined ? {} : { lastPromptId: conversation.lastPrompt.recordId }),
  };
}

const approvalOf = ({ approvalId, at, conversationId, lastHumanId }: Order) => ({
  approvalId,
  at,
  ...(conversationId === undefined ? {} : { conversationId }),
  ...(lastHumanId === undefined ? {} : { lastHumanId }),
});

const withProblem = (journalProblem: string | undefined) => (journalProblem === undefined ? {} : { journalProblem });

async function areHeld(peer: Peer, texts: Order["carry"]): Promise<boolean> {
  const textIds = texts.map(({ textId }) => textId);
  return (await within(probeMs, ask(peer, HoldsTexts, { textIds }), undefined))?.held === true;
}

/** The window's own answer; undefined where it gives none. */
function probe(peer: Peer, { instance }: Watched, terminalId: string): Promise<ScreenFacts | undefined> {
  return within(probeMs, ask(peer, ProbeScreen, { terminalId, agent: instance.agent }), undefined);
}
