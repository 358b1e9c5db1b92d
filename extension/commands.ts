import { commands, type LogOutputChannel, window } from "vscode";
import { Doctor, ReportReset } from "../server/protocol/messages.ts";
import type { AgentView } from "../server/protocol/view.ts";
import type { Acts } from "./act.ts";
import { allowSaving } from "./allowSaving.ts";
import { bind } from "./bind.ts";
import { changeLine } from "./changeLine.ts";
import { check } from "./check.ts";
import { type CommandName, commandId, commandNames, titles } from "./commandIds.ts";
import type { DisposableStore } from "./disposables.ts";
import type { Documents } from "./documents.ts";
import { agentFor, showTerminal } from "./front.ts";
import { interrupt } from "./interrupt.ts";
import { openLastSaved } from "./lastSaved.ts";
import type { Link } from "./link.ts";
import { kindOf } from "./log.ts";
import type { Menu } from "./menu.ts";
import type { ModelStore } from "./model.ts";
import { inform, warn } from "./notify.ts";
import type { Pause } from "./pause.ts";
import type { ReconnectPorts } from "./reconnect.ts";
import type { Review } from "./review.ts";
import type { Then } from "./then.ts";
import type { Undo } from "./undo.ts";
import { actOf, type Choice } from "./words/choices.ts";
import { doctorText } from "./words/doctor.ts";
import { say } from "./words/say.ts";
import type { Worker } from "./worker.ts";

export type CommandPorts = ReconnectPorts & {
  readonly store: DisposableStore;
  readonly log: LogOutputChannel;
  readonly acts: Acts;
  readonly menu: Menu;
  readonly undo: Undo;
  readonly then: Then;
  readonly review: Review;
  readonly pause: Pause;
  readonly documents: Documents;
  readonly worker: Worker;
  readonly version: string;
};

type Handler = (argument: unknown) => Promise<void> | void;

/** One row for each command; one loop registers them. An argument is an agent's id, from a link or a menu. */
export function registerCommands(ports: CommandPorts): void {
  const { store, log, link, model, terminals, acts, menu, undo, then, review, pause, documents, worker } = ports;
  const withAgent =
    (title: string, call: (agent: AgentView) => Promise<void>, fits?: (agent: AgentView) => boolean): Handler =>
    async (argument) => {
      const agent = await agentFor(model, argument, title, fits);
      if (agent !== undefined) await call(agent);
    };
  /** A click outside the question: it is asked once more. */
  const act = (choice: Choice): Handler =>
    withAgent(
      titles[choice],
      async (agent) => {
        await acts.approve(agent, actOf(choice), "menu");
      },
      isHere,
    );
  const hasReset = ({ reset }: AgentView): boolean => reset !== undefined;
  const table: Readonly<Record<CommandName, Handler>> = {
    showAgents: () => menu.open(),
    reset: act("reset"),
    resetContinue: act("resetContinue"),
    resetStop: act("resetStop"),
    resetThen: withAgent(titles.resetThen, then.open, isHere),
    review: act("review"),
    compact: act("compact"),
    save: act("save"),
    openLastSaved: withAgent(titles.openLastSaved, (agent) => openLastSaved(link, log, agent)),
    undo: () => undo.pick(),
    interrupt: withAgent(titles.interrupt, (agent) => interrupt(link, agent), isHere),
    allowSaving: withAgent(titles.allowSaving, (agent) => allowSaving(link, agent), isClaude),
    check: withAgent(titles.check, (agent) => check(link, documents, agent)),
    bind: withAgent(titles.bind, (agent) => bind(link, agent)),
    reconnect: withAgent(titles.reconnect, (agent) => later(ports, agent), isUnseen),
    pause: () => pause.set(true),
    resume: () => pause.set(false),
    changeLine: () => changeLine(log, model),
    doctor: () => doctor(link, documents, model, ports.version),
    showLog: () => log.show(),
    restartWorker: () => worker.restart(),
    sendThen: () => then.send(),
    discardThen: () => then.discard(),
    showTerminal: withAgent(titles.showTerminal, ({ instanceId }) => showTerminal(model, terminals, instanceId)),
    cancel: withAgent(titles.cancel, ({ instanceId }) => acts.cancel(instanceId), hasReset),
    report: withAgent(titles.report, (agent) => report(link, documents, agent), hasReset),
    clearNow: withAgent(titles.clearNow, review.clearNow, hasReset),
  };
  const register = (name: CommandName) =>
    commands.registerCommand(commandId(name), async (argument: unknown) => {
      try {
        await table[name](argument);
      } catch (error) {
        log.error(`command: ${name} failed (${kindOf(error)})`);
        await window.showErrorMessage(say.commandFailed);
      }
    });
  for (const name of commandNames) store.add(register(name));
}

/** A rare command's code is loaded when it is used. */
async function later(ports: ReconnectPorts, agent: AgentView): Promise<void> {
  const { reconnect } = await import("./reconnect.ts");
  await reconnect(ports, agent);
}

async function doctor(link: Link, documents: Documents, model: ModelStore, version: string): Promise<void> {
  const answer = await link.ask(Doctor, {});
  const report = answer.kind === "answer" ? answer.value.markdown : undefined;
  await documents.open("Plimsoll Doctor", doctorText(model.current(), version, report, Date.now()));
}

async function report(link: Link, documents: Documents, { instanceId, reset }: AgentView): Promise<void> {
  if (reset?.phase !== "needs-reconcile") return inform(say.notUndecided);
  const answer = await link.ask(ReportReset, { instanceId });
  if (answer.kind === "none") await warn(say.noAnswer);
  else await documents.open("Plimsoll Report", answer.value.markdown);
}

const isHere = ({ place }: AgentView): boolean => place === "terminal";
const isUnseen = ({ place, observable }: AgentView): boolean => place === "terminal" && observable.kind === "no";
const isClaude = ({ agent, place }: AgentView): boolean => agent === "claude" && place === "terminal";
