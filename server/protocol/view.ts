import * as z from "zod";
import { AgentId, Goal } from "./agents.ts";

/**
 * What the host shows, made whole by the worker. Ids, numbers, times and fixed words only: no text of a conversation ever
 * stands in it (R8). Times are epoch ms, sizes tokens.
 */
const at = z.number().finite();
const tokens = z.number().finite().nonnegative();

const ReadingView = z.discriminatedUnion("kind", [
  /** Nothing answered yet: no alarm. */
  z.strictObject({ kind: z.literal("none-yet") }),
  z.strictObject({ kind: z.literal("unmeasured"), why: z.string() }),
  z.strictObject({ kind: z.literal("compacted-unknown"), at }),
  z.strictObject({
    kind: z.literal("measured"),
    tokens,
    at,
    estimate: z.boolean(),
    suspect: z.boolean(),
  }),
]);
export type ReadingView = z.infer<typeof ReadingView>;

const TurnView = z.strictObject({
  kind: z.enum(["idle", "working", "tool-pending", "waiting", "stalled", "error", "no-transcript", "gone", "unknown"]),
  since: at.optional(),
  waitingFor: z.string().optional(),
});
export type TurnView = z.infer<typeof TurnView>;

/** Where a reset stands. `cancellable` until the claim. */
export const ResetView = z.strictObject({
  resetId: z.string(),
  goal: Goal,
  phase: z.enum([
    "prepared",
    "armed",
    "saving",
    "saved",
    "claimed",
    "dispatched",
    "confirmed",
    "resuming",
    "needs-reconcile",
  ]),
  /**
   * `handed`: our line is pasted and the person presses Enter. `permission`: the agent asks the person whether it may
   * write. `reviewing`: the person looks at the saved state. `carrying`: the person's own words are being delivered.
   */
  step: z
    .enum(["typing", "pressed", "handed", "writing", "permission", "reviewing", "turn-ending", "carrying"])
    .optional(),
  since: at,
  /** When the person clicked. */
  startedAt: at,
  cancellable: z.boolean(),
  /** What it waits for, one sentence. */
  waitsFor: z.string().optional(),
  /** Size of what the agent saved, bytes. */
  savedBytes: z.number().int().nonnegative().optional(),
  statePath: z.string().optional(),
});
export type ResetView = z.infer<typeof ResetView>;

/** Exactly one of these holds for each agent (DESIGN §11); stable tokens. */
export const Branch = z.enum(["none", "ask", "blocked", "unenforced"]);
export type Branch = z.infer<typeof Branch>;

export const AgentView = z.strictObject({
  instanceId: z.string(),
  agent: AgentId,
  version: z.string().optional(),
  /** Tab name › session name › folder·branch › number. */
  name: z.string(),
  terminalId: z.string().optional(),
  place: z.enum(["terminal", "multiplexer", "panel", "elsewhere"]),
  pid: z.number().int(),
  conversationId: z.string().optional(),
  binding: z.enum(["process", "title", "birth", "picked", "ambiguous", "none"]),
  reading: ReadingView,
  model: z.string().optional(),
  window: z
    .strictObject({
      size: tokens,
      basis: z.enum(["event", "user-setting", "model-table", "model-suffix", "settings", "observed"]),
    })
    .optional(),
  /** One decimal, without an upper end. */
  percent: z.number().finite().optional(),
  pressure: z.enum(["none", "selective", "full"]),
  decidedBy: z.enum(["absolute", "percent", "own-compaction"]).optional(),
  /** Far over the line (≥ breach tokens): escalates wording and colour, not the act. */
  breach: z.boolean(),
  lines: z.strictObject({
    soft: tokens.optional(),
    hard: tokens.optional(),
    softPercent: z.number(),
    hardPercent: z.number(),
  }),
  ownCompaction: z.strictObject({ point: tokens, remaining: z.number().finite() }).optional(),
  turn: TurnView,
  queued: z.number().int().nonnegative(),
  subagents: z.array(z.strictObject({ name: z.string(), since: at.optional() })),
  backgroundShells: z.number().int().nonnegative(),
  /**
   * Whether it can write its state before a clear: at once, after asking the person, or not at all and why. `too-full`:
   * its conversation no longer fits, so that it is cleared without a save.
   */
  saving: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.enum(["free", "asks", "unknown", "too-full"]) }),
    z.strictObject({ kind: z.literal("impossible"), why: z.string(), remedy: z.string() }),
  ]),
  /** Name of the workflow that the folder asks for, where it is not the usual one. */
  workflow: z.string().optional(),
  /** Whether its prompt box can be seen; where not, why in a sentence, and since when. */
  observable: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("yes") }),
    z.strictObject({ kind: z.literal("no"), why: z.string(), since: at.optional() }),
  ]),
  branch: Branch,
  /** Snoozed by *Not Now*: quiet until this many tokens. */
  quietUntilTokens: tokens.optional(),
  reset: ResetView.optional(),
});
export type AgentView = z.infer<typeof AgentView>;

/** The one open question. It stays until it is answered or void; the toast only announces it. */
export const QuestionView = z.strictObject({
  questionId: z.string(),
  instanceId: z.string(),
  /** Other agents over their line that the same toast names. */
  alsoInstanceIds: z.array(z.string()),
  since: at,
});
export type QuestionView = z.infer<typeof QuestionView>;

export const View = z.strictObject({
  agents: z.array(AgentView),
  question: QuestionView.optional(),
  paused: z.boolean(),
  /** Half of the turns seen by this worker ended above it; absent while they are few. */
  medianTurnTokens: tokens.optional(),
  /** Settings or folders that cannot be used: a sentence each, with what to do. */
  problems: z.array(z.string()),
});
export type View = z.infer<typeof View>;
