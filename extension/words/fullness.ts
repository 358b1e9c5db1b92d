import type { AgentView, View } from "../../server/protocol/view.ts";
import { plain } from "./plain.ts";

/** How full, relative to the hard line: 1 is at it. Undefined: not known. */
function fullness({ reading, lines, percent, pressure }: AgentView): number | undefined {
  const shares: number[] = [];
  if (reading.kind === "measured" && lines.hard !== undefined) shares.push(reading.tokens / lines.hard);
  if (percent !== undefined) shares.push(percent / lines.hardPercent);
  if (shares.length === 0) return undefined;
  const most = Math.max(...shares);
  // Its own compaction point may put the line lower than the figures alone.
  return pressure === "full" ? Math.max(1, most) : most;
}

/** ● is over the line, ◕ near it, so that neither needs a colour; below, by quarters. */
export function glyph(agent: AgentView): string | undefined {
  const full = fullness(agent);
  if (full === undefined) return undefined;
  if (isOver(agent) || full >= 1) return "●";
  if (agent.pressure === "selective") return "◕";
  if (full >= 0.5) return "◑";
  return full >= 0.25 ? "◔" : "○";
}

/** The same for a list, where every agent has to have one. */
export function symbol(agent: AgentView): string {
  const hasNoFigure = agent.reading.kind === "none-yet" || agent.reading.kind === "compacted-unknown";
  return glyph(agent) ?? (hasNoFigure ? "○" : "?");
}

export const nameOf = (agent: AgentView, max = 24): string => plain(agent.name, max) || agent.agent;

export const productOf = ({ agent }: Pick<AgentView, "agent">): string =>
  agent === "claude" ? "Claude Code" : "Codex";

/** Over the line that asks. */
export const isOver = ({ pressure, breach }: AgentView): boolean => pressure === "full" || breach;

export const findAgent = (view: View | undefined, instanceId: string): AgentView | undefined =>
  view?.agents.find((agent) => agent.instanceId === instanceId);

/** The agent of the terminal in front, else the fullest. */
export function chosenAgent(agents: readonly AgentView[], frontTerminalId: string | undefined): AgentView | undefined {
  const front = agents.find(({ terminalId }) => terminalId !== undefined && terminalId === frontTerminalId);
  return front ?? byFullness(agents)[0];
}

export const byFullness = (agents: readonly AgentView[]): AgentView[] =>
  [...agents].sort((a, b) => (fullness(b) ?? -1) - (fullness(a) ?? -1));
