import { type CancellationToken, ProgressLocation, type Terminal, window } from "vscode";
import { PrepareReconnect } from "../server/protocol/messages.ts";
import type { AgentView } from "../server/protocol/view.ts";
import type { Link } from "./link.ts";
import type { Model, ModelStore } from "./model.ts";
import { inform, warn } from "./notify.ts";
import type { Terminals } from "./terminals.ts";
import type { Typist } from "./typist.ts";
import { refusedWords } from "./words/outcome.ts";
import { resumeCommand, reconnectWords as words } from "./words/reconnect.ts";
import { say } from "./words/say.ts";

const endWithinMs = 2 * 60_000;
const seenWithinMs = 20_000;
/** The shell writes its prompt before it reads a command. */
const promptMs = 700;

export type ReconnectPorts = {
  readonly link: Link;
  readonly model: ModelStore;
  readonly terminals: Terminals;
  readonly typist: Typist;
};

/**
 * Ends an agent whose prompt box can't be seen and resumes its conversation in the same terminal, which brings the view of
 * the box back. The person presses Enter; the command runs only when the agent's process is gone.
 */
export async function reconnect({ link, model, terminals, typist }: ReconnectPorts, agent: AgentView): Promise<void> {
  const prepared = await link.ask(PrepareReconnect, { instanceId: agent.instanceId });
  if (prepared.kind === "none") return warn(say.noAnswer);
  if (prepared.value.outcome === "refused")
    return warn(refusedWords(agent.name, "reconnect", prepared.value.reason, prepared.value.remedy));
  const { terminalId, conversationId, arguments: args } = prepared.value;
  const command = resumeCommand(prepared.value.agent, conversationId, args);
  const options = { modal: true, detail: words.askDetail(agent, command) };
  if ((await window.showInformationMessage(words.ask(agent), options, words.button)) === undefined) return;

  const found = terminals.terminalOf(terminalId);
  const shellPid = found?.shellPid();
  const terminal = window.terminals.find((one) => one === found?.terminal);
  if (found === undefined || shellPid === undefined || terminal === undefined) return warn(words.notPasted(agent));
  const { pasted } = await typist.pasteExit({ terminalId, agent: agent.agent, agentPid: agent.pid, shellPid });
  if (!pasted) return warn(words.notPasted(agent));

  const isSeen = (now: Model) =>
    now.view?.agents.some((one) => one.terminalId === terminalId && one.observable.kind === "yes") === true;
  const message = await window.withProgress(
    { location: ProgressLocation.Notification, title: words.progress(agent), cancellable: true },
    async (progress, token) => {
      progress.report({ message: words.waiting(agent) });
      const ended = await until(model, (now) => isGone(now, agent), endWithinMs, token);
      if (ended === "cancelled") return words.cancelled(agent);
      if (ended === "late")
        return model.current().worker.kind === "running" ? words.late(agent) : words.workerDown(agent, command);
      progress.report({ message: words.resuming });
      await new Promise((resolve) => setTimeout(resolve, promptMs));
      if (!isGone(model.current(), agent) || !isShellFree(model.current(), terminalId)) return words.late(agent);
      if (!runs(terminal, command)) return words.byHand(agent, command);
      const seen = await until(model, isSeen, seenWithinMs, token);
      return seen === "yes" ? words.done(agent) : words.notSeen(agent, command);
    },
  );
  await inform(message);
}

/** Two witnesses: the worker no longer lists the agent, and the process is not there. */
function isGone({ worker, view }: Model, { instanceId, pid }: AgentView): boolean {
  if (worker.kind !== "running" || view === undefined) return false;
  return !view.agents.some((agent) => agent.instanceId === instanceId) && !isAlive(pid);
}

const isShellFree = ({ view }: Model, terminalId: string): boolean =>
  view?.agents.every((agent) => agent.terminalId !== terminalId) === true;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Only "no such process" says that it is gone.
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

/** `executeCommand` interrupts whatever runs in the terminal first: only for a shell that waits. */
function runs(terminal: Terminal, { executable, args }: ReturnType<typeof resumeCommand>): boolean {
  if (terminal.shellIntegration === undefined || terminal.exitStatus !== undefined) return false;
  terminal.shellIntegration.executeCommand(executable, [...args]);
  return true;
}

function until(
  model: ModelStore,
  holds: (now: Model) => boolean,
  withinMs: number,
  token: CancellationToken,
): Promise<"yes" | "late" | "cancelled"> {
  return new Promise((resolve) => {
    const look = () => {
      if (holds(model.current())) end("yes");
    };
    const watch = model.watch(look);
    // The process may end a moment after the worker stopped listing it.
    const again = setInterval(look, 300);
    const late = setTimeout(() => end("late"), withinMs);
    const cancel = token.onCancellationRequested(() => end("cancelled"));
    function end(how: "yes" | "late" | "cancelled") {
      clearInterval(again);
      clearTimeout(late);
      watch.dispose();
      cancel.dispose();
      resolve(how);
    }
    look();
  });
}
