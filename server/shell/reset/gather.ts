import type { Facts } from "../../core/gates/gate.ts";
import type { Baseline, Order } from "../../core/reset/types.ts";
import type { CommandId } from "../../protocol/agents.ts";
import { ProbeScreen } from "../../protocol/messages.ts";
import type { ScreenFacts } from "../../protocol/terminals.ts";
import { ask, type Peer } from "../../protocol/wire.ts";
import { type HostFacts, turnOfWatched, type Watched } from "../watched.ts";
import { within } from "../within.ts";

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
};

/** What is asked about: an order that was given, or one that might be (*Check*). */
export type Asked = {
  readonly instanceId: string;
  readonly terminalId: string | undefined;
  readonly command: CommandId;
  readonly order?: Order;
  readonly approvalUsed: boolean;
  readonly armed: boolean;
  readonly otherReset: boolean;
};

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
  const facts: Facts = {
    now: ports.now(),
    command: asked.command,
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
    armed: asked.armed,
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

/** The window's own answer; undefined where it gives none. */
function probe(peer: Peer, { instance }: Watched, terminalId: string): Promise<ScreenFacts | undefined> {
  return within(probeMs, ask(peer, ProbeScreen, { terminalId, agent: instance.agent }), undefined);
}
