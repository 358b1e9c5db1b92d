import { commands, type LogOutputChannel, window } from "vscode";
import { Doctor } from "../server/protocol/messages.ts";
import type { AgentView } from "../server/protocol/view.ts";
import type { Acts } from "./act.ts";
import { bind } from "./bind.ts";
import { changeLine } from "./changeLine.ts";
import { check } from "./check.ts";
import { type CommandName, commandId, commandNames } from "./commandIds.ts";
import type { DisposableStore } from "./disposables.ts";
import type { Documents } from "./documents.ts";
import { agentFor, showTerminal } from "./front.ts";
import type { Link } from "./link.ts";
import { kindOf } from "./log.ts";
import type { Menu } from "./menu.ts";
import type { ModelStore } from "./model.ts";
import type { Pause } from "./pause.ts";
import type { ReconnectPorts } from "./reconnect.ts";
import { doctorText } from "./words/doctor.ts";
import { say } from "./words/say.ts";
import type { Worker } from "./worker.ts";

export type CommandPorts = ReconnectPorts & {
  readonly store: DisposableStore;
  readonly log: LogOutputChannel;
  readonly acts: Acts;
  readonly menu: Menu;
  readonly pause: Pause;
  readonly documents: Documents;
  readonly worker: Worker;
  readonly version: string;
};

type Handler = (argument: unknown) => Promise<void> | void;

/** One row for each command; one loop registers them. An argument is an agent's id, from a link or a menu. */
export function registerCommands(ports: CommandPorts): void {
  const { store, log, link, model, terminals, acts, menu, pause, documents, worker } = ports;
  const withAgent =
    (title: string, call: (agent: AgentView) => Promise<void>, fits?: (agent: AgentView) => boolean): Handler =>
    async (argument) => {
      const agent = await agentFor(model, argument, title, fits);
      if (agent !== undefined) await call(agent);
    };
  const table: Readonly<Record<CommandName, Handler>> = {
    showAgents: () => menu.open(),
    compact: withAgent("Compact Context…", (agent) => acts.approve(agent, "compact", "menu"), isHere),
    clear: withAgent("Clear Context…", (agent) => acts.approve(agent, "clear", "menu"), isHere),
    check: withAgent("Check", (agent) => check(link, documents, agent)),
    bind: withAgent("Bind Terminal to Conversation…", (agent) => bind(link, agent)),
    reconnect: withAgent("Reconnect…", (agent) => later(ports, agent), isUnseen),
    pause: () => pause.set(true),
    resume: () => pause.set(false),
    changeLine: () => changeLine(log, model),
    doctor: () => doctor(link, documents, model, ports.version),
    showLog: () => log.show(),
    restartWorker: () => worker.restart(),
    showTerminal: withAgent("Show Terminal", ({ instanceId }) => showTerminal(model, terminals, instanceId)),
    cancel: withAgent(
      "Cancel",
      ({ instanceId }) => acts.cancel(instanceId),
      ({ reset }) => reset !== undefined,
    ),
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

const isHere = ({ place }: AgentView): boolean => place === "terminal";
const isUnseen = ({ place, observable }: AgentView): boolean => place === "terminal" && observable.kind === "no";
