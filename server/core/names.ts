import type { AgentId } from "../protocol/agents.ts";

export type Nameable = {
  readonly instanceId: string;
  readonly agent: AgentId;
  /** The terminal's tab. */
  readonly tabName?: string;
  readonly sessionName?: string;
  readonly cwd?: string;
};

/** Names that a terminal has by itself; they tell nothing. */
const generic = /^(bash|zsh|fish|sh|dash|pwsh|powershell|cmd|node|claude|codex|login|terminal|\W*claude code)$/i;

/**
 * One name for each agent: tab name, else session name, else folder; alike names are numbered in order (DESIGN §5).
 * Returns instance id → name.
 */
export function nameAgents(agents: readonly Nameable[]): ReadonlyMap<string, string> {
  const names = agents.map((agent) => ({ id: agent.instanceId, name: ownName(agent) }));
  const total = new Map<string, number>();
  for (const { name } of names) total.set(name, (total.get(name) ?? 0) + 1);
  const used = new Map<string, number>();
  const result = new Map<string, string>();
  for (const { id, name } of names) {
    const number = (used.get(name) ?? 0) + 1;
    used.set(name, number);
    result.set(id, (total.get(name) ?? 0) > 1 ? `${name} ${number}` : name);
  }
  return result;
}

function ownName({ agent, tabName, sessionName, cwd }: Nameable): string {
  if (tabName !== undefined && tabName.trim() !== "" && !generic.test(tabName.trim()))
    return tabName.trim().slice(0, 40);
  if (sessionName !== undefined && sessionName !== "") return sessionName.slice(0, 40);
  const folder = cwd
    ?.split(/[\\/]/)
    .filter((part) => part !== "")
    .at(-1);
  return folder ?? agent;
}
