import type { Settings } from "../../server/protocol/settings.ts";
import type { AgentView } from "../../server/protocol/view.ts";

/** What a click can lead to for one agent, as far as the window knows. The worker's gates decide. */
export type Typing = "types" | "pastes" | "gauge" | "paused" | "not-here";

export function typingFor(agent: AgentView, mode: Settings["mode"], paused: boolean): Typing {
  if (mode === "gauge") return "gauge";
  if (agent.place !== "terminal" || agent.terminalId === undefined) return "not-here";
  if (paused) return "paused";
  return agent.observable.kind === "yes" ? "types" : "pastes";
}

export const canAct = (typing: Typing): boolean => typing === "types" || typing === "pastes";

export const isBusy = ({ turn, queued, subagents }: AgentView): boolean =>
  turn.kind === "working" || turn.kind === "tool-pending" || queued > 0 || subagents.length > 0;
