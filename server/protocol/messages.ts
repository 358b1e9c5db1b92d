import * as z from "zod";
import { AgentId, Goal, Then } from "./agents.ts";
import { Line, ResetId } from "./lines.ts";
import { notification, request } from "./message.ts";
import { Settings } from "./settings.ts";
import { ScreenFacts, TerminalFacts, TypeRefusal } from "./terminals.ts";
import { View } from "./view.ts";

const at = z.number().finite();
const id = z.string().min(1).max(200);

const target = {
  resetId: id,
  terminalId: id,
  agent: AgentId,
  agentPid: z.number().int().positive(),
  shellPid: z.number().int().positive(),
};

// ── Host → worker ────────────────────────────────────────────────────────────────────────────────────────────────────

/** Host → worker, first thing and at every change. */
export const SettingsChanged = notification("settings/changed", Settings);

/** Host → worker, after every SettingsChanged: a sentence for each value that can't be used, so that acting is refused. */
export const SettingsProblems = notification("settings/problems", z.strictObject({ problems: z.array(z.string()) }));

/** Host → worker. The whole list of this window's terminals, at every change. */
export const TerminalsChanged = notification(
  "terminals/changed",
  z.strictObject({ terminals: z.array(TerminalFacts) }),
);

/** Host → worker. What the window allows. */
export const WindowChanged = notification(
  "window/changed",
  z.strictObject({
    trusted: z.boolean(),
    paused: z.boolean(),
  }),
);

/** Host → worker, every few seconds. No answer in time: the worker is ended and started anew. */
export const Ping = request("worker/ping", z.strictObject({}), z.strictObject({ at, agents: z.number().int() }));

/** A text the person gave along with the click. The host holds it; the worker knows its digest. */
export const HeldText = z.strictObject({ textId: id, digest: z.string().regex(/^[0-9a-f]{64}$/) });
export type HeldText = z.infer<typeof HeldText>;

/** What a click asks for. */
export const Act = z.discriminatedUnion("kind", [
  /** Save, clear, brief. `review`: the saved state is shown before the clear, and waits for `Reviewed`. */
  z.strictObject({
    kind: z.literal("reset"),
    then: Then,
    review: z.boolean(),
    /** Delivered in this order as the first prompts of the new conversation; any makes the reset continue. */
    carry: z.array(HeldText).max(8),
  }),
  z.strictObject({ kind: z.literal("compact") }),
  z.strictObject({ kind: z.literal("save") }),
  /** Back to this conversation. */
  z.strictObject({ kind: z.literal("undo"), conversationId: z.string() }),
]);
export type Act = z.infer<typeof Act>;

/** Host → worker. A click: the consent for this one reset. `approvalId` is used once. */
export const Approve = request(
  "reset/approve",
  z.strictObject({
    approvalId: id,
    instanceId: z.string(),
    conversationId: z.string().optional(),
    act: Act,
    shownTokens: z.number().finite().nonnegative().optional(),
    at,
  }),
  z.discriminatedUnion("outcome", [
    z.strictObject({ outcome: z.literal("started") }),
    z.strictObject({ outcome: z.literal("refused"), reason: z.string(), remedy: z.string() }),
  ]),
);

/** Host → worker. Takes back an armed or prepared reset, or one handed over to the person. */
export const Cancel = request(
  "reset/cancel",
  z.strictObject({ instanceId: z.string() }),
  z.strictObject({ cancelled: z.boolean() }),
);

/** Host → worker. The saved state was looked at: go on with the clear. */
export const Reviewed = request(
  "reset/reviewed",
  z.strictObject({ instanceId: z.string(), resetId: id }),
  z.strictObject({ goesOn: z.boolean() }),
);

/** Host → worker. *Interrupt Agent*: one Escape, at once. */
export const Interrupt = request(
  "agent/interrupt",
  z.strictObject({ instanceId: z.string() }),
  z.discriminatedUnion("outcome", [
    z.strictObject({ outcome: z.literal("sent") }),
    z.strictObject({ outcome: z.literal("refused"), reason: z.string(), remedy: z.string() }),
  ]),
);

/** Host → worker. The steps of an undecided reset, as Markdown: ids, times and fixed words. */
export const ReportReset = request(
  "reset/report",
  z.strictObject({ instanceId: z.string() }),
  z.strictObject({ markdown: z.string() }),
);

export const PastClear = z.strictObject({
  resetId: z.string(),
  instanceId: z.string(),
  agent: AgentId,
  at,
  conversationId: z.string(),
  beforeTokens: z.number().finite().optional(),
  cwd: z.string().optional(),
  /** The agent process it happened in still runs here and can go back by itself. */
  inPlace: z.boolean(),
});
export type PastClear = z.infer<typeof PastClear>;

/** Host → worker. Every past clear in the log, newest first, for *Undo Clear…*. */
export const ListClears = request("undo/list", z.strictObject({}), z.strictObject({ clears: z.array(PastClear) }));

/** Host → worker. Where the newest saved state of this agent lies, if one does. */
export const LastSaved = request(
  "save/last",
  z.strictObject({ instanceId: z.string() }),
  z.strictObject({ path: z.string().optional(), at: at.optional() }),
);

/** Host → worker. *Allow Always*: adds the one rule that lets Claude write its saved state without asking. */
export const AllowSaving = request(
  "save/allow",
  z.strictObject({ instanceId: z.string() }),
  z.strictObject({ allowed: z.boolean(), path: z.string().optional(), reason: z.string().optional() }),
);

/** Host → worker. *Not Now*: quiet until a quarter more. */
export const Snooze = request(
  "question/snooze",
  z.strictObject({ instanceId: z.string(), questionId: id.optional() }),
  z.strictObject({}),
);

export const GateAnswer = z.strictObject({
  gate: z.string(),
  question: z.string(),
  /** `not-yet`: time, or the save, will answer it. */
  verdict: z.enum(["yes", "no", "not-yet"]),
  reason: z.string().optional(),
  remedy: z.string().optional(),
});
export type GateAnswer = z.infer<typeof GateAnswer>;

/** Host → worker. Asks every gate and types nothing. */
export const Check = request(
  "reset/check",
  z.strictObject({ instanceId: z.string(), goal: Goal }),
  z.strictObject({ answers: z.array(GateAnswer) }),
);

export const ConversationChoice = z.strictObject({
  conversationId: z.string(),
  lastRecordAt: at.optional(),
  tokens: z.number().finite().optional(),
  cwd: z.string().optional(),
});

/** Host → worker. The conversations that an agent may be in, newest first, for *Bind Terminal to Conversation…*. */
export const ListConversations = request(
  "binding/list",
  z.strictObject({ instanceId: z.string() }),
  z.strictObject({ choices: z.array(ConversationChoice) }),
);

/** Host → worker. The person says which conversation it is; good for approved acts only. */
export const PickConversation = request(
  "binding/pick",
  z.strictObject({ instanceId: z.string(), conversationId: z.string() }),
  z.strictObject({ bound: z.boolean(), reason: z.string().optional() }),
);

/** Host → worker. What Doctor shows: Markdown made of fixed words, paths, ids and numbers. */
export const Doctor = request("worker/doctor", z.strictObject({}), z.strictObject({ markdown: z.string() }));

/** One flag of the old command line that may be given again when an agent is resumed. */
export const ResumeArgument = z.string().regex(/^[\w./:@=,+[\]-]{1,300}$/);

/** Host → worker. How to resume this agent's conversation after its `/exit`, or why that can't be done now. */
export const PrepareReconnect = request(
  "reconnect/prepare",
  z.strictObject({ instanceId: z.string() }),
  z.discriminatedUnion("outcome", [
    z.strictObject({
      outcome: z.literal("ready"),
      agent: AgentId,
      terminalId: id,
      conversationId: z.string(),
      arguments: z.array(ResumeArgument),
    }),
    z.strictObject({ outcome: z.literal("refused"), reason: z.string(), remedy: z.string() }),
  ]),
);

/** Host → worker, before it ends itself: open resets that typed nothing are aborted. */
export const Closing = request("worker/closing", z.strictObject({}), z.strictObject({ aborted: z.number().int() }));

// ── Worker → host ────────────────────────────────────────────────────────────────────────────────────────────────────

/** Worker → host. Everything there is to show, at every change. */
export const ViewChanged = notification("view/changed", View);

/** Worker → host. What the screen of one terminal shows now. Includes a round trip to the workbench. */
export const ProbeScreen = request("screen/probe", z.strictObject({ terminalId: id, agent: AgentId }), ScreenFacts);

/**
 * Worker → host. Look, and paste one fixed line without Enter if the prompt box is empty; then look until the box shows
 * exactly it (3 s). `wrote`: a byte went out before the refusal; `erased`: it was taken back and seen gone.
 */
export const TypeLine = request(
  "terminal/type",
  z.strictObject({ ...target, line: Line }),
  z.discriminatedUnion("outcome", [
    z.strictObject({ outcome: z.literal("shown"), sequence: z.number().int(), at }),
    z.strictObject({
      outcome: z.literal("refused"),
      reason: TypeRefusal,
      wrote: z.boolean(),
      erased: z.boolean(),
    }),
  ]),
);

/**
 * Worker → host. Enter, alone, if in one synchronous stretch the token is good, and the screen still shows exactly our
 * line at `sequence`. The token is used once and dies after `validMs`.
 */
export const PressEnter = request(
  "terminal/press",
  z.strictObject({
    ...target,
    line: Line,
    token: id,
    sequence: z.number().int(),
    validMs: z.number().int().positive().max(1000),
  }),
  z.discriminatedUnion("outcome", [
    z.strictObject({ outcome: z.literal("pressed"), at }),
    /** `stillShown`: the box still shows exactly our line at this newer sequence: look again, then a new token. */
    z.strictObject({ outcome: z.literal("refused"), reason: TypeRefusal, stillShown: z.number().int().optional() }),
  ]),
);

/** Worker → host. Looks once more whether the box shows exactly our line (a swallowed Enter), writing nothing. */
export const LookAgain = request(
  "terminal/look",
  z.strictObject({ ...target, line: Line }),
  z.strictObject({ shown: z.boolean(), sequence: z.number().int() }),
);

/** Worker → host. Takes our own line back, only if the text before the cursor ends with it. */
export const EraseLine = request(
  "terminal/erase",
  z.strictObject({ ...target, line: Line }),
  z.strictObject({ erased: z.boolean() }),
);

/** Worker → host. Whether these texts are all still held: they are gone with the window. */
export const HoldsTexts = request(
  "texts/held",
  z.strictObject({ textIds: z.array(id) }),
  z.strictObject({ held: z.boolean() }),
);

/** Worker → host. One Escape, alone and at once, past whatever is being typed. */
export const SendEscape = request(
  "terminal/escape",
  z.strictObject(target),
  z.strictObject({ sent: z.boolean(), reason: TypeRefusal.optional() }),
);

/** Worker → host. Assisted: shows the terminal and pastes the line; the person looks and presses Enter. */
export const PasteForPerson = request(
  "terminal/pasteForPerson",
  z.strictObject({ ...target, line: Line }),
  z.strictObject({ pasted: z.boolean(), reason: TypeRefusal.optional() }),
);

export const ResetOutcome = z.enum([
  "confirmed",
  "refused", // a gate said no; nothing was typed, or nothing but the request to save
  "aborted", // void before the claim: cancelled, a prompt came, the agent compacted by itself
  "taken-back", // our line was pasted and erased again; no Enter
  "left-in-box", // our line may still stand in the prompt box; no Enter
  "wrong-command",
  "not-a-command",
  "no-effect",
  "error",
  "not-smaller",
  "not-briefed", // cleared, and the fresh conversation was not told where it stands
  "unconfirmed",
]);
export type ResetOutcome = z.infer<typeof ResetOutcome>;

/** Worker → host. A reset ended; shown as one sentence and one remedy. */
export const ResetEnded = notification(
  "reset/ended",
  z.strictObject({
    resetId: ResetId,
    instanceId: z.string(),
    name: z.string(),
    agent: AgentId,
    goal: Goal,
    outcome: ResetOutcome,
    /** The conversation that was to be cleared or compacted; after a clear the old one. */
    conversationId: z.string().optional(),
    /** A clear happened: *Undo* goes back to `conversationId`. */
    cleared: z.boolean(),
    /** The gate that refused, where one did. */
    gate: z.string().optional(),
    reason: z.string(),
    remedy: z.string(),
    beforeTokens: z.number().finite().optional(),
    afterTokens: z.number().finite().optional(),
    /** What the agent saved, where it did. */
    saved: z.strictObject({ path: z.string(), bytes: z.number().int().nonnegative() }).optional(),
    /** Texts the person gave with the click that were not delivered: the host shows them. */
    undelivered: z.array(id),
    /** Prompts and images recorded in the old conversation that could not be carried over. */
    lost: z.number().int().nonnegative(),
  }),
);

/** `initializationOptions` of the worker. */
export const WorkerOptions = z.strictObject({
  /** Folder of this machine's Plimsoll state, all windows share it: journals and claims. */
  storageDir: z.string().min(1),
  /** The extension host: official panels' agents run below it. */
  hostPid: z.number().int().positive(),
});
export type WorkerOptions = z.infer<typeof WorkerOptions>;
