import { randomUUID } from "node:crypto";
import { askAll } from "../core/gates/gate.ts";
import { gates } from "../core/gates/gates.ts";
import * as messages from "../protocol/messages.ts";
import { answer, listen, type Peer } from "../protocol/wire.ts";
import type { Worker } from "./worker.ts";

export type HandlerPorts = {
  readonly now: () => number;
  readonly doctor: () => Promise<string>;
  readonly conversationsFor: (
    instanceId: string,
  ) => Promise<(typeof messages.ListConversations.result)["_zod"]["output"]["choices"]>;
  readonly reconnect: (instanceId: string) => Promise<(typeof messages.PrepareReconnect.result)["_zod"]["output"]>;
  readonly log: (level: "info" | "warn", sentence: string) => void;
};

/** Everything the host may tell or ask; each message is parsed by the wire before it comes here. */
export function attachHandlers(peer: Peer, worker: Worker, ports: HandlerPorts): void {
  const onBad = (method: string) => ports.log("warn", `wire: a message ${method} had another shape and was dropped`);

  listen(peer, messages.SettingsChanged, (settings) => worker.tell({ settings }), onBad);
  listen(peer, messages.SettingsProblems, ({ problems }) => worker.tell({ settingProblems: problems }), onBad);
  listen(peer, messages.TerminalsChanged, ({ terminals }) => worker.tell({ terminals }), onBad);
  listen(peer, messages.WindowChanged, (window) => worker.tell({ window }), onBad);
  answer(peer, messages.Ping, () => ({ at: ports.now(), agents: worker.watch.all().length }));
  answer(peer, messages.Approve, (click) => approve(worker, click));
  answer(peer, messages.Cancel, ({ instanceId }) => {
    const before = worker.resets.stateOf(instanceId);
    worker.dispatch(instanceId, { kind: "cancelled", at: ports.now() });
    return { cancelled: worker.resets.stateOf(instanceId) !== before };
  });
  answer(peer, messages.Snooze, ({ instanceId, questionId }) => {
    worker.snooze(instanceId, questionId);
    return {};
  });
  answer(peer, messages.Check, async ({ instanceId, command }) => {
    const watched = worker.watch.one(instanceId);
    const { facts } = await worker.gather({
      instanceId,
      terminalId: watched?.instance.terminalId,
      command,
      approvalUsed: false,
      armed: false,
      otherReset: worker.resets.stateOf(instanceId).phase !== "none",
    });
    // Nobody clicked: what a click would be answered is asked, for the conversation as it is now.
    const { conversationId } = facts.instance ?? {};
    const human = facts.conversation?.lastHuman;
    const approval = {
      approvalId: "check",
      at: facts.now,
      ...(conversationId === undefined ? {} : { conversationId }),
      ...(human?.kind === "known" ? { lastHumanId: human.recordId } : {}),
    };
    return { answers: askAll(gates, { ...facts, approval }) };
  });
  answer(peer, messages.ListConversations, async ({ instanceId }) => ({
    choices: await ports.conversationsFor(instanceId),
  }));
  answer(peer, messages.PickConversation, ({ instanceId, conversationId }) => {
    if (worker.watch.one(instanceId) === undefined) return { bound: false, reason: "the agent has ended" };
    worker.watch.pick(instanceId, conversationId);
    return { bound: true };
  });
  answer(peer, messages.Doctor, async () => ({ markdown: await ports.doctor() }));
  answer(peer, messages.PrepareReconnect, ({ instanceId }) => ports.reconnect(instanceId));
  answer(peer, messages.Closing, () => {
    const open = worker.resets.open();
    for (const instanceId of open) worker.dispatch(instanceId, { kind: "closing", at: ports.now() });
    return { aborted: open.length - worker.resets.open().length };
  });
}

type Click = (typeof messages.Approve.params)["_zod"]["output"];
type Answer = (typeof messages.Approve.result)["_zod"]["output"];

function approve(worker: Worker, click: Click): Answer {
  const { instanceId, approvalId } = click;
  const refused = (reason: string, remedy: string): Answer => ({ outcome: "refused", reason, remedy });
  const watched = worker.watch.one(instanceId);
  if (watched === undefined) return refused("the agent has ended", "Look at the terminal.");
  if (click.conversationId !== watched.instance.conversationId)
    return refused("this was about an earlier conversation", "Look at the gauge, then click again.");
  if (worker.wasUsed(approvalId)) return refused("this click was used already", "Click again.");
  const state = worker.resets.stateOf(instanceId);
  if (state.phase !== "none" && state.phase !== "needs-reconcile")
    return refused("a reset of this agent is open already", "Wait for it, or cancel it in the menu.");
  const human = watched.conversation?.lastHuman;
  worker.approve({
    resetId: randomUUID(),
    instanceId,
    ...(watched.instance.terminalId === undefined ? {} : { terminalId: watched.instance.terminalId }),
    command: click.command,
    approvalId,
    at: click.at,
    ...(click.shownTokens === undefined ? {} : { shownTokens: click.shownTokens }),
    ...(click.conversationId === undefined ? {} : { conversationId: click.conversationId }),
    ...(human?.kind === "known" ? { lastHumanId: human.recordId } : {}),
  });
  return { outcome: "started" };
}
