import * as z from "zod";
import { Goal, Then } from "./agents.ts";
import { LineRef, ResetId } from "./lines.ts";
import { StateLook } from "./save.ts";
import { TypeRefusal } from "./terminals.ts";

/**
 * The events of a reset, as they are written into the journal before they take effect. Ids, times, numbers and fixed
 * sentences only: no text of a conversation (R237). Times are epoch ms.
 */
const at = z.number();
const attempt = z.number().int();
const text = z.string().max(500);
const path = z.string().max(1000);
const digest = z.string().regex(/^[0-9a-f]{64}$/);

/** One reset as it was asked for. */
export const Order = z.strictObject({
  resetId: ResetId,
  instanceId: text,
  /** Terminal it was in when the person clicked. */
  terminalId: text.exactOptional(),
  goal: Goal,
  /** `approved`: a click. `unattended`: nobody was there, and both settings allow it. */
  path: z.enum(["approved", "unattended"]),
  /** `forced`: the conversation no longer fits, so nothing could be saved. */
  origin: z.enum(["normal", "forced"]),
  requestedBy: z.enum(["person", "policy", "agent"]),
  then: Then,
  /** The saved state is shown to the person before the clear. */
  review: z.boolean(),
  /** Whether something is saved before: always before a clear; before a compaction where the workflow says so. */
  savesFirst: z.boolean(),
  /** One Escape is allowed where the turn does not end after the save. */
  mayEscape: z.boolean(),
  /** Name of the workflow that says how to save and to brief. */
  workflow: text,
  /** Texts the person gave with the click, held by the window. */
  carry: z.array(z.strictObject({ textId: text, digest })).max(8),
  /** *Undo*: the conversation to go back to. */
  target: text.exactOptional(),
  approvalId: text,
  /** When the person clicked. */
  at,
  /** Size (tokens) that the person saw when they clicked. */
  shownTokens: z.number().exactOptional(),
  conversationId: text.exactOptional(),
  /** Record id of the person's last prompt at that moment; absent: there was none. */
  lastHumanId: text.exactOptional(),
  /** The agent's last message asked the person something: it is asked again, and the reset waits. */
  asksPerson: z.boolean(),
});

/** What stood on disk when the reset was judged: evidence is whatever is newer. */
export const Baseline = z.strictObject({
  conversationId: text.exactOptional(),
  tokens: z.number().exactOptional(),
  compactions: z.number().int(),
  lastCommandAt: at.exactOptional(),
  lastPromptId: text.exactOptional(),
});

export const Refusal = z.strictObject({ gate: text, reason: text, remedy: text });

export const GateReport = z.strictObject({
  /** How many gates said yes. */
  passed: z.number().int(),
  /** The first plain *no*, in the list's order. */
  refused: Refusal.exactOptional(),
  /** What time alone will answer. */
  waiting: z.array(Refusal).max(4),
  /** What the save will answer. */
  unsaved: z.number().int(),
});

/** What disk says about a line after Enter, compared with the baseline. */
export const Evidence = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("nothing") }),
  z.strictObject({ kind: z.literal("working") }),
  /** The person sent something else in the same conversation. */
  z.strictObject({ kind: z.literal("other-prompt"), working: z.boolean() }),
  /** `settled`: the figures after it are there too. */
  z.strictObject({
    kind: z.literal("confirmed"),
    afterTokens: z.number().exactOptional(),
    settled: z.boolean(),
    /** After a clear: the new conversation. */
    conversationId: text.exactOptional(),
  }),
  z.strictObject({
    kind: z.literal("failed"),
    outcome: z.enum(["wrong-command", "not-a-command", "error", "not-smaller"]),
    afterTokens: z.number().exactOptional(),
  }),
]);

const TypeResult = z.discriminatedUnion("outcome", [
  z.strictObject({ outcome: z.literal("shown"), sequence: z.number().int() }),
  z.strictObject({ outcome: z.literal("refused"), reason: TypeRefusal, wrote: z.boolean(), erased: z.boolean() }),
]);

const PressResult = z.discriminatedUnion("outcome", [
  z.strictObject({ outcome: z.literal("pressed"), at }),
  z.strictObject({ outcome: z.literal("refused"), reason: TypeRefusal, stillShown: z.number().int().exactOptional() }),
  /** The window did not answer: Enter may have gone out. */
  z.strictObject({ outcome: z.literal("unknown") }),
]);

/** Where the save goes: our folder in the agent's own, and what is looked at there. */
export const SavePlace = z.strictObject({
  dir: path,
  statePath: path,
  /** Stands on line 1 of the saved state: it was written in answer to this request (R94). */
  code: z.string().regex(/^[0-9a-f]{12}$/),
  taskId: text.exactOptional(),
  /** Transcript of the conversation that is saved: prompts that come too late for it are read again there. */
  transcript: path.exactOptional(),
});

const Problem = z.strictObject({ gate: text, reason: text, remedy: text });

/** What is seen of the agent, as far as a reset needs it. */
const Seen = {
  turn: z.enum(["idle", "working", "tool-pending", "waiting", "stalled", "error", "overflow", "other"]),
  /** When the turn came into this state. */
  turnSince: at.exactOptional(),
  /** A genuine prompt came after the click. */
  humanSpoke: z.boolean(),
  compactions: z.number().int(),
  toolCalls: z.number().int(),
  answers: z.number().int(),
  /** Size of the conversation it is in now, where it is measured. */
  tokens: z.number().exactOptional(),
};

/** What happened. `attempt` names the question an answer belongs to; another attempt's answer is void. */
export const ResetEvent = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("approved"), at, order: Order }),
  z.strictObject({
    kind: z.literal("judged"),
    at,
    attempt,
    report: GateReport,
    baseline: Baseline,
    /** Only the prompt box's visibility refused, and all that needs no screen passed. */
    assisted: z.boolean(),
  }),
  z.strictObject({ kind: z.literal("claim-answered"), at, attempt, won: z.boolean() }),
  z.strictObject({
    kind: z.literal("save-prepared"),
    at,
    attempt,
    result: z.union([z.strictObject({ place: SavePlace, lines: z.array(LineRef).max(2) }), Problem]),
  }),
  z.strictObject({
    kind: z.literal("save-looked"),
    at,
    attempt,
    /** Monotonic, ms: clocks may be set back. */
    clock: z.number(),
    look: StateLook,
    conversationId: text.exactOptional(),
    transcriptBytes: z.number().int(),
    lastHumanId: text.exactOptional(),
    toolCalls: z.number().int(),
    answers: z.number().int(),
  }),
  z.strictObject({
    kind: z.literal("brief-written"),
    at,
    attempt,
    result: z.union([z.strictObject({ path, digest, line: LineRef.exactOptional() }), Problem]),
  }),
  z.strictObject({ kind: z.literal("typed"), at, attempt, result: TypeResult }),
  z.strictObject({ kind: z.literal("pressed"), at, attempt, result: PressResult }),
  z.strictObject({ kind: z.literal("looked"), at, attempt, shown: z.boolean(), sequence: z.number().int() }),
  z.strictObject({ kind: z.literal("erased"), at, attempt, erased: z.boolean() }),
  z.strictObject({ kind: z.literal("handed"), at, attempt, pasted: z.boolean() }),
  /** The prompts recorded in the old conversation after the claim, and whether what was saved is still the same. */
  z.strictObject({
    kind: z.literal("collected"),
    at,
    attempt,
    carried: z.array(z.strictObject({ recordId: text, digest })).max(8),
    /** Images, and prompts that can't be carried. */
    lost: z.number().int(),
    problem: Problem.exactOptional(),
  }),
  z.strictObject({ kind: z.literal("escaped"), at, attempt, sent: z.boolean() }),
  z.strictObject({ kind: z.literal("observed"), at, evidence: Evidence, ...Seen }),
  z.strictObject({ kind: z.literal("reviewed"), at }),
  z.strictObject({ kind: z.literal("cancelled"), at }),
  z.strictObject({ kind: z.literal("agent-gone"), at }),
  z.strictObject({ kind: z.literal("closing"), at }),
  /** A worker took over this journal: its owner is dead. */
  z.strictObject({ kind: z.literal("recovered"), at }),
  z.strictObject({ kind: z.literal("tick"), at }),
]);

/** Process that wrote a record: alive while both still match. */
export const Owner = z.strictObject({ pid: z.number().int().positive(), birth: text });
export type Owner = z.infer<typeof Owner>;

/** How a reset ended, for the log and for *Undo*. */
export const Ended = z.strictObject({
  outcome: text,
  goal: Goal,
  cleared: z.boolean(),
  conversationId: text.exactOptional(),
  nextConversationId: text.exactOptional(),
  beforeTokens: z.number().exactOptional(),
  afterTokens: z.number().exactOptional(),
  reason: text,
});

/** One step, as a line of a journal has it besides its signature. At most 4 KiB. */
export const StepRecord = z.strictObject({
  /** Rises by one within a journal; a file that was rotated goes on counting. */
  seq: z.number().int().nonnegative(),
  owner: Owner,
  instanceId: text,
  resetId: text.exactOptional(),
  from: text,
  to: text,
  event: ResetEvent,
  /** Kinds of the effects that follow, in order. */
  effects: z.array(text),
  ended: Ended.exactOptional(),
});
export type StepRecord = z.infer<typeof StepRecord>;
