import { window } from "vscode";
import type { AgentView } from "../server/protocol/view.ts";
import type { ModelStore } from "./model.ts";
import { inform, warn } from "./notify.ts";
import type { Terminals } from "./terminals.ts";
import { figure } from "./words/figure.ts";
import { byFullness, findAgent, nameOf, productOf } from "./words/fullness.ts";
import { say } from "./words/say.ts";

/** Brings an agent's terminal to the front; says so when it has none here. */
export async function showTerminal(model: ModelStore, terminals: Terminals, instanceId: string): Promise<void> {
  const agent = findAgent(model.current().view, instanceId);
  const found = agent?.terminalId === undefined ? undefined : terminals.terminalOf(agent.terminalId);
  if (found !== undefined) found.terminal.show();
  else await inform(agent === undefined ? say.agentGone : say.noTerminal);
}

/** The agent a command means: the one it was given, the one of the terminal in front, the only one, else a pick. */
export async function agentFor(
  model: ModelStore,
  argument: unknown,
  title: string,
  fits: (agent: AgentView) => boolean = () => true,
): Promise<AgentView | undefined> {
  const { view, frontTerminalId, worker } = model.current();
  if (worker.kind !== "running") {
    await warn(say.workerDown);
    return undefined;
  }
  const agents = byFullness(view?.agents ?? []);
  if (typeof argument === "string") {
    const named = agents.find(({ instanceId }) => instanceId === argument);
    if (named === undefined) await inform(say.agentGone);
    return named;
  }
  const fitting = agents.filter(fits);
  const front = fitting.find(({ terminalId }) => terminalId !== undefined && terminalId === frontTerminalId);
  if (front !== undefined) return front;
  if (fitting.length < 2) {
    if (fitting[0] === undefined) await inform(agents.length === 0 ? say.noAgents : say.noneFits);
    return fitting[0];
  }
  const rows = fitting.map((agent) => ({
    label: nameOf(agent, 40),
    description: `${productOf(agent)} · ${figure(agent)}`,
    agent,
  }));
  return (await window.showQuickPick(rows, { title, placeHolder: say.whichAgent, matchOnDescription: true }))?.agent;
}
