import { homedir } from "node:os";
import type { TypedEntry } from "../core/humanPrompts.ts";
import type { WorkerOptions } from "../protocol/messages.ts";
import type { Peer } from "../protocol/wire.ts";
import { createDiscover, watchPaths } from "./discovery/discover.ts";
import { createPathWatch } from "./discovery/pathWatch.ts";
import { subagents } from "./discovery/subagents.ts";
import { examine } from "./examine.ts";
import { attachHandlers } from "./handlers.ts";
import { processesHere } from "./processes/here.ts";
import { known } from "./processes/process.ts";
import { prepareReconnect } from "./reset/reconnect.ts";
import { createSaveSteps } from "./reset/saveSteps.ts";
import { ensurePrivateDir } from "./secureFiles.ts";
import { conversationsOf } from "./transcripts/conversations.ts";
import { type AgentSettings, createAgentSettings } from "./transcripts/measureSettings.ts";
import { createTranscripts } from "./transcripts/transcripts.ts";
import { windowReport } from "./windowReport.ts";
import { createWorker, type Worker } from "./worker.ts";

type Log = (level: "info" | "warn", sentence: string) => void;

/** Puts the worker together with this machine: its processes, files, clock and environment. */
export async function composeWorker(peer: Peer, { storageDir, hostPid }: WorkerOptions, log: Log): Promise<Worker> {
  ensurePrivateDir(storageDir);
  const processes = processesHere();
  const self = await processes?.one(process.pid);
  const owner = { pid: process.pid, birth: self?.kind === "known" ? self.value.birth : String(Date.now()) };
  const typed: TypedEntry[] = [];
  const readAgentSettings = createAgentSettings();
  const agentSettings = new Map<string, AgentSettings>();
  const worker = createWorker({
    peer,
    discover: processes === undefined ? async () => known([]) : createDiscover(processes),
    transcripts: (changed) =>
      createTranscripts({
        changed,
        now: Date.now,
        typed: () => typed,
        windowSettings: ({ instanceId }) => ({
          ...agentSettings.get(instanceId)?.window,
          user: worker.host().settings.windowTokens,
        }),
      }),
    subagents: async (instance) => {
      const found = await subagents(instance);
      if (found.kind !== "known") return [{ name: "unknown (its records cannot be read)" }];
      return found.value.map(({ name, startedAt }) => ({ name, since: startedAt }));
    },
    watchPaths: (stir) => {
      const watch = createPathWatch(stir);
      return (instances) => watch.set(instances.flatMap(watchPaths));
    },
    readSettings: async ({ instanceId, agent, configDir, windowEnv }) => {
      if (configDir === undefined) return;
      agentSettings.set(instanceId, await readAgentSettings(agent, configDir, windowEnv));
    },
    compactionOf: ({ instanceId }) => agentSettings.get(instanceId)?.compaction ?? {},
    isAlive: async ({ pid, birth }) => {
      const found = await processes?.one(pid);
      // Unknown is not dead: what may still be alive is not taken over.
      return found === undefined || found.kind === "unknown" || (found.kind === "known" && found.value.birth === birth);
    },
    noteTyped: (entries) => {
      typed.push(...entries);
    },
    saves: createSaveSteps({
      settings: () => worker.host().settings,
      isOurs: (digest) => typed.some((entry) => "digest" in entry && entry.digest === digest),
    }),
    clock: () => performance.now(),
    owner,
    storageDir,
    hostPid,
    environment: process.env,
    platformMeasured: process.platform === "linux",
    now: Date.now,
    log,
  });
  attachHandlers(peer, worker, {
    now: Date.now,
    doctor: async () => {
      const { claudeConfigDirs, codexHomes } = worker.host().settings;
      const { markdown } = await examine({
        processes,
        environment: process.env,
        extraClaudeDirs: claudeConfigDirs,
        extraCodexHomes: codexHomes,
        now: Date.now,
      });
      return `${windowReport(worker, process.env)}\n${markdown}`;
    },
    conversationsFor: async (instanceId) => {
      const watched = worker.watch.one(instanceId);
      if (watched === undefined) return [];
      const options = {
        home: homedir(),
        environment: process.env,
        typed,
        now: Date.now(),
        settings: readAgentSettings,
      };
      return conversationsOf(watched.instance, options);
    },
    reconnect: (instanceId) => prepareReconnect(processes, worker.watch.one(instanceId)),
    log,
  });
  await worker.recover();
  return worker;
}
