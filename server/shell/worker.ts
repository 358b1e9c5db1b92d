import { type AgentFacts, agentView, type Rules } from "../core/agentView.ts";
import type { TypedEntry } from "../core/humanPrompts.ts";
import { agentOf, type Instance, processOf } from "../core/instance.ts";
import { type CompactionSettings, defaultLineSet, resolveLines } from "../core/pressure.ts";
import { submissionOf, submittedOf } from "../core/reset/journalled.ts";
import type { Event, Order, Reset } from "../core/reset/types.ts";
import { type Ability, abilityOf } from "../core/save/ability.ts";
import { threadTime } from "../core/threadTime.ts";
import { medianTurn, noTurns, noteTurn, type TurnSizes } from "../core/turnSizes.ts";
import type { PastClear } from "../protocol/messages.ts";
import { Settings } from "../protocol/settings.ts";
import type { Owner } from "../protocol/steps.ts";
import type { View } from "../protocol/view.ts";
import type { Peer } from "../protocol/wire.ts";
import { parseWorkflows } from "../workflows/index.ts";
import { createAsking } from "./asking.ts";
import { createAgentWatch, type Transcripts } from "./discovery/agentWatch.ts";
import type { Discover } from "./discovery/discover.ts";
import { createEscapes } from "./escapes.ts";
import { createNaming } from "./naming.ts";
import type { Environment } from "./processes/process.ts";
import { createPublisher } from "./publish.ts";
import { openClaims } from "./reset/claims.ts";
import { type Asked, gather } from "./reset/gather.ts";
import { openJournal } from "./reset/journal.ts";
import { journalReport } from "./reset/journalReport.ts";
import { observedOf } from "./reset/observe.ts";
import { createPerform } from "./reset/perform.ts";
import { createResets } from "./reset/resets.ts";
import type { SaveSteps } from "./reset/saveSteps.ts";
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
  readonly noteTyped: (entries: readonly TypedEntry[]) => void;
  readonly saves: SaveSteps;
  /** Monotonic, ms. */
  readonly clock: () => number;
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

/** The workflow of a folder that names none. */
const usualWorkflow = "state-file";

/** While a reset is open its clock is looked at this often, else only for long turns, ms. */
const tickMs = 250;

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
  const escapes = createEscapes();
  /** Agents that were here and ended. */
  const gone = new Set<string>();
  let heardAt = ports.now();
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
    gone(instanceId) {
      gone.add(instanceId);
      resets.dispatch(instanceId, { kind: "agent-gone", at: ports.now() });
    },
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
        saves: ports.saves,
        hostHeardAt: () => heardAt,
      },
      asked,
    );
  const resets = createResets({
    record: journal.append,
    perform: createPerform({
      peer: ports.peer,
      now: ports.now,
      clock: ports.clock,
      gather: gatherFacts,
      lookAgain: watch.lookAgain,
      saves: ports.saves,
      log: (sentence) => ports.log("info", sentence),
      watched: watch.one,
      nameOf: (instanceId) => naming.nameOf(instanceId),
      claim: claims.take,
      holdsClaim: claims.held,
      release: claims.release,
      approvalUsed: (order) => approvals.get(order.approvalId) !== order.resetId,
      shellPidOf: (terminalId) => host.terminals.find((one) => one.terminalId === terminalId)?.shellPid,
    }),
    taken,
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
      ability: abilityNow(watched),
      ...(host.settings.workflow === usualWorkflow ? {} : { workflow: host.settings.workflow }),
    }));
  }

  function abilityNow(watched: Watched): Ability {
    const turn = turnOfWatched(watched);
    if (turn.kind === "error" && turn.overflow) return { kind: "too-full" };
    return abilityOf(watched.conversation?.permission, ports.saves.isAllowed(watched.instance));
  }

  /** Before the step is written down: after a look at the key nothing may hold it up. */
  function taken(instanceId: string, from: Reset, to: Reset): void {
    const agent = agentOf(instanceId);
    ports.noteTyped(submittedOf(agent, from, to));
    if (from.phase !== to.phase) ports.log("info", `reset: ${instanceId} is ${to.phase}`);
    const is = submissionOf(to);
    publisher.soon();
    if (is === undefined || (is.step !== "proof" && is.step !== "handed") || is.step === submissionOf(from)?.step)
      return;
    // A Codex clear shows at first only by a lock that is born now (DESIGN §5 *birth*).
    const terminalId = watch.one(instanceId)?.instance.terminalId;
    if (is.step === "proof" && is.line.kind === "clear" && terminalId !== undefined)
      watch.clearedAt(terminalId, { at: is.pressedAt, byPerson: false });
    schedule.stir();
  }

  /** The person's Enter shows by a thread born after the line was pasted for them. */
  function noticePersonsClear({ instance }: Watched, state: Reset): void {
    const under = submissionOf(state);
    if (under?.step !== "handed" || under.line.kind !== "clear" || instance.terminalId === undefined) return;
    const births = instance.candidates.map((id) => threadTime(id) ?? 0).filter((at) => at >= under.since);
    if (births.length > 0) watch.clearedAt(instance.terminalId, { at: Math.min(...births), byPerson: true });
  }

  /** Something on disk or in the window changed: what is open is told, then shown. */
  function changed(): void {
    for (const instanceId of resets.open()) {
      const state = resets.stateOf(instanceId);
      const watched = watch.one(instanceId);
      if (state.phase === "none" || watched === undefined) continue;
      noticePersonsClear(watched, state);
      resets.dispatch(instanceId, observedOf(watched, state, ports.now()));
    }
    for (const { instance, turn } of agents()) escapes.saw(instance.instanceId, turn.kind, ports.now());
    for (const { instance, conversation, turn } of agents())
      turns = noteTurn(turns, instance.instanceId, conversation, turn);
    asking.update();
    publisher.soon();
  }

  function tick(): void {
    const at = ports.now();
    const open = resets.open();
    for (const instanceId of open) {
      resets.dispatch(instanceId, { kind: "tick", at });
      // What waited for the window's answer when the agent ended is told again once that is there.
      if (gone.has(instanceId) && watch.one(instanceId) === undefined)
        resets.dispatch(instanceId, { kind: "agent-gone", at });
    }
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
      problems: [
        ...settingProblems(),
        ...parseWorkflows(host.settings.workflows).problems,
        ...(unwritable === undefined ? [] : [unwritable]),
        ...unreadable,
      ],
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
    /** The window was heard: its heartbeat, or anything else. */
    heard(): void {
      heardAt = ports.now();
    },
    escapes,
    /** The steps of the open reset of an agent. */
    report(instanceId: string): string {
      const state = resets.stateOf(instanceId);
      return state.phase === "none"
        ? "Nothing is open for this agent.\n"
        : journalReport(ports.storageDir, instanceId, state.order.resetId);
    },
    /** Every clear in the log; `inPlace`: its agent still runs here and is in no other reset. */
    pastClears: (): PastClear[] =>
      journal.pastClears().map(({ instanceId, resetId, at, oldConversationId, beforeTokens, cwd }) => ({
        instanceId,
        resetId,
        at,
        agent: agentOf(instanceId),
        conversationId: oldConversationId,
        inPlace: watch.one(instanceId)?.instance.terminalId !== undefined,
        ...(beforeTokens === undefined ? {} : { beforeTokens }),
        ...(cwd === undefined ? {} : { cwd }),
      })),
    saves: ports.saves,
    noteTyped: ports.noteTyped,
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
      ports.noteTyped(submitted);
      // Only one worker takes over what a dead one left (DESIGN §8 *Crash*).
      for (const { instanceId, state, owner } of found)
        if (state.phase !== "none" && !(await ports.isAlive(owner)) && (await claims.take(instanceId))) {
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
