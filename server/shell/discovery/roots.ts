import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import type { AgentId } from "../../protocol/agents.ts";
import { ifKnown, real } from "../files.ts";
import type { Environment } from "../processes/process.ts";

export type ExtraRoots = { readonly extraClaudeDirs: readonly string[]; readonly extraCodexHomes: readonly string[] };

const variable = { claude: "CLAUDE_CONFIG_DIR", codex: "CODEX_HOME" } as const;
const folder = { claude: ".claude", codex: ".codex" } as const;

/** Config folder of a process with this environment: real path, or the plain one while it does not exist. */
export async function rootIn(agent: AgentId, environment: Environment, cwd?: string): Promise<string | undefined> {
  const home = environment.HOME || environment.USERPROFILE;
  const named = environment[variable[agent]];
  const path = named ? atHome(named, home ?? "") : home === undefined ? undefined : join(home, folder[agent]);
  if (path === undefined) return undefined;
  if (!isAbsolute(path) && cwd === undefined) return undefined;
  return realOr(resolve(cwd ?? "/", path));
}

/**
 * Config folders worth looking into when a process does not show its environment, and all that Doctor lists: our own
 * environment's, then those of the settings. Real paths, each once.
 */
export async function knownRoots(
  agent: AgentId,
  extra: ExtraRoots,
  environment: Environment,
): Promise<readonly string[]> {
  const own = await rootIn(agent, { HOME: homedir(), ...environment });
  const added = agent === "claude" ? extra.extraClaudeDirs : extra.extraCodexHomes;
  const paths = await Promise.all(added.map((path) => realOr(atHome(path, environment.HOME || homedir()))));
  return [...new Set([...(own === undefined ? [] : [own]), ...paths.filter(isAbsolute)])];
}

/** `~` is what a person writes in a setting; a shell would have replaced it. */
const atHome = (path: string, home: string): string => (/^~(?=$|[\\/])/.test(path) ? join(home, path.slice(1)) : path);

const realOr = async (path: string): Promise<string> => ifKnown(await real(path)) ?? path;
