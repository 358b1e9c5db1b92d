import { agentOf } from "../core/instance.ts";
import { nameAgents } from "../core/names.ts";
import type { TerminalFacts } from "../protocol/terminals.ts";
import type { Watched } from "./watched.ts";

export type Naming = {
  /** Instance id → name, of every agent that is there. */
  readonly names: () => ReadonlyMap<string, string>;
  /** What one agent is called, or was: its reset may end after it. */
  readonly nameOf: (instanceId: string) => string;
};

/** Names the agents in the order of their terminals: one that is started anew in its terminal keeps its number. */
export function createNaming(all: () => readonly Watched[], terminals: () => readonly TerminalFacts[]): Naming {
  let last: ReadonlyMap<string, string> = new Map();
  const gone = new Map<string, string>();

  function names(): ReadonlyMap<string, string> {
    const places = terminals().map(({ terminalId }) => terminalId);
    const placeOf = ({ terminal }: Watched) => {
      const place = places.indexOf(terminal?.terminalId ?? "");
      return place < 0 ? places.length : place;
    };
    const inOrder = [...all()].sort((a, b) => placeOf(a) - placeOf(b));
    const now = nameAgents(
      inOrder.map(({ instance, terminal }) => ({
        instanceId: instance.instanceId,
        agent: instance.agent,
        ...(terminal === undefined ? {} : { tabName: terminal.name }),
        ...(instance.sessionName === undefined ? {} : { sessionName: instance.sessionName }),
        ...(instance.cwd === undefined ? {} : { cwd: instance.cwd }),
      })),
    );
    for (const [instanceId, name] of last) if (!now.has(instanceId)) gone.set(instanceId, name);
    last = now;
    return now;
  }

  return {
    names,
    nameOf: (instanceId) => names().get(instanceId) ?? gone.get(instanceId) ?? agentOf(instanceId),
  };
}
