import { randomBytes } from "node:crypto";
import { askAll } from "../core/gates/gate.ts";
import { gates } from "../core/gates/gates.ts";
import type { Order } from "../core/reset/types.ts";
import * as messages from "../protocol/messages.ts";
import { answer, ask, listen, type Peer } from "../protocol/wire.ts";
import { allowSaving, lastSaved } from "./reset/savedFiles.ts";
import { turnOfWatched } from "./watched.ts";
import { within } from "./within.ts";
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
  answer(peer, messages.Ping, () => {
    worker.heard();
    return { at: ports.now(), agents: worker.watch.all().length };
  });
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
  answer(peer, messages.Check, async ({ instanceId, goal }) => {
    const watched = worker.watch.one(instanceId);
    const conversationId = watched?.instance.conversationId;
    const { facts } = await worker.gather({
      instanceId,
      terminalId: watched?.instance.terminalId,
      goal,
      savesFirst: goal === "reset" || goal === "save",
      question: { before: "save", look: "first" },
      ...(conversationId === undefined ? {} : { conversationId }),
      approvalUsed: false,
      otherReset: worker.resets.stateOf(instanceId).phase !== "none",
    });
    // Nobody clicked: what a click would be answered is asked, for the conversation as it is now.
    const now = facts.instance?.conversationId;
    const human = facts.conversation?.lastHuman;
    const approval = {
      approvalId: "check",
      at: facts.now,
      ...(now === undefined ? {} : { conversationId: now }),
      ...(human?.kind === "known" ? { lastHumanId: human.recordId } : {}),
    };
    return { answers: askAll(gates, { ...facts, approval }) };
  });
  answer(peer, messages.Reviewed, ({ instanceId, resetId }) => {
    const state = worker.resets.stateOf(instanceId);
    if (state.phase !== "saved" || state.order.resetId !== resetId) return { goesOn: false };
    worker.dispatch(instanceId, { kind: "reviewed", at: ports.now() });
    return { goesOn: worker.resets.stateOf(instanceId) !== state };
  });
  answer(peer, messages.Interrupt, ({ instanceId }) => interrupt(peer, worker, instanceId, ports.now));
  answer(peer, messages.ReportReset, ({ instanceId }) => ({ markdown: worker.report(instanceId) }));
  answer(peer, messages.ListClears, () => ({ clears: worker.pastClears() }));
  answer(peer, messages.LastSaved, ({ instanceId }) => lastSaved(worker.watch.one(instanceId)?.instance));
  answer(peer, messages.AllowSaving, ({ instanceId }) => allowSaving(worker.watch.one(instanceId)?.instance));
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
  const { instanceId, approvalId, act } = click;
  const refused = (reason: string, remedy: string): Answer => ({ outcome: "refused", reason, remedy });
  const watched = worker.watch.one(instanceId);
  if (watched === undefined) return refused("the agent has ended", "Look at the terminal.");
  const { instance, conversation } = watched;
  if (click.conversationId !== instance.conversationId)
    return refused("this was about an earlier conversation", "Look at the gauge, then click again.");
  if (worker.wasUsed(approvalId)) return refused("this click was used already", "Click again.");
  const state = worker.resets.stateOf(instanceId);
  if (state.phase !== "none" && state.phase !== "needs-reconcile")
    return refused("a reset of this agent is open already", "Wait for it, or cancel it in the menu.");
  if (act.kind === "undo" && instance.agent === "codex" && instance.daemon && instance.binding !== "title")
    return refused(
      "Codex's daemon does not show which conversation it is in, so the way back could not be confirmed",
      "Add thread-id to tui.terminal_title of Codex (see *Plimsoll: Doctor*), or type /resume there yourself.",
    );
  const { settings } = worker.host();
  const turn = turnOfWatched(watched);
  const human = conversation?.lastHuman;
  worker.approve({
    resetId: randomBytes(6).toString("hex"),
    instanceId,
    ...(instance.terminalId === undefined ? {} : { terminalId: instance.terminalId }),
    goal: act.kind,
    path: "approved",
    origin: act.kind === "reset" && turn.kind === "error" && turn.overflow ? "forced" : "normal",
    requestedBy: "person",
    then: act.kind === "reset" ? act.then : "stop",
    review: act.kind === "reset" && act.review,
    savesFirst: act.kind === "reset" || act.kind === "save" || (act.kind === "compact" && worker.saves.compactSaves()),
    mayEscape: settings.escapeAfterSave === "once",
    workflow: settings.workflow,
    carry: act.kind === "reset" ? act.carry : [],
    ...(act.kind === "undo" ? { target: act.conversationId } : {}),
    approvalId,
    at: click.at,
    ...(click.shownTokens === undefined ? {} : { shownTokens: click.shownTokens }),
    ...(click.conversationId === undefined ? {} : { conversationId: click.conversationId }),
    ...(human?.kind === "known" ? { lastHumanId: human.recordId } : {}),
    asksPerson: conversation?.endsWithQuestion ?? false,
  } satisfies Order);
  return { outcome: "started" };
}

type Interrupted = (typeof messages.Interrupt.result)["_zod"]["output"];

/** How long the window may take to send one Escape, ms. */
const escapeMs = 3000;

/** One Escape, at once and past the lock (DESIGN §7). */
async function interrupt(peer: Peer, worker: Worker, instanceId: string, now: () => number): Promise<Interrupted> {
  const refused = (reason: string, remedy: string): Interrupted => ({ outcome: "refused", reason, remedy });
  const watched = worker.watch.one(instanceId);
  if (watched === undefined) return refused("the agent has ended", "Look at the terminal.");
  const { terminalId, agent, pid } = watched.instance;
  const shellPid = watched.terminal?.shellPid;
  if (terminalId === undefined || shellPid === undefined)
    return refused("it does not run in a terminal of this window", "Use its own window.");
  const problem = worker.escapes.refusal(instanceId, turnOfWatched(watched).kind);
  if (problem !== undefined) return refused(problem, "Look at the terminal.");
  const at = now();
  worker.escapes.sent(instanceId, at);
  const target = { resetId: "interrupt", terminalId, agent, agentPid: pid, shellPid };
  const done = await within(escapeMs, ask(peer, messages.SendEscape, target), undefined);
  if (done?.sent !== true) return refused("the Escape could not be sent", "Press it in the terminal.");
  worker.noteTyped([{ kind: "escape", at }]);
  return { outcome: "sent" };
}
