import * as z from "zod";
import { CommandId } from "./agents.ts";
import { TypeRefusal } from "./terminals.ts";

/**
 * The events of a reset, as they are written into the journal before they take effect. Ids, times, numbers and fixed
 * sentences only: no text of a conversation (R237). Times are epoch ms.
 */
const at = z.number();
const attempt = z.number().int();
const text = z.string().max(500);

/** One reset as it was asked for. */
export const Order = z.strictObject({
  resetId: text,
  instanceId: text,
  /** Terminal it was in when the person clicked. */
  terminalId: text.exactOptional(),
  command: CommandId,
  approvalId: text,
  /** When the person clicked. */
  at,
  /** Size (tokens) that the person saw when they clicked. */
  shownTokens: z.number().exactOptional(),
  conversationId: text.exactOptional(),
  /** Record id of the person's last prompt at that moment; absent: there was none. */
  lastHumanId: text.exactOptional(),
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
  passed: z.array(text),
  /** The first plain *no*, in the list's order. */
  refused: Refusal.exactOptional(),
  /** What time alone will answer. */
  waiting: z.array(Refusal),
});

/** What disk says about a command after Enter, compared with the baseline. */
export const Evidence = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("nothing") }),
  z.strictObject({ kind: z.literal("working") }),
  /** The person sent something else in the same conversation. */
  z.strictObject({ kind: z.literal("other-prompt"), working: z.boolean() }),
  /** `settled`: the figures after it are there too. */
  z.strictObject({ kind: z.literal("confirmed"), afterTokens: z.number().exactOptional(), settled: z.boolean() }),
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
  z.strictObject({ kind: z.literal("typed"), at, attempt, result: TypeResult }),
  z.strictObject({ kind: z.literal("pressed"), at, attempt, result: PressResult }),
  z.strictObject({ kind: z.literal("looked"), at, attempt, shown: z.boolean(), sequence: z.number().int() }),
  z.strictObject({ kind: z.literal("erased"), at, attempt, erased: z.boolean() }),
  z.strictObject({ kind: z.literal("handed"), at, attempt, pasted: z.boolean() }),
  z.strictObject({ kind: z.literal("observed"), at, evidence: Evidence, compactions: z.number().int() }),
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

/** One line of a journal, which is also the step log. At most 4 KiB. */
export const StepRecord = z.strictObject({
  v: z.literal(1),
  /** Rises by one within a journal; a file that was rotated goes on counting. */
  seq: z.number().int().nonnegative(),
  owner: Owner,
  instanceId: text,
  resetId: text.exactOptional(),
  from: text,
  to: text,
  /** How it came to be: this version acts on a click only. */
  path: z.literal("approved"),
  event: ResetEvent,
  /** Kinds of the effects that follow, in order. */
  effects: z.array(text),
  outcome: text.exactOptional(),
});
export type StepRecord = z.infer<typeof StepRecord>;
