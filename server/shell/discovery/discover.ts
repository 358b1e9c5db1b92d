import { join } from "node:path";
import { withoutRivals, withPick } from "../../core/binding.ts";
import type { Instance } from "../../core/instance.ts";
import type { Environment, Lookup, ProcessDetails, Processes, ProcessFacts } from "../processes/process.ts";
import { known } from "../processes/process.ts";
import { type Bound, isClaudeProcess, lookAtClaude } from "./discoverClaude.ts";
import { lookAtCodex } from "./discoverCodex.ts";
import { commandOf } from "./discoverCodexProcess.ts";
import { locksOf } from "./discoverLocks.ts";
import { type Placed, placed } from "./places.ts";
import { createRollouts } from "./rollouts.ts";
import { type ExtraRoots, knownRoots, rootIn } from "./roots.ts";

export type Shell = {
  readonly terminalId: string;
  readonly shellPid: number;
  /** Start of the conversation's id as it stands in the terminal's title now (Codex). */
  readonly titleId?: string;
  /** Epoch ms of our own clear in this terminal, while it is the latest thing that made a conversation there. */
  readonly since?: number;
  /** The person pressed Enter: when is known only by the lock itself, so no other agent may be there that made it. */
  readonly pressedByPerson?: boolean;
};

export type DiscoverRequest = ExtraRoots & {
  readonly shells: readonly Shell[];
  /** Instance id → conversation id, as the person picked. */
  readonly picks: ReadonlyMap<string, string>;
  /** The extension host: an official panel's agents run below it. */
  readonly hostPid?: number;
  /** Every agent of this user on this machine, not only those of the terminals. */
  readonly wholeMachine?: boolean;
  /** Environment of the worker: where an agent does not show its own. */
  readonly environment: Environment;
  /** Epoch ms. */
  readonly now: number;
};

export type Discover = (request: DiscoverRequest) => Promise<Lookup<readonly Instance[]>>;

/**
 * Finds the agents in terminals and ties each to its conversation. `unknown` where the system did not tell: then nothing
 * may be concluded, least of all that an agent ended (R16). Keeps what never changes between calls.
 */
export function createDiscover(processes: Processes): Discover {
  const rollouts = createRollouts();

  async function look(agent: Placed, request: DiscoverRequest): Promise<readonly Found[]> {
    const details = await processes.details(agent.facts.pid);
    if (details.kind === "gone") return [];
    const shown = details.kind === "known" ? details.value : hidden;
    // In a terminal of ours another user's agent is shown; elsewhere it is none of our business.
    if (!shown.own && agent.place !== "terminal") return [];
    const kind = isClaudeProcess(agent.facts) ? "claude" : "codex";
    const roots = await rootsOf(kind, shown, request);
    const process = { facts: agent.facts, details: shown, roots };
    if (kind === "claude") {
      const bound = await lookAtClaude(processes, process);
      return bound === undefined ? [] : [{ ...bound, agent, details: shown, daemon: false, kind }];
    }
    const command = commandOf(agent.facts);
    if (command?.kind !== "terminal") return [];
    const { titleId, since, pressedByPerson = false } = agent.shell ?? {};
    const hints = {
      ...(titleId === undefined ? {} : { titleId }),
      ...(since === undefined ? {} : { since, pressedByPerson }),
    };
    const bound = await lookAtCodex(processes, rollouts, { ...process, ...hints, now: request.now }, command);
    return [{ ...bound, agent, details: shown, kind }];
  }

  return async (request) => {
    const agents = await placed(processes, request);
    if (agents.kind !== "known") return agents;
    const found = (await Promise.all(agents.value.map((agent) => look(agent, request)))).flat();
    const picked = found.map(({ verdict, kind, agent }) =>
      withPick(verdict, request.picks.get(idOf(kind, agent.facts))),
    );
    const verdicts = withoutRivals(picked);
    const instances = found.flatMap((one, at) => {
      const verdict = verdicts[at];
      const instance = verdict === undefined ? undefined : instanceOf(one, verdict);
      return instance === undefined || isStray(instance) ? [] : [instance];
    });
    return known(instances);
  };
}

type Found = Bound & {
  readonly kind: Instance["agent"];
  readonly agent: Placed;
  readonly details: ProcessDetails;
  readonly daemon: boolean;
};

const hidden: ProcessDetails = { own: false, foreignNamespace: false };
const idOf = (kind: Instance["agent"], { pid, birth }: ProcessFacts): string => `${kind}-${pid}-${birth}`;

/** A process that shows its environment has one config folder; for another every known one is possible. */
async function rootsOf(
  kind: Instance["agent"],
  details: ProcessDetails,
  request: DiscoverRequest,
): Promise<readonly string[]> {
  if (!details.own) return [];
  const own = details.environment === undefined ? undefined : await rootIn(kind, details.environment, details.cwd);
  return own === undefined ? knownRoots(kind, request, request.environment) : [own];
}

function instanceOf({ kind, agent, details, about, daemon }: Found, verdict: Bound["verdict"]): Instance {
  const { facts, place, shell } = agent;
  const { transcript, ...rest } = about;
  const isNamed = verdict.conversationId !== undefined;
  return {
    instanceId: idOf(kind, facts),
    agent: kind,
    pid: facts.pid,
    birth: facts.birth,
    ...(facts.startedAt === undefined ? {} : { startedAt: facts.startedAt }),
    ...(shell === undefined ? {} : { terminalId: shell.terminalId }),
    place,
    foreground: facts.tty !== undefined && facts.group === facts.foregroundGroup,
    ...rest,
    ...(isNamed && transcript !== undefined ? { transcript } : {}),
    ...(verdict.conversationId === undefined ? {} : { conversationId: verdict.conversationId }),
    binding: verdict.grade,
    candidates: verdict.candidates,
    daemon,
    windowEnv: windowOf(details.environment ?? {}),
  };
}

/** Below the extension host only sessions of a panel count: anything else there is a tool of some extension. */
const isStray = (instance: Instance): boolean => instance.place === "panel" && instance.binding === "none";

function windowOf(environment: Environment): Instance["windowEnv"] {
  const flag = environment.CLAUDE_CODE_DISABLE_1M_CONTEXT;
  const maxContextTokens = sizeOf(environment.CLAUDE_CODE_MAX_CONTEXT_TOKENS);
  const autoCompactWindow = sizeOf(environment.CLAUDE_CODE_AUTO_COMPACT_WINDOW);
  return {
    disable1m: flag !== undefined && /^(1|true|yes|on)$/i.test(flag.trim()),
    ...(maxContextTokens === undefined ? {} : { maxContextTokens }),
    ...(autoCompactWindow === undefined ? {} : { autoCompactWindow }),
  };
}

function sizeOf(value: string | undefined): number | undefined {
  const size = Number(value?.trim() || Number.NaN);
  return Number.isSafeInteger(size) && size > 0 ? size : undefined;
}

/** Folders whose change means that this agent's state or conversation may have changed; any file in them counts. */
export function watchPaths({ agent, configDir }: Instance): readonly string[] {
  if (configDir === undefined) return [];
  return [agent === "claude" ? join(configDir, "sessions") : locksOf(configDir)];
}
