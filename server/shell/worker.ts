import { type AgentFacts, agentView, type Rules } from "../core/agentView.ts";
import { digestOf } from "../core/digest.ts";
import { agentOf, type Instance, processOf } from "../core/instance.ts";
import { type CompactionSettings, defaultLineSet, resolveLines } from "../core/pressure.ts";
import { evidenceOf } from "../core/reset/evidence.ts";
import type { Event, Order, Reset } from "../core/reset/types.ts";
import { threadTime } from "../core/threadTime.ts";
import { medianTurn, noTurns, noteTurn, type TurnSizes } from "../core/turnSizes.ts";
import type { AgentId, CommandId } from "../protocol/agents.ts";
import { lineText } from "../protocol/lines.ts";
import { Settings } from "../protocol/settings.ts";
import type { Owner } from "../protocol/steps.ts";
import type { View } from "../protocol/view.ts";
import type { Peer } from "../protocol/wire.ts";
import { createAsking } from "./asking.ts";
import { createAgentWatch, type Transcripts } from "./discovery/agentWatch.ts";
import type { Discover } from "./discovery/discover.ts";
import { createNaming } from "./naming.ts";
import type { Environment } from "./processes/process.ts";
import { createPublisher } from "./publish.ts";
import { openClaims } from "./reset/claims.ts";
import { type Asked, gather } from "./reset/gather.ts";
import { openJournal } from "./reset/journal.ts";
import { createPerform } from "./reset/perform.ts";
import { createResets } from "./reset/resets.ts";
import { createSchedule } from "./schedule.ts";
import { type HostFacts, turnOfWatched, type Watched } from "./watched.ts";

export type WorkerPorts = {
  readonly peer: Peer;
  readonly discover: Discover;
  readonly transcripts: (changed: () => void) => Transcripts;
  readonly subagents: (instance: Instance) => Promise<Watched["subagents"]>;
  readonly watchPaths: (stir: () => void) => (instances: readonly Instance[]) => void;
  readonly readSettings: (instance: Instance) => Promise<void>;
  readonly compactionOf: (instance: Instance) => CompactionSettings;
  /** Our own line was submitted: it is not the person's (R53). */
  readonly noteTyped: (agent: AgentId, command: CommandId, at: number) => void;
  readonly isAlive: (owner: Owner) => Promise<boolean>;
  readonly owner: Owner;
  readonly storageDir: string;
  readonly hostPid: number;
  readonly environment: Environment & Readonly<Record<string, string | undefined>>;
  readonly platformMeasured: boolean;
  readonly now: () => number;
  readonly log: (level: "info" | "warn", sentence: string) => void;
};

export type Worker = ReturnType<typeof createWorker>;

/** While a reset is open its clock is looked at this often, else only for long turns, ms. */
const tickMs = 500;

/** The brain, put together: what the host tells goes in, the view and orders go out. Holds state, takes no decision. */
export function createWorker(ports: WorkerPorts) {
  let host: HostFacts = {
    settings: Settings.parse({}),
    settingProblems: [],
    window: { trusted: false, paused: false },
    terminals: [],
  };
  let turns: TurnSizes = noTurns;
  /** What a dead worker left unreadable; said once and kept in view. */
  let unreadable: readonly string[] = [];
  const approvals = new Map<string, string>();
  const journal = openJournal(ports.storageDir, ports.owner);
  const claims = openClaims(ports.storageDir, ports.owner, ports.isAlive);
  const publisher = createPublisher(ports.peer, view, warn);

  const watch = createAgentWatch({
    discover: ports.discover,
    transcripts: ports.transcripts(changed),
    subagents: ports.subagents,
    readSettings: ports.readSettings,
    watchPaths: ports.watchPaths(() => watch.lookSoon()),
    terminals: () => host.terminals,
    settings: () => host.settings,
    environment: ports.environment,
    hostPid: ports.hostPid,
    now: ports.now,
    changed,
    gone: (instanceId) => resets.dispatch(instanceId, { kind: "agent-gone", at: ports.now() }),
    problem: warn,
  });
  const schedule = createSchedule(watch.lookSoon, () => host.terminals.length > 0);
  const gatherFacts = (asked: Asked) =>
    gather(
      {
        peer: ports.peer,
        now: ports.now,
        host: () => ({ ...host, settingProblems: settingProblems() }),
        lookAgain: watch.lookAgain,
        claimedElsewhere: claims.heldElsewhere,
        journalProblem: journal.problem,
        platformMeasured: ports.platformMeasured,
      },
      asked,
    );
  const resets = createResets({
    record: journal.append,
    perform: createPerform({
      peer: ports.peer,
      now: ports.now,
      gather: gatherFacts,
      watched: watch.one,
      nameOf: (instanceId) => naming.nameOf(instanceId),
      claim: claims.take,
      release: claims.release,
      approvalUsed: (order) => approvals.get(order.approvalId) !== order.resetId,
      shellPidOf: (terminalId) => host.terminals.find((one) => one.terminalId === terminalId)?.shellPid,
    }),
    changed: (instanceId) => {
      const state = resets.stateOf(instanceId);
      ports.log("info", `reset: ${instanceId} is ${state.phase}`);
      if (state.phase === "confirming" || state.phase === "handed-over") pressed(instanceId);
      publisher.soon();
    },
    problem: warn,
  });
  const asking = createAsking({ agents, rules, now: ports.now });
  const ticker = setInterval(tick, tickMs);
  ticker.unref();

  function warn(message: string): void {
    ports.log("warn", message);
    publisher.soon();
  }

  function settingProblems(): readonly string[] {
    const lines = resolveLines(host.settings, ports.environment);
    return lines.kind === "problem" ? [...host.settingProblems, lines.problem] : host.settingProblems;
  }

  function rules(): Rules {
    const lines = resolveLines(host.settings, ports.environment);
    return {
      lines: lines.kind === "lines" ? lines.lines : defaultLineSet,
      mode: host.settings.mode,
      platformMeasured: ports.platformMeasured,
      longTurnMs: host.settings.longTurnMinutes * 60_000,
    };
  }

  const naming = createNaming(watch.all, () => host.terminals);

  function agents(): readonly AgentFacts[] {
    const named = naming.names();
    return watch.all().map((watched) => ({
      instance: watched.instance,
      name: named.get(watched.instance.instanceId) ?? watched.instance.agent,
      ...(watched.conversation === undefined ? {} : { conversation: watched.conversation }),
      ...(watched.transcriptProblem === undefined ? {} : { transcriptProblem: watched.transcriptProblem }),
      turn: turnOfWatched(watched),
      subagents: watched.subagents,
      ...(watched.terminal === undefined ? {} : { terminal: watched.terminal }),
      reset: resets.stateOf(watched.instance.instanceId),
      compaction: ports.compactionOf(watched.instance),
    }));
  }

  /** A Codex clear shows at first only by a lock that is born now (DESIGN §5 *birth*). */
  function pressed(instanceId: string): void {
    const state = resets.stateOf(instanceId);
    const { terminalId, agent } = watch.one(instanceId)?.instance ?? {};
    if (state.phase === "confirming" && agent !== undefined)
      ports.noteTyped(agent, state.order.command, state.pressedAt);
    if (state.phase === "confirming" && state.order.command === "clear" && terminalId !== undefined)
      watch.clearedAt(terminalId, { at: state.pressedAt, byPerson: false });
    schedule.stir();
  }

  /** The person's Enter shows by a thread born after the line was pasted for them. */
  function noticePersonsClear({ instance }: Watched, state: Reset): void {
    if (state.phase !== "handed-over" || state.order.command !== "clear" || instance.terminalId === undefined) return;
    const births = instance.candidates.map((id) => threadTime(id) ?? 0).filter((at) => at >= state.since);
    if (births.length > 0) watch.clearedAt(instance.terminalId, { at: Math.min(...births), byPerson: true });
  }

  /** Something on disk or in the window changed: what is open is told, then shown. */
  function changed(): void {
    for (const instanceId of resets.open()) {
      const state = resets.stateOf(instanceId);
      const watched = watch.one(instanceId);
      if (state.phase === "none" || watched === undefined) continue;
      noticePersonsClear(watched, state);
      const { instance, conversation } = watched;
      const seen = {
        ...(instance.conversationId === undefined ? {} : { conversationId: instance.conversationId }),
        ...(conversation === undefined ? {} : { conversation }),
        turn: turnOfWatched(watched),
      };
      const digest = digestOf(lineText(instance.agent, state.order.command));
      const evidence =
        "before" in state ? evidenceOf(state.order, state.before, digest, seen) : ({ kind: "nothing" } as const);
      resets.dispatch(instanceId, {
        kind: "observed",
        at: ports.now(),
        evidence,
        compactions: conversation?.compactions ?? 0,
      });
    }
    for (const { instance, conversation, turn } of agents())
      turns = noteTurn(turns, instance.instanceId, conversation, turn);
    asking.update();
    publisher.soon();
  }

  function tick(): void {
    const at = ports.now();
    const open = resets.open();
    for (const instanceId of open) resets.dispatch(instanceId, { kind: "tick", at });
    // An undecided one waits for evidence like any agent: it is looked at when something happens.
    if (open.some((instanceId) => resets.stateOf(instanceId).phase !== "needs-reconcile")) watch.lookSoon();
  }

  function view(): View {
    const current = rules();
    const question = asking.view();
    const unwritable = journal.problem();
    const median = medianTurn(turns);
    return {
      agents: agents().map((agent) => agentView(agent, current, asking.quietUntil(agent))),
      ...(question === undefined ? {} : { question }),
      paused: host.window.paused,
      ...(median === undefined ? {} : { medianTurnTokens: median }),
      problems: [...settingProblems(), ...(unwritable === undefined ? [] : [unwritable]), ...unreadable],
    };
  }

  return {
    watch,
    resets,
    journal,
    agents,
    rules,
    gather: gatherFacts,
    host: () => host,
    tell(change: Partial<HostFacts>): void {
      const stirs = change.terminals !== undefined || change.settings !== undefined;
      host = { ...host, ...change };
      if (stirs) schedule.stir();
      changed();
    },
    approve(order: Order): void {
      approvals.set(order.approvalId, order.resetId);
      resets.dispatch(order.instanceId, { kind: "approved", at: ports.now(), order });
      asking.update();
      publisher.soon();
    },
    wasUsed: (approvalId: string) => approvals.has(approvalId),
    dispatch: (instanceId: string, event: Event) => resets.dispatch(instanceId, event),
    snooze(instanceId: string, questionId: string | undefined): void {
      asking.snooze(instanceId, questionId);
      publisher.soon();
    },
    /** Takes over what a dead worker left open. */
    async recover(): Promise<void> {
      const { resets: found, submitted, problems } = journal.recover(ports.now());
      unreadable = problems;
      for (const { instanceId, command, at } of submitted) ports.noteTyped(agentOf(instanceId), command, at);
      for (const { instanceId, state, owner } of found)
        if (state.phase !== "none" && !(await ports.isAlive(owner))) {
          resets.restore(instanceId, state, ports.now());
          if (!(await ports.isAlive(processOf(instanceId))))
            resets.dispatch(instanceId, { kind: "agent-gone", at: ports.now() });
        }
    },
    dispose(): void {
      clearInterval(ticker);
      schedule.dispose();
      publisher.dispose();
    },
  };
}
