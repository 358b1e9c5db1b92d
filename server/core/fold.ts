import type { AgentId } from "../protocol/agents.ts";
import type { Compaction, Conversation } from "./conversation.ts";
import { type Activity, foldActivity, noActivity } from "./foldActivity.ts";
import { type Boundaries, foldBoundaries, noBoundaries } from "./foldBoundary.ts";
import { emptyReadings, foldReading, type Readings, readingOf } from "./foldReading.ts";
import { emptyTurn, foldTurn, type TurnFold, turnStateOf } from "./foldTurn.ts";
import { emptyMarks, foldMark, type Marks, type TypedEntry, withoutOurs } from "./humanPrompts.ts";
import type { TranscriptFact } from "./transcript.ts";
import { type WindowSettings, windowOf } from "./window.ts";

/** All that was learnt from the facts so far. Opaque and immutable: `foldOn` gives a new one. */
export type Fold = {
  readonly agent: AgentId;
  readonly head: Head;
  readonly readings: Readings;
  readonly turn: TurnFold;
  readonly marks: Marks;
  readonly boundaries: Boundaries;
  readonly activity: Activity;
  readonly compactions: number;
  readonly lastCompaction?: Compaction;
  readonly lastCommand?: { readonly at: number; readonly name: string; readonly failed?: string };
  /** Digests of the inputs that wait in the agent's own queue; undefined where it is not known. */
  readonly queue: readonly (string | undefined)[];
  readonly shells: readonly string[];
  readonly lastAt?: number;
  readonly replay?: Replay;
};

type Head = {
  readonly seen: boolean;
  readonly conversationId?: string;
  readonly cwd?: string;
  readonly version?: string;
  readonly forkedFrom?: string;
  readonly parentRecord?: string;
  readonly subAgent: boolean;
  readonly bornOfClear: boolean;
  /** Something that is no head stood in the file: a later `/clear` was not its birth. */
  readonly settled: boolean;
};

/** A fork that begins with its parent's records, written in one burst (R58): time of the last record of it. */
type Replay = { readonly since: number; readonly at: number };

/** Records of a replay follow one another within this time, ms; a person or a model is slower. */
const replayGapMs = 500;
/** No replay takes longer, ms. */
const replayMostMs = 30_000;

export type FoldView = {
  /** Present time, epoch ms; without it nothing is ever called stalled. */
  readonly now?: number;
  /** What we typed ourselves. */
  readonly typed?: readonly TypedEntry[];
  /** Whether the whole conversation was read: then a missing prompt is known to be missing (R55). */
  readonly humanSearchComplete: boolean;
  readonly windowSettings?: WindowSettings;
  readonly records?: number;
  readonly badLines?: number;
};

export function createFold(agent: AgentId): Fold {
  return {
    agent,
    head: { seen: false, subAgent: false, bornOfClear: false, settled: false },
    readings: emptyReadings,
    turn: emptyTurn,
    marks: emptyMarks,
    boundaries: noBoundaries,
    activity: noActivity,
    compactions: 0,
    queue: [],
    shells: [],
  };
}

export function foldOn(fold: Fold, facts: readonly TranscriptFact[]): Fold {
  return facts.reduce(foldFact, fold);
}

/** One fold over all facts of a conversation, oldest first. */
export function foldFacts(agent: AgentId, facts: readonly TranscriptFact[], view: FoldView): Conversation {
  return conversationOf(foldOn(createFold(agent), facts), view);
}

function foldFact(fold: Fold, fact: TranscriptFact): Fold {
  const replay = replayAfter(fold, fact);
  const inherited = replay !== undefined;
  const lastAt = fact.at === undefined ? fold.lastAt : Math.max(fact.at, fold.lastAt ?? fact.at);
  const { replay: _, ...rest } = fold;
  const timed = {
    ...rest,
    ...(lastAt === undefined ? {} : { lastAt }),
    ...(replay === undefined ? {} : { replay }),
  };
  const boundaries =
    fact.kind === "compacted" ? foldBoundaries(fold.agent, fold.boundaries, fact, timeOf(fold, fact)) : fold.boundaries;
  if (boundaries === undefined) return timed;
  const after: Fold = {
    ...timed,
    boundaries,
    activity: foldActivity(fold.activity, fact),
    head: foldHead(fold.head, fact),
    readings: foldReading(fold.readings, fact, fold.lastAt),
    turn: inherited ? fold.turn : foldTurn(fold.turn, fact),
    marks: inherited ? fold.marks : foldMark(fold.marks, fact),
  };
  return inherited ? after : foldRest(after, fact);
}

const timeOf = (fold: Fold, { at }: TranscriptFact): number => at ?? fold.lastAt ?? 0;

function foldRest(fold: Fold, fact: TranscriptFact): Fold {
  const at = timeOf(fold, fact);
  switch (fact.kind) {
    case "compacted":
      return foldCompaction(fold, fact, at);
    case "command":
      return { ...fold, lastCommand: { at, name: fact.name } };
    case "command-failed":
      return fold.lastCommand === undefined
        ? fold
        : { ...fold, lastCommand: { ...fold.lastCommand, failed: fact.reason } };
    case "queued":
      return { ...fold, queue: [...fold.queue, fact.digest] };
    case "dequeued":
      return { ...fold, queue: fact.all ? [] : without(fold.queue, fact.digest) };
    case "prompt":
      // Queued input runs as soon as a turn ends: a prompt typed at rest proves that nothing waits (a new process).
      if (fact.source === "typed" && fold.turn.promptedAtRest) return { ...fold, queue: [] };
      return fold.queue.includes(fact.digest) ? { ...fold, queue: without(fold.queue, fact.digest) } : fold;
    case "shell-started":
      return fold.shells.includes(fact.shellId) ? fold : { ...fold, shells: [...fold.shells, fact.shellId] };
    case "task-ended":
      return { ...fold, shells: fold.shells.filter((shell) => shell !== fact.taskId) };
    default:
      return fold;
  }
}

/** One input less: the one named, else the one that waits longest. */
function without(queue: Fold["queue"], digest: string | undefined): Fold["queue"] {
  const named = digest === undefined ? -1 : queue.indexOf(digest);
  return queue.toSpliced(Math.max(0, named), 1);
}

function foldCompaction(fold: Fold, fact: Extract<TranscriptFact, { kind: "compacted" }>, at: number): Fold {
  const trigger = fact.trigger === "unknown" ? triggerOf(fold.turn) : fact.trigger;
  return {
    ...fold,
    compactions: fold.compactions + 1,
    lastCompaction: {
      at,
      trigger,
      ...(fact.preTokens === undefined ? {} : { preTokens: fact.preTokens }),
      ...(fact.postTokens === undefined ? {} : { postTokens: fact.postTokens }),
    },
  };
}

/** Codex says what triggered a turn, except for its own `/compact` (facts/codex c). */
function triggerOf(turn: TurnFold): Compaction["trigger"] {
  if (turn.attributed === undefined) return "unknown";
  return turn.attributed ? "auto" : "manual";
}

function foldHead(head: Head, fact: TranscriptFact): Head {
  if (fact.kind === "opened") {
    const { conversationId, cwd, version, forkedFrom, parentRecord } = fact;
    const subAgent = fact.subAgent ?? head.subAgent;
    // One record of the main chain makes the file a conversation, whatever sub-agents wrote into it.
    if (subAgent && head.seen) return head;
    return {
      ...head,
      seen: !subAgent || conversationId !== undefined,
      subAgent,
      ...fill("conversationId", head.conversationId ?? conversationId),
      ...fill("cwd", head.cwd ?? cwd),
      ...fill("version", version ?? head.version),
      ...fill("forkedFrom", head.forkedFrom ?? (head.seen ? undefined : forkedFrom)),
      ...fill("parentRecord", head.parentRecord ?? (head.seen ? undefined : parentRecord)),
    };
  }
  if (head.settled) return head;
  if (fact.kind === "command") return { ...head, settled: true, bornOfClear: clears.has(fact.name) };
  return fact.kind === "prompt" || fact.kind === "usage" || fact.kind === "compacted"
    ? { ...head, settled: true }
    : head;
}

/** `/clear` and its other names (facts/claude-code c). */
const clears: ReadonlySet<string> = new Set(["clear", "reset", "new"]);

/** Whether this fact still belongs to what a fork replays of its parent. */
function replayAfter({ head, replay }: Fold, fact: TranscriptFact): Replay | undefined {
  const { at } = fact;
  if (fact.kind === "opened" && fact.replaysParent === true && !head.seen) return { since: at ?? 0, at: at ?? 0 };
  if (replay === undefined || at === undefined) return replay;
  if (at <= replay.since) return replay;
  return at - replay.at <= replayGapMs && at - replay.since <= replayMostMs ? { ...replay, at } : undefined;
}

/** What a fold says, as of now. */
export function conversationOf(fold: Fold, view: FoldView): Conversation {
  const { head, readings, activity, lastAt } = fold;
  const human = withoutOurs(fold.marks, view.typed ?? [], view.humanSearchComplete);
  const window = windowOf(fold.agent, readings, view.windowSettings ?? {});
  return {
    agent: fold.agent,
    ...fill("conversationId", head.conversationId),
    ...fill("cwd", head.cwd),
    ...fill("version", head.version),
    ...fill("forkedFrom", head.forkedFrom),
    ...fill("parentRecord", head.parentRecord),
    subAgent: head.subAgent,
    bornOfClear: head.bornOfClear,
    reading: readingOf(readings, window?.size),
    ...fill("firstReading", readings.first),
    ...fill("model", readings.model),
    ...fill("window", window),
    turn: turnStateOf(fold.turn, { lastAt, now: view.now, isWhole: view.humanSearchComplete }),
    lastHuman: human.lastHuman,
    ...fill("lastHumanActivityAt", human.lastActivityAt),
    queued: fold.queue.length,
    compactions: fold.compactions,
    ...fill("lastCompaction", fold.lastCompaction),
    ...fill("lastCommand", fold.lastCommand),
    ...fill("lastPrompt", human.lastPrompt),
    ...fill("lastRecordAt", lastAt),
    ...fill("permission", activity.permission),
    toolCalls: activity.toolCalls,
    answers: activity.answers,
    endsWithQuestion: activity.endsWithQuestion,
    backgroundShells: fold.shells,
    records: view.records ?? 0,
    badLines: view.badLines ?? 0,
  };
}

/** `{ [key]: value }`, or nothing where the value is unknown: absent and `undefined` differ on the wire. */
function fill<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } | undefined {
  return value === undefined ? undefined : withKey(key, value);
}

function withKey<K extends string, V>(key: K, value: V): { readonly [P in K]?: V };
function withKey(key: string, value: unknown): { readonly [key: string]: unknown } {
  return { [key]: value };
}
