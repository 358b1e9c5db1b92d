import type { AgentId } from "../server/protocol/agents.ts";
import type { ModelStore } from "./model.ts";
import type { Terminals } from "./terminals.ts";

/** Tells the terminals where an agent runs: there the screen is kept, elsewhere it is let go. */
export function followAgents(model: ModelStore, terminals: Terminals): void {
  let known = new Map<string, AgentId>();
  model.watch(({ view }) => {
    // Without a worker nothing new is known, and a screen that was let go can't be had again.
    if (view === undefined) return;
    const now = new Map<string, AgentId>();
    for (const { terminalId, agent, place } of view.agents)
      if (terminalId !== undefined && place === "terminal") now.set(terminalId, agent);
    for (const [terminalId, agent] of now) if (known.get(terminalId) !== agent) terminals.agentRuns(terminalId, agent);
    for (const terminalId of known.keys()) if (!now.has(terminalId)) terminals.agentRuns(terminalId, undefined);
    known = now;
  });
}
