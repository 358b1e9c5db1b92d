import type { AgentView } from "../../server/protocol/view.ts";
import { share, size, spokenSize } from "./amounts.ts";

/**
 * The figure of one agent, short. A figure that is not certain has a mark: `~` estimate, `?` unusual, `≤` the largest of
 * several conversations it may be.
 */
export function figure(agent: AgentView): string {
  const { reading, percent } = agent;
  switch (reading.kind) {
    case "none-yet":
      return "no reading yet";
    case "unmeasured":
      return percent === undefined ? "not measured" : `${share(percent)}, tokens not measured`;
    case "compacted-unknown":
      return "compacted, no figure yet";
    case "measured":
      return percent === undefined ? tokensOf(agent) : `${tokensOf(agent)} · ${share(percent)}`;
  }
}

/** The tokens alone, with their mark; else the percentage; else words. */
export function shortFigure(agent: AgentView): string {
  if (agent.reading.kind === "measured") return tokensOf(agent);
  return agent.percent === undefined ? figure(agent) : share(agent.percent);
}

/** The same in words that can be read aloud. */
export function spokenFigure(agent: AgentView): string {
  const { reading, percent } = agent;
  const part = percent === undefined ? "" : `, ${Math.ceil(percent)} percent of its window`;
  switch (reading.kind) {
    case "none-yet":
      return "no reading yet";
    case "unmeasured":
      return percent === undefined
        ? "not measured"
        : `${Math.ceil(percent)} percent of its window, tokens not measured`;
    case "compacted-unknown":
      return "compacted, no figure yet";
    case "measured":
      return `${certainty(agent)}${spokenSize(reading.tokens)} tokens${part}`;
  }
}

function tokensOf(agent: AgentView): string {
  const { reading, binding } = agent;
  if (reading.kind !== "measured") return "";
  const before = binding === "ambiguous" ? "≤" : "";
  return `${before}${reading.estimate ? "~" : ""}${size(reading.tokens)}${reading.suspect ? "?" : ""}`;
}

function certainty({ reading, binding }: AgentView): string {
  if (reading.kind !== "measured") return "";
  const most = binding === "ambiguous" ? "at most " : "";
  if (reading.suspect) return `${most}perhaps `;
  return reading.estimate ? `${most}about ` : most;
}
