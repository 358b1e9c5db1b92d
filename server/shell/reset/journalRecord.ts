import { dirname } from "node:path";
import * as z from "zod";
import { phaseWord } from "../../core/reset/journalled.ts";
import type { Event, Reset, Step } from "../../core/reset/types.ts";
import { type Ended, Order, Owner, StepRecord } from "../../protocol/steps.ts";
import type { Key } from "./journalKey.ts";

/** At most so many bytes a line (R224). */
const lineBytes = 4096;

const mac = z.string().regex(/^[0-9a-f]{64}$/);
const text = z.string().max(500);
const attempt = z.number().int();
const at = z.number();

/** A clear that was done: what *Undo* goes by. */
const PastClear = z.strictObject({
  instanceId: text,
  resetId: text,
  at,
  oldConversationId: text,
  newConversationId: text.exactOptional(),
  beforeTokens: z.number().exactOptional(),
  afterTokens: z.number().exactOptional(),
  cwd: z.string().max(1000).exactOptional(),
});
export type PastClear = z.infer<typeof PastClear>;

/** What the records before this one do not tell of the state it begins in: polls are not written, and a worker counts anew. */
const Untold = z.strictObject({ attempt, asking: z.boolean().exactOptional() });
export type Untold = z.infer<typeof Untold>;

const common = {
  v: z.literal(2),
  /** Rises by one; a file that was begun anew goes on counting. */
  seq: z.number().int().nonnegative(),
  /** Id of the key it is signed with. */
  key: z.string().regex(/^[0-9a-f]{8}$/),
  owner: Owner,
  instanceId: text,
};

/** One line of a journal. `mac` follows as its last field (`signedLine`). */
const JournalLine = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("step"),
    ...StepRecord.shape,
    ...common,
    untold: Untold.exactOptional(),
    origin: Order.shape.origin,
    path: Order.shape.path,
    requestedBy: Order.shape.requestedBy,
  }),
  /** First line of a file that was begun anew. `previous`: mac of the last line of the file before it. */
  z.strictObject({ kind: z.literal("snapshot"), ...common, at, attempt, previous: mac }),
  /** Follows a snapshot: a clear of the file before it. */
  z.strictObject({ kind: z.literal("clear"), ...common, clear: PastClear }),
  /** No reset is open, though the records before this one say so: its end could not be written. */
  z.strictObject({ kind: z.literal("gap"), ...common, at, attempt }),
]);
export type JournalLine = z.infer<typeof JournalLine>;
type Distribute<L> = L extends unknown ? Omit<L, "v" | "seq" | "key" | "owner" | "instanceId"> : never;
/** A line without what every line has. */
export type Told = Distribute<JournalLine>;
export type StepLine = Extract<JournalLine, { kind: "step" }>;

/** Where the next line goes. */
export type Chain = { readonly seq: number; readonly mac: string };
export const newChain: Chain = { seq: 0, mac: "" };

/**
 * A line as it is written. What is signed is the mac of the line before it, and this line byte for byte without its own
 * mac; the fields stand in the order of the schema. Throws where it does not fit the schema or is too long.
 */
export function signedLine(
  key: Key,
  { seq, mac: previous }: Chain,
  who: Pick<JournalLine, "owner" | "instanceId">,
  told: Told,
): { readonly line: string; readonly next: Chain } {
  const body = canonical(JournalLine.parse({ v: 2, seq, key: key.id, ...who, ...told }));
  const signature = key.sign(previous, body);
  const line = `${body.slice(0, -1)},"mac":"${signature}"}\n`;
  const bytes = Buffer.byteLength(line);
  if (bytes > lineBytes) throw new Error(`a journal line of ${bytes} bytes is too long`);
  return { line, next: { seq: seq + 1, mac: signature } };
}

/** The version first, so that a file shows what it is. */
const canonical = ({ v, ...rest }: JournalLine): string => JSON.stringify({ v, ...rest });

const Rough = z.object({ v: z.number(), seq: z.number(), key: z.string().optional() });

export type ReadLine = {
  readonly v: number;
  readonly seq: number;
  readonly key?: string | undefined;
  readonly body: string;
  readonly mac: string;
  /** Absent where this version does not understand it. */
  readonly told?: JournalLine;
};

/** A line as it stands in a file, unchecked; undefined where it is none. */
export function readLine(line: string): ReadLine | undefined {
  const [, start, signature = ""] = /^(.*),"mac":"([0-9a-f]{64})"\}$/s.exec(line) ?? [];
  const body = start === undefined ? line : `${start}}`;
  const value = jsonOf(body);
  const rough = Rough.safeParse(value);
  if (!rough.success) return undefined;
  const told = JournalLine.safeParse(value);
  return { ...rough.data, body, mac: signature, ...(told.success ? { told: told.data } : {}) };
}

export function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** What is written of a step. */
export function toldOf(from: Reset, event: Event, step: Step, untold: Untold | undefined): Told {
  const { state, effects } = step;
  const order = "order" in state ? state.order : "order" in from ? from.order : undefined;
  const ended = endedOf(step);
  return {
    kind: "step",
    ...(order === undefined ? {} : { resetId: order.resetId }),
    from: phaseWord(from),
    to: phaseWord(state),
    ...(untold === undefined ? {} : { untold }),
    origin: order?.origin ?? "normal",
    path: order?.path ?? "approved",
    requestedBy: order?.requestedBy ?? "person",
    event,
    effects: effects.map(({ kind }) => kind),
    ...(ended === undefined ? {} : { ended }),
  };
}

/** What is kept of the end of a reset; undefined where the step ends none. */
function endedOf({ effects }: Step): z.infer<typeof Ended> | undefined {
  const effect = effects.find(({ kind }) => kind === "end");
  if (effect?.kind !== "end") return undefined;
  const { outcome, order, cleared, because, nextConversationId, beforeTokens, afterTokens } = effect;
  return {
    outcome,
    goal: order.goal,
    cleared,
    ...(order.conversationId === undefined ? {} : { conversationId: order.conversationId }),
    ...(nextConversationId === undefined ? {} : { nextConversationId }),
    ...(beforeTokens === undefined ? {} : { beforeTokens }),
    ...(afterTokens === undefined ? {} : { afterTokens }),
    reason: because.reason.slice(0, 500),
  };
}

/** The clear that a step brought to its end, or undefined. `from`: the state before it. */
export function clearOf(instanceId: string, told: Told, from: Reset): PastClear | undefined {
  if (told.kind !== "step") return undefined;
  const { resetId, event, ended } = told;
  if (ended?.cleared !== true || ended.conversationId === undefined || resetId === undefined) return undefined;
  const { conversationId, nextConversationId, beforeTokens, afterTokens } = ended;
  const place = "place" in from ? from.place : "saved" in from ? from.saved?.place : undefined;
  return {
    instanceId,
    resetId,
    at: event.at,
    oldConversationId: conversationId,
    ...(nextConversationId === undefined ? {} : { newConversationId: nextConversationId }),
    ...(beforeTokens === undefined ? {} : { beforeTokens }),
    ...(afterTokens === undefined ? {} : { afterTokens }),
    // What was saved lies in `<cwd>/.plimsoll/<reset id>`.
    ...(place === undefined ? {} : { cwd: dirname(dirname(place.dir)) }),
  };
}
