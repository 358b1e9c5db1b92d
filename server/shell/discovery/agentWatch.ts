import type { Conversation } from "../../core/conversation.ts";
import type { Instance } from "../../core/instance.ts";
import type { Settings } from "../../protocol/settings.ts";
import type { TerminalFacts } from "../../protocol/terminals.ts";
import type { Environment } from "../processes/process.ts";
import type { Watched } from "../watched.ts";
import type { Discover, Shell } from "./discover.ts";

/** What the watch needs of the transcripts: one conversation each, kept up to date. */
export type Transcripts = {
  /** Follows exactly these files from now on. */
  readonly follow: (wanted: readonly Instance[]) => void;
  /** Reads what was appended to this agent's transcript, now. */
  readonly refresh: (instance: Instance) => Promise<void>;
  readonly conversationOf: (instance: Instance) => Conversation | undefined;
  readonly problemOf: (instance: Instance) => string | undefined;
};

export type AgentWatchPorts = {
  readonly discover: Discover;
  readonly transcripts: Transcripts;
  readonly subagents: (instance: Instance) => Promise<Watched["subagents"]>;
  /** Reads the agent's own settings again, where they changed. */
  readonly readSettings: (instance: Instance) => Promise<void>;
  /** Watches files and folders in which an agent's change of state shows at once. */
  readonly watchPaths: (instances: readonly Instance[]) => void;
  readonly terminals: () => readonly TerminalFacts[];
  readonly settings: () => Settings;
  readonly environment: Environment;
  readonly hostPid: number;
  readonly now: () => number;
  readonly changed: () => void;
  readonly gone: (instanceId: string) => void;
  readonly problem: (message: string) => void;
};

/** A clear of ours: when Enter was pressed, and by whom. */
export type OwnClear = { readonly at: number; readonly byPerson: boolean };

export type AgentWatch = {
  /** Looks at all terminals again, soon; calls that fall together become one look. */
  readonly lookSoon: () => void;
  /** Looks at one agent again, processes and transcript, before it answers. */
  readonly lookAgain: (instanceId: string) => Promise<Watched | undefined>;
  readonly all: () => readonly Watched[];
  readonly one: (instanceId: string) => Watched | undefined;
  readonly pick: (instanceId: string, conversationId: string) => void;
  /** Our own clear in this terminal: from now on the newest lock there is its conversation (Codex). */
  readonly clearedAt: (terminalId: string, clear: OwnClear) => void;
};

/** Keeps the list of agents: who runs in which terminal, in which conversation, and how full it is. */
export function createAgentWatch(ports: AgentWatchPorts): AgentWatch {
  let agents: ReadonlyMap<string, Watched> = new Map();
  const picks = new Map<string, string>();
  const cleared = new Map<string, OwnClear>();
  let looking: Promise<void> | undefined;
  let again = false;

  function lookSoon(): void {
    if (looking !== undefined) {
      again = true;
      return;
    }
    looking = look()
      .catch((error) => ports.problem(error instanceof Error ? error.message : String(error)))
      .finally(() => {
        looking = undefined;
        if (!again) return;
        again = false;
        lookSoon();
      });
  }

  async function look(): Promise<void> {
    const shells = ports
      .terminals()
      .flatMap((terminal): Shell[] => shellOf(terminal, cleared.get(terminal.terminalId)));
    const { claudeConfigDirs, codexHomes } = ports.settings();
    const found = await ports.discover({
      shells,
      picks,
      hostPid: ports.hostPid,
      extraClaudeDirs: claudeConfigDirs,
      extraCodexHomes: codexHomes,
      environment: ports.environment,
      now: ports.now(),
    });
    // A failed lookup is no evidence that an agent ended (R16): what was known stays.
    if (found.kind !== "known") return;
    ports.transcripts.follow(found.value);
    ports.watchPaths(found.value);
    const before = agents;
    agents = new Map(
      await Promise.all(found.value.map(async (instance) => [instance.instanceId, await watchedOf(instance)] as const)),
    );
    for (const instanceId of before.keys()) if (!agents.has(instanceId)) ports.gone(instanceId);
    ports.changed();
  }

  async function watchedOf(instance: Instance): Promise<Watched> {
    await Promise.all([ports.transcripts.refresh(instance), ports.readSettings(instance)]);
    return assemble(instance, await ports.subagents(instance));
  }

  function assemble(instance: Instance, subagents: Watched["subagents"]): Watched {
    const conversation = ports.transcripts.conversationOf(instance);
    const problem = ports.transcripts.problemOf(instance);
    const terminal = ports.terminals().find(({ terminalId }) => terminalId === instance.terminalId);
    return {
      instance,
      ...(conversation === undefined ? {} : { conversation }),
      ...(problem === undefined ? {} : { transcriptProblem: problem }),
      subagents,
      ...(terminal === undefined ? {} : { terminal }),
    };
  }

  const fresh = (watched: Watched): Watched => assemble(watched.instance, watched.subagents);

  return {
    lookSoon,
    async lookAgain(instanceId) {
      // A look that is under way may have read before this was asked: the next one counts, and no further one is
      // waited for, because on a busy machine one follows another without an end.
      const underWay = looking;
      lookSoon();
      if (underWay !== undefined) await underWay;
      await looking;
      const watched = agents.get(instanceId);
      return watched === undefined ? undefined : fresh(watched);
    },
    all: () => [...agents.values()].map(fresh),
    one: (instanceId) => {
      const watched = agents.get(instanceId);
      return watched === undefined ? undefined : fresh(watched);
    },
    pick(instanceId, conversationId) {
      picks.set(instanceId, conversationId);
      lookSoon();
    },
    clearedAt: (terminalId, clear) => cleared.set(terminalId, clear),
  };
}

function shellOf({ terminalId, shellPid, titleId }: TerminalFacts, clear: OwnClear | undefined): Shell[] {
  if (shellPid === undefined) return [];
  return [
    {
      terminalId,
      shellPid,
      ...(titleId === undefined ? {} : { titleId }),
      ...(clear === undefined ? {} : { since: clear.at, pressedByPerson: clear.byPerson }),
    },
  ];
}
