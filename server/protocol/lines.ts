import * as z from "zod";
import type { AgentId } from "./agents.ts";

/** Id of a reset: it names its folder, and the tag our lines begin with. */
export const ResetId = z.string().regex(/^[0-9a-f]{12}$/);
/** Id of a conversation, as both agents make them. */
const ConversationId = z.string().regex(/^[0-9a-fA-F-]{36}$/);
/** A slash command of a workflow, without its slash. */
const CommandName = z.string().regex(/^[a-z][a-z0-9:_-]{0,60}$/);
const TaskId = z.string().regex(/^[A-Z]+-[0-9]{1,10}$/);
/** Sha-256 of a text without white space, hex. */
const Digest = z.string().regex(/^[0-9a-f]{64}$/);

/** What the fresh conversation does after it has read its saved state. */
export const AfterBrief = z.enum(["wait", "continue", "next"]);
export type AfterBrief = z.infer<typeof AfterBrief>;

/** Which sentence goes with Claude's `/compact`. */
const CompactSentence = z.enum(["default", "snapshot"]);
type CompactSentence = z.infer<typeof CompactSentence>;

const fixed = [
  z.strictObject({ kind: z.literal("compact"), sentence: CompactSentence }),
  z.strictObject({ kind: z.literal("clear") }),
  z.strictObject({ kind: z.literal("exit") }),
  z.strictObject({ kind: z.literal("save"), resetId: ResetId }),
  /** After a save command of a workflow: asks for the file that proves it. */
  z.strictObject({ kind: z.literal("receipt"), resetId: ResetId }),
  z.strictObject({ kind: z.literal("brief"), resetId: ResetId, then: AfterBrief }),
  z.strictObject({ kind: z.literal("command"), name: CommandName, taskId: TaskId.exactOptional() }),
  z.strictObject({ kind: z.literal("resume"), conversationId: ConversationId }),
] as const;
const held = z.strictObject({ kind: z.literal("held"), textId: z.string().max(100), digest: Digest });

/** A line whose text this file knows. */
export const FixedLine = z.discriminatedUnion("kind", fixed);
export type FixedLine = z.infer<typeof FixedLine>;

/** A line on its way to the window: the only free text is what a person said and is being carried over a clear. */
export const Line = z.discriminatedUnion("kind", [
  ...fixed,
  held,
  z.strictObject({ kind: z.literal("carried"), text: z.string().min(1).max(200_000) }),
]);
export type Line = z.infer<typeof Line>;

/** A line as it is journalled: a person's words by reference only. */
export const LineRef = z.discriminatedUnion("kind", [
  ...fixed,
  held,
  /** A prompt recorded in the old conversation. */
  z.strictObject({ kind: z.literal("carried"), recordId: z.string().max(200), digest: Digest }),
]);
export type LineRef = z.infer<typeof LineRef>;

/** Letters and spaces only after the command (REQUIREMENTS §1.12). */
const sentences: Readonly<Record<CompactSentence, string>> = {
  default:
    "Keep the current task its state the open questions the decisions made the files in work and the next action",
  snapshot:
    "Preserve active Datarim task pointer last completed phase current plan open verification findings and next action",
};

const afterBrief: Readonly<Record<AfterBrief, string>> = {
  wait: "say where you stand, then wait.",
  continue: "say where you stand, then go on.",
  next: "say where you stand; more follows.",
};

/**
 * The text of a line, byte for byte; one line, ASCII, no Enter. Together with the words a person has given, this is
 * everything that is ever typed (R42). Codex takes `/compact` alone: with words behind it, it is an ordinary prompt
 * (facts/codex). They are short, because a low panel shows only three rows of Claude's prompt box. Paths are relative and without `@`, which would open a list of files in the prompt box.
 */
export function lineText(agent: AgentId, line: FixedLine): string {
  switch (line.kind) {
    case "compact":
      return agent === "claude" ? `/compact ${sentences[line.sentence]}` : "/compact";
    case "clear":
      return "/clear";
    case "exit":
      return "/exit";
    case "save":
      return `[plimsoll save ${line.resetId}] Read .plimsoll/${line.resetId}/request.md and do it now, as the last step of this turn.`;
    case "receipt":
      return `[plimsoll proof ${line.resetId}] Read .plimsoll/${line.resetId}/request.md and write the file it names, then stop.`;
    case "brief":
      return `[plimsoll brief ${line.resetId}] Automatic: read .plimsoll/${line.resetId}/brief.md, ${afterBrief[line.then]}`;
    case "command":
      return line.taskId === undefined ? `/${line.name}` : `/${line.name} ${line.taskId}`;
    case "resume":
      return `/resume ${line.conversationId}`;
  }
}

/** The slash command a line is, without its slash; undefined: it is a prompt. */
export function commandOf(line: LineRef): string | undefined {
  switch (line.kind) {
    case "compact":
    case "clear":
    case "exit":
    case "resume":
      return line.kind;
    case "command":
      return line.name;
    default:
      return undefined;
  }
}

const exampleId = "0123456789ab";

/** One of each, for tests and the README. */
export const exampleLines: readonly FixedLine[] = [
  { kind: "save", resetId: exampleId },
  { kind: "receipt", resetId: exampleId },
  { kind: "compact", sentence: "default" },
  { kind: "compact", sentence: "snapshot" },
  { kind: "clear" },
  { kind: "brief", resetId: exampleId, then: "wait" },
  { kind: "brief", resetId: exampleId, then: "continue" },
  { kind: "brief", resetId: exampleId, then: "next" },
  { kind: "command", name: "dr-next", taskId: "ABC-12" },
  { kind: "resume", conversationId: "00000000-0000-0000-0000-000000000000" },
  { kind: "exit" },
];
