import type { TypeRefusal } from "../../server/protocol/terminals.ts";
import type { TerminalPort } from "../terminals.ts";
import type { AgentProcesses } from "./agentProcess.ts";
import { type Guard, guardRefusal, openTerminal, pasteRefusal, type Target } from "./standing.ts";
import { shownUpToNow } from "./watch.ts";

type Parts = {
  readonly terminals: TerminalPort;
  readonly processes: AgentProcesses;
  readonly guard: () => Guard;
};

/**
 * Why nothing may be pasted for the person to enter. Where the screen can be seen it has to be an empty box here too; where
 * not, the person looks.
 */
export async function refusalForPerson(
  { terminals, processes, guard }: Parts,
  order: Target,
): Promise<TypeRefusal | undefined> {
  const screen = terminals.terminalOf(order.terminalId)?.screen();
  if (screen?.kind === "mirrored") await shownUpToNow(screen.mirror);
  const forbidden = guardRefusal(guard());
  if (forbidden !== undefined) return forbidden;
  const opened = openTerminal(terminals, order);
  if (opened.kind === "refused") return opened.reason;
  const isGone = processes.isMeasured && processes.birthIn(order.shellPid, order.agentPid) === undefined;
  if (isGone) return "agent-gone";
  return screen?.kind === "mirrored" ? pasteRefusal(screen.mirror, order.agent) : undefined;
}
