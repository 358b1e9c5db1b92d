import { adapters } from "../agents/registry.ts";
import type { Conversation } from "../core/conversation.ts";
import { conversationOf } from "../core/fold.ts";
import type { Instance } from "../core/instance.ts";
import { nameAgents } from "../core/names.ts";
import { compactionPoint, defaultLineSet, type Judgement, judge, resolveLines } from "../core/pressure.ts";
import { turnOf } from "../core/turn.ts";
import { createDiscover } from "./discovery/discover.ts";
import type { ExtraRoots } from "./discovery/roots.ts";
import { type Environment, known, type Lookup, type Processes, unknown } from "./processes/process.ts";
import { createAgentSettings } from "./transcripts/measureSettings.ts";
import { createTail, type Tail, type TailState } from "./transcripts/tail.ts";

/** One live agent of this machine, measured. */
export type Measured = {
  readonly name: string;
  readonly instance: Instance;
  readonly conversation?: Conversation;
  readonly judgement?: Judgement;
  readonly state: string;
  /** Why it could not be measured. */
  readonly problem?: string;
};

export type MachineOptions = ExtraRoots & {
  readonly processes: Processes | undefined;
  readonly environment: Environment & Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
};

/** Looks for all agents of this user on this machine and measures each; a second look reads only what was appended. */
export function createMachine(options: MachineOptions): () => Promise<Lookup<readonly Measured[]>> {
  const discover = options.processes === undefined ? undefined : createDiscover(options.processes);
  const settingsOf = createAgentSettings();
  const tails = new Map<string, { readonly tail: Tail; last?: TailState }>();
  const resolved = resolveLines({}, options.environment);
  const lines = resolved.kind === "lines" ? resolved.lines : defaultLineSet;

  async function read(instance: Instance): Promise<{ state?: TailState; problem?: string }> {
    const { agent, transcript, configDir } = instance;
    if (transcript === undefined) return {};
    const entry = tails.get(transcript) ?? {
      tail: createTail({ adapter: adapters[agent], path: transcript, root: configDir }),
    };
    tails.set(transcript, entry);
    const result = await entry.tail.read();
    if (result.kind === "read") entry.last = result.state;
    if (result.kind === "gone") return { problem: "its transcript is gone" };
    if (result.kind === "failed") return { problem: `its transcript cannot be read (${result.problem})` };
    return entry.last === undefined ? {} : { state: entry.last };
  }

  async function measure(instance: Instance, name: string): Promise<Measured> {
    const { state, problem } = await read(instance);
    const { agent, configDir, windowEnv } = instance;
    const settings = configDir === undefined ? undefined : await settingsOf(agent, configDir, changes(windowEnv));
    const conversation =
      state &&
      conversationOf(state.fold, {
        now: options.now(),
        humanSearchComplete: state.isWhole,
        records: state.records,
        badLines: state.badLines,
        ...(settings === undefined ? {} : { windowSettings: settings.window }),
      });
    const windowSize = conversation?.window?.size;
    const tokens = conversation?.reading.kind === "measured" ? conversation.reading.tokens : undefined;
    const point = compactionPoint(agent, windowSize, settings?.compaction ?? {});
    const why = problem ?? whyUnbound(instance);
    return {
      name,
      instance,
      state: stateOf(instance, conversation),
      ...(conversation === undefined ? {} : { conversation }),
      ...(tokens === undefined ? {} : { judgement: judge({ tokens, windowSize, compactionPoint: point }, lines) }),
      ...(why === undefined ? {} : { problem: why }),
    };
  }

  return async () => {
    if (discover === undefined) return unknown("this system is not known");
    const found = await discover({ ...options, shells: [], picks: new Map(), wholeMachine: true, now: options.now() });
    if (found.kind !== "known") return found;
    const names = nameAgents(found.value);
    return known(await Promise.all(found.value.map((one) => measure(one, names.get(one.instanceId) ?? one.agent))));
  };
}

/** Only what is set counts: an absent variable must not undo what the settings file says. */
const changes = ({ disable1m, ...sizes }: Instance["windowEnv"]) => ({ ...(disable1m ? { disable1m } : {}), ...sizes });

function stateOf(instance: Instance, conversation: Conversation | undefined): string {
  const turn = turnOf(instance, conversation, undefined);
  return turn.kind === "waiting" ? `waiting: ${turn.waitingFor}` : turn.kind;
}

function whyUnbound({ agent, binding, daemon, candidates }: Instance): string | undefined {
  if (binding === "ambiguous" && agent === "claude") return "another process writes the same conversation";
  if (binding === "ambiguous") return `it may be in any of ${candidates.length} conversations`;
  if (binding !== "none") return undefined;
  return daemon ? "its conversation is known to the Codex daemon only" : "it has named no conversation yet";
}
