import { randomUUID } from "node:crypto";
import { askGates, type Facts, type GateReport } from "../../core/gates/gate.ts";
import { briefGates, diskGates, gates, lastLookOf } from "../../core/gates/gates.ts";
import { agentOf } from "../../core/instance.ts";
import { tokenMs } from "../../core/reset/submission.ts";
import type { Effect, Event, Open, Order, Question, Reset } from "../../core/reset/types.ts";
import type { Line, LineRef } from "../../protocol/lines.ts";
import {
  EraseLine,
  LookAgain,
  PasteForPerson,
  PressEnter,
  ResetEnded,
  SendEscape,
  TypeLine,
} from "../../protocol/messages.ts";
import { ask, type Peer, tell } from "../../protocol/wire.ts";
import type { Watched } from "../watched.ts";
import { within } from "../within.ts";
import { type Asked, askedOf, type Gathered } from "./gather.ts";
import type { SaveSteps } from "./saveSteps.ts";

export type PerformPorts = {
  readonly peer: Peer;
  readonly now: () => number;
  /** Monotonic, ms. */
  readonly clock: () => number;
  readonly gather: (asked: Asked) => Promise<Gathered>;
  /** Looks at the agent again, from disk; undefined: it is gone. */
  readonly lookAgain: (instanceId: string) => Promise<Watched | undefined>;
  /** The agent as it was last seen; undefined: it is gone. */
  readonly watched: (instanceId: string) => Watched | undefined;
  readonly nameOf: (instanceId: string) => string;
  readonly claim: (instanceId: string) => Promise<boolean>;
  /** This process holds the agent's claim still. */
  readonly holdsClaim: (instanceId: string) => boolean;
  readonly release: (instanceId: string) => void;
  /** Whether this click belongs to another reset already. */
  readonly approvalUsed: (order: Order) => boolean;
  readonly shellPidOf: (terminalId: string) => number | undefined;
  readonly saves: SaveSteps;
  readonly log: (sentence: string) => void;
};

/** Turns one effect into the event that reports its outcome. A failure on the way is an outcome too, never untouched. */
export function createPerform(ports: PerformPorts) {
  return async (instanceId: string, effect: Effect, state: Reset): Promise<Event | undefined> => {
    if (effect.kind === "end") return ended(ports, instanceId, effect);
    if (state.phase === "none") return undefined;
    const { order } = state;
    const { attempt } = effect;
    const at = () => ports.now();
    switch (effect.kind) {
      case "judge":
        return judge(ports, state, effect);
      case "claim":
        return { kind: "claim-answered", at: at(), attempt, won: await claim(ports, instanceId) };
      case "prepare-save": {
        const result = await ports.saves.prepare(order, await ports.lookAgain(instanceId));
        return { kind: "save-prepared", at: at(), attempt, result };
      }
      case "look-at-save": {
        const watched = await ports.lookAgain(instanceId);
        const look = await ports.saves.look(order, effect.place, watched?.instance);
        return {
          kind: "save-looked",
          at: at(),
          attempt,
          clock: ports.clock(),
          look,
          ...(await position(ports, watched)),
        };
      }
      case "write-brief": {
        const result = await ports.saves.writeBrief(order, effect.saved, await ports.lookAgain(instanceId));
        return { kind: "brief-written", at: at(), attempt, result };
      }
      case "collect": {
        const found = await ports.saves.collect(order, effect.saved, effect.claimedAt, ports.watched(instanceId));
        return { kind: "collected", at: at(), attempt, ...found };
      }
      case "escape": {
        const target = targetOf(ports, order);
        const done = target && (await within(answerMs, ask(ports.peer, SendEscape, target), undefined));
        return { kind: "escaped", at: at(), attempt, sent: done?.sent ?? false };
      }
      default:
        return submit(ports, state, effect);
    }
  };
}

async function judge(
  ports: PerformPorts,
  state: Open,
  { attempt, question }: Extract<Effect, { kind: "judge" }>,
): Promise<Event> {
  const { facts, baseline } = await ports.gather(askedOf(state, question, ports.approvalUsed(state.order)));
  const report = reportFor(question, facts);
  const assisted = question.look !== "last" && report.refused?.gate === "prompt-box-visible" && passesOnDisk(facts);
  return { kind: "judged", at: ports.now(), attempt, report, baseline, assisted };
}

const listFor = ({ before }: Question) => (before === "brief" ? briefGates : gates);

/** What waits leaves the screen alone until the turn is over: what the person drafts meanwhile is theirs. */
function reportFor(question: Question, facts: Facts): GateReport {
  const list = listFor(question);
  if (question.look === "last") return askGates(lastLookOf(list), facts);
  const onDisk = askGates(diskGates(list), facts);
  return question.look === "again" && onDisk.waiting.length > 0 ? onDisk : askGates(list, facts);
}

function passesOnDisk(facts: Facts): boolean {
  const { refused, waiting } = askGates(diskGates(listFor(facts.question)), facts);
  return refused === undefined && waiting.length === 0;
}

/** Where in its transcript the agent is. */
async function position(ports: PerformPorts, watched: Watched | undefined) {
  const { conversation, instance } = watched ?? {};
  const human = conversation?.lastHuman;
  return {
    ...(instance?.conversationId === undefined ? {} : { conversationId: instance.conversationId }),
    transcriptBytes: (await ports.saves.transcriptBytes(instance)) ?? 0,
    ...(human?.kind === "known" ? { lastHumanId: human.recordId } : {}),
    toolCalls: conversation?.toolCalls ?? 0,
    answers: conversation?.answers ?? 0,
  };
}

async function claim(ports: PerformPorts, instanceId: string): Promise<boolean> {
  try {
    return await ports.claim(instanceId);
  } catch {
    return false;
  }
}

/** The window looks for our line for 3 s and waits up to 15 s for a turn's end before it takes it back, ms. */
const typeMs = 60_000;
/** Everything else it answers at once; an answer that never comes is an outcome too, ms. */
const answerMs = 10_000;

type Submission = Extract<Effect, { kind: "type" | "press" | "look" | "erase" | "hand-over" }>;

async function submit(ports: PerformPorts, state: Open, effect: Submission): Promise<Event> {
  const to = targetOf(ports, state.order);
  const line = to && (await lineOf(ports, state, effect.line));
  const target = to === undefined || line === undefined ? undefined : { ...to, line };
  const at = () => ports.now();
  const { attempt } = effect;
  switch (effect.kind) {
    case "type": {
      if (target === undefined) return { kind: "typed", at: at(), attempt, result: refusedUntouched };
      if (!ports.holdsClaim(state.order.instanceId))
        return { kind: "typed", at: at(), attempt, result: { ...refusedUntouched, reason: "busy" } };
      const result = await within(typeMs, ask(ports.peer, TypeLine, target), lostAnswer);
      return {
        kind: "typed",
        at: at(),
        attempt,
        result: result.outcome === "shown" ? { outcome: "shown", sequence: result.sequence } : result,
      };
    }
    case "press": {
      if (target === undefined)
        return { kind: "pressed", at: at(), attempt, result: { outcome: "refused", reason: "agent-gone" } };
      if (!ports.holdsClaim(state.order.instanceId))
        return { kind: "pressed", at: at(), attempt, result: { outcome: "refused", reason: "busy" } };
      const params = { ...target, token: randomUUID(), sequence: effect.sequence, validMs: tokenMs };
      const result = await within(answerMs, ask(ports.peer, PressEnter, params), { outcome: "unknown" as const });
      return { kind: "pressed", at: at(), attempt, result: withoutUndefined(result) };
    }
    case "look": {
      const seen = target && (await within(answerMs, ask(ports.peer, LookAgain, target), undefined));
      return { kind: "looked", at: at(), attempt, shown: seen?.shown ?? false, sequence: seen?.sequence ?? 0 };
    }
    case "erase": {
      const done = target && (await within(typeMs, ask(ports.peer, EraseLine, target), undefined));
      return { kind: "erased", at: at(), attempt, erased: done?.erased ?? false };
    }
    case "hand-over": {
      const done = target && (await within(answerMs, ask(ports.peer, PasteForPerson, target), undefined));
      return { kind: "handed", at: at(), attempt, pasted: done?.pasted ?? false };
    }
  }
}

const refusedUntouched = { outcome: "refused", reason: "agent-gone", wrote: false, erased: false } as const;
/** No answer: a byte may have gone out, so it is never called untouched (R148). */
const lostAnswer = { outcome: "refused", reason: "not-connected", wrote: true, erased: false } as const;

type Pressed = Extract<Event, { kind: "pressed" }>["result"];
const withoutUndefined = (
  result:
    | Pressed
    | { outcome: "refused"; reason: Extract<Pressed, { reason: unknown }>["reason"]; stillShown?: number | undefined },
): Pressed => {
  if (result.outcome !== "refused") return result;
  const { stillShown, ...rest } = result;
  return stillShown === undefined ? rest : { ...rest, stillShown };
};

function targetOf(ports: PerformPorts, order: Order) {
  const watched = ports.watched(order.instanceId);
  const terminalId = watched?.instance.terminalId;
  const shellPid = terminalId === undefined ? undefined : ports.shellPidOf(terminalId);
  if (watched === undefined || terminalId === undefined || shellPid === undefined) return undefined;
  const { agent, pid } = watched.instance;
  return { resetId: order.resetId, terminalId, agent, agentPid: pid, shellPid };
}

/** The line with the words in it that are being carried; undefined: they can't be read any more. */
async function lineOf(ports: PerformPorts, state: Open, line: LineRef): Promise<Line | undefined> {
  if (line.kind !== "carried") return line;
  const saved = "saved" in state ? state.saved : undefined;
  const text = await ports.saves.carriedText(state.order, saved, line);
  return text === undefined ? undefined : { kind: "carried", text };
}

async function ended(
  ports: PerformPorts,
  instanceId: string,
  effect: Extract<Effect, { kind: "end" }>,
): Promise<undefined> {
  const { order, outcome, because, beforeTokens, afterTokens, cleared, saved, nextConversationId } = effect;
  ports.release(instanceId);
  if (cleared && saved !== undefined && nextConversationId !== undefined)
    ports.saves.noteNext(saved, nextConversationId);
  ports.log(logLine(effect));
  await tell(ports.peer, ResetEnded, {
    resetId: order.resetId,
    instanceId,
    name: ports.nameOf(instanceId),
    agent: agentOf(instanceId),
    goal: order.goal,
    outcome,
    cleared,
    ...(order.conversationId === undefined ? {} : { conversationId: order.conversationId }),
    ...because,
    ...(beforeTokens === undefined ? {} : { beforeTokens }),
    ...(afterTokens === undefined ? {} : { afterTokens }),
    ...(saved?.receipt === undefined ? {} : { saved: { path: saved.place.statePath, bytes: saved.receipt.size } }),
    undelivered: [...effect.undelivered],
    lost: effect.lost,
  }).catch(() => undefined);
  return undefined;
}

/** One line a reset, as key=value: no sentence can imitate it (R111, R221). */
function logLine({ order, outcome, because, cleared, saved }: Extract<Effect, { kind: "end" }>): string {
  const fields = {
    reset: order.resetId,
    goal: order.goal,
    outcome,
    ...(because.gate === undefined ? {} : { gate: because.gate }),
    cleared,
    path: order.path,
    origin: order.origin,
    "requested-by": order.requestedBy,
    "approval-record": order.approvalId,
    "approval-ts": new Date(order.at).toISOString(),
    ...(saved?.receipt === undefined ? {} : { "saved-bytes": saved.receipt.size }),
  };
  return `reset: ${Object.entries(fields)
    .map(([key, value]) => `${key}=${value}`)
    .join(" ")}`;
}
