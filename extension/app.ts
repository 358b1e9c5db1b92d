import { commands, type ExtensionContext, workspace } from "vscode";
import { HoldsTexts } from "../server/protocol/messages.ts";
import { answer } from "../server/protocol/wire.ts";
import { createActs } from "./act.ts";
import { commandId } from "./commandIds.ts";
import { registerCommands } from "./commands.ts";
import { disposableStore } from "./disposables.ts";
import { createDocuments } from "./documents.ts";
import { createEndings } from "./endings.ts";
import { followAgents } from "./followAgents.ts";
import { showTerminal } from "./front.ts";
import { createGreeting } from "./greeting.ts";
import { attachHandlers } from "./handlers.ts";
import { createHeldTexts } from "./heldTexts.ts";
import { createLink } from "./link.ts";
import { createLog } from "./log.ts";
import { createMenu } from "./menu.ts";
import { modelStore } from "./model.ts";
import { createPause, wasPaused } from "./pause.ts";
import { createProblems } from "./problems.ts";
import { createProgress } from "./progress.ts";
import { createQuestion } from "./question.ts";
import { createReview } from "./review.ts";
import { createStatusBar } from "./statusBar.ts";
import type { Terminals } from "./terminals.ts";
import { createThen } from "./then.ts";
import { createTypist } from "./typist.ts";
import { createUndo } from "./undo.ts";
import { runWorker, type Worker } from "./worker.ts";

/** Puts the window's side together. Nothing is decided here. */
export function startApp(context: ExtensionContext, terminals: Terminals): Worker {
  const store = disposableStore();
  context.subscriptions.push(store);
  store.add(terminals);
  const log = store.add(createLog());
  const link = createLink((sentence) => log.warn(sentence));
  const model = modelStore(store, {
    worker: { kind: "starting", again: false },
    view: undefined,
    mode: "gauge",
    paused: wasPaused(context),
    frontTerminalId: undefined,
    hasTerminals: false,
  });
  const greeting = createGreeting(store, link, model, terminals, log);
  model.change({ mode: greeting.settings().settings.mode });
  const pause = createPause(context, model, log);
  const held = createHeldTexts();
  const typist = createTypist({
    terminals,
    roundTrip: () => commands.executeCommand("setContext", "plimsoll.roundTrip", Date.now()),
    held,
    guard: () => ({ paused: model.current().paused, mode: model.current().mode, trusted: workspace.isTrusted }),
  });
  const acts = createActs(context, link, model, log);
  const run = async (name: Parameters<typeof commandId>[0], instanceId?: string) => {
    await commands.executeCommand(commandId(name), instanceId);
  };
  const documents = createDocuments(store);
  const undo = createUndo(link, model, acts, log);
  const then = createThen({ store, model, acts, held, log });
  const review = createReview(link, model, acts, log);
  const menu = createMenu(model, link, undo, run);
  createStatusBar(store, model);
  createProblems({ log, model, shown: () => greeting.settings().problems, run });
  followAgents(model, terminals);
  const progress = createProgress(model, acts);
  const onEnded = createEndings({ log, model, progress, acts, undo, then, documents, run });
  createQuestion({
    link,
    model,
    acts,
    log,
    show: (instanceId) => showTerminal(model, terminals, instanceId),
    more: menu.more,
    resume: () => pause.set(false),
  });
  const worker = runWorker({
    context,
    log,
    link,
    attach: (peer) => {
      attachHandlers(peer, typist, { onView: (view) => model.change({ view }), onEnded }, log);
      answer(peer, HoldsTexts, ({ textIds }) => ({ held: then.holds(textIds) }));
    },
    greet: greeting.greet,
    onState: (state) => {
      log.info(`worker: ${state.kind}`);
      model.change(state.kind === "running" ? { worker: state } : { worker: state, view: undefined });
    },
  });
  const version = String(context.extension.packageJSON.version);
  registerCommands({
    store,
    log,
    link,
    model,
    terminals,
    typist,
    acts,
    menu,
    undo,
    then,
    review,
    pause,
    documents,
    worker,
    version,
  });
  return worker;
}
