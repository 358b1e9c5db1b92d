import { randomUUID } from "node:crypto";
import { askGates, type Facts, type GateReport } from "../../core/gates/gate.ts";
import { diskGates, gates, lastLookGates } from "../../core/gates/gates.ts";
import { agentOf } from "../../core/instance.ts";
import { tokenMs } from "../../core/reset/submit.ts";
import type { Effect, Event, Order, Reset } from "../../core/reset/types.ts";
import { EraseLine, LookAgain, PasteForPerson, PressEnter, ResetEnded, TypeLine } from "../../protocol/messages.ts";
import { ask, type Peer, tell } from "../../protocol/wire.ts";
import type { Watched } from "../watched.ts";
import { within } from "../within.ts";
import type { Asked, Gathered } from "./gather.ts";

export type PerformPorts = {
  readonly peer: Peer;
  readonly now: () => number;
  readonly gather: (asked: Asked) => Promise<Gathered>;
  /** The agent as it was last seen; undefined: it is gone. */
  readonly watched: (instanceId: string) => Watched | undefined;
  readonly nameOf: (instanceId: string) => string;
  readonly claim: (instanceId: string) => Promise<boolean>;
  readonly release: (instanceId: string) => void;
  /** Whether this click belongs to another reset already. */
  readonly approvalUsed: (order: Order) => boolean;
  readonly shellPidOf: (terminalId: string) => number | undefined;
};

/** Turns one effect into the event that reports its outcome. A failure on the way is an outcome too, never untouched. */
export function createPerform(ports: PerformPorts) {
  return async (instanceId: string, effect: Effect, state: Reset): Promise<Event | undefined> => {
    if (effect.kind === "end") return ended(ports, instanceId, effect);
    if (state.phase === "none") return undefined;
    const { order } = state;
    switch (effect.kind) {
      case "judge":
        return judge(ports, order, effect);
      case "claim":
        return {
          kind: "claim-answered",
          at: ports.now(),
          attempt: effect.attempt,
          won: await claim(ports, instanceId),
        };
      default:
        return submit(ports, order, effect);
    }
  };
}

async function judge(
  ports: PerformPorts,
  order: Order,
  { attempt, stage }: Extract<Effect, { kind: "judge" }>,
): Promise<Event> {
  const { facts, baseline } = await ports.gather({
    instanceId: order.instanceId,
    terminalId: order.terminalId,
    command: order.command,
    order,
    approvalUsed: ports.approvalUsed(order),
    armed: stage === "armed",
    otherReset: false,
  });
  const report = reportFor(stage, facts);
  const assisted = stage !== "last-look" && report.refused?.gate === "prompt-box-visible" && passes(facts);
  return { kind: "judged", at: ports.now(), attempt, report, baseline, assisted };
}

/** An armed reset leaves the screen alone until the turn is over: what the person drafts meanwhile is theirs. */
function reportFor(stage: Extract<Effect, { kind: "judge" }>["stage"], facts: Facts): GateReport {
  if (stage === "last-look") return askGates(lastLookGates, facts);
  const onDisk = askGates(diskGates, facts);
  return stage === "armed" && onDisk.waiting.length > 0 ? onDisk : askGates(gates, facts);
}

function passes(facts: Facts): boolean {
  const { refused, waiting } = askGates(diskGates, facts);
  return refused === undefined && waiting.length === 0;
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

async function submit(ports: PerformPorts, order: Order, effect: Submission): Promise<Event> {
  const target = targetOf(ports, order);
  const at = () => ports.now();
  const { attempt } = effect;
  switch (effect.kind) {
    case "type": {
      if (target === undefined) return { kind: "typed", at: at(), attempt, result: refusedUntouched };
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
  return { resetId: order.resetId, terminalId, agent, agentPid: pid, shellPid, line: order.command };
}

async function ended(
  ports: PerformPorts,
  instanceId: string,
  { order, outcome, because, beforeTokens, afterTokens }: Extract<Effect, { kind: "end" }>,
): Promise<undefined> {
  ports.release(instanceId);
  await tell(ports.peer, ResetEnded, {
    resetId: order.resetId,
    instanceId,
    name: ports.nameOf(instanceId),
    agent: agentOf(instanceId),
    command: order.command,
    outcome,
    ...(order.conversationId === undefined ? {} : { conversationId: order.conversationId }),
    ...because,
    ...(beforeTokens === undefined ? {} : { beforeTokens }),
    ...(afterTokens === undefined ? {} : { afterTokens }),
  }).catch(() => undefined);
  return undefined;
}
