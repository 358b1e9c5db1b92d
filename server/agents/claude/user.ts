import { digestOf } from "../../core/digest.ts";
import type { TranscriptFact } from "../../core/transcript.ts";
import { timeOf } from "../bytes.ts";
import type { Content, UserRecord } from "./records.ts";

/** What a record of type `user` says. Most are no person: tool results, notices, summaries (facts/claude-code b, R51). */
export function userFacts(record: UserRecord): readonly TranscriptFact[] {
  const at = timeOf(record.timestamp);
  const results = resultIds(record.message?.content);
  if (results !== undefined) return returned(record, results, at);
  if (record.isCompactSummary === true || record.isVisibleInTranscriptOnly === true) return [];
  const text = ownTextOf(record.message?.content);
  if (isInterrupt(record, text)) return [{ kind: "interrupted", at }];
  if (record.isMeta === true || record.rowSource === "harness") return meta(text, at);
  return spoken(record, text, at);
}

function returned(record: UserRecord, ids: readonly string[], at: number | undefined): readonly TranscriptFact[] {
  const shellId = record.toolUseResult?.backgroundTaskId;
  return [
    ...ids.map((callId): TranscriptFact => ({ kind: "tool-returned", at, callId })),
    ...(shellId === undefined ? [] : [{ kind: "shell-started", at, shellId } as const]),
    // Broken off at a question for permission: the marker may stand beside the refused call's result.
    ...(isMarker(textOf(record.message?.content)) ? [{ kind: "interrupted", at } as const] : []),
  ];
}

/** Ids of the tool results in it; undefined where it holds none. */
function resultIds(content: Content): readonly string[] | undefined {
  if (!Array.isArray(content)) return undefined;
  const results = content.filter((block) => block?.type === "tool_result");
  return results.length === 0 ? undefined : results.flatMap((block) => block?.tool_use_id ?? []);
}

/** Text of a prompt: a plain string, or its text blocks. An image adds nothing. */
export function textOf(content: Content): string {
  if (content === undefined) return "";
  return typeof content === "string" ? content : content.map((block) => block?.text ?? "").join("");
}

/** The same without what an editor or the harness put before the person's own words. */
const ownTextOf = (content: Content): string => ownPartsOf(content).join("");

/** The blocks of that text. */
export function ownPartsOf(content: Content): readonly string[] {
  const parts = typeof content === "string" ? [content] : (content ?? []).map((block) => block?.text ?? "");
  const own = parts.map((part) => part.replace(/^(?:\s*<(system-reminder|ide_\w+)>[\s\S]*?<\/\1>)+\s*/, ""));
  return own.every((part) => part.trim() === "") ? parts : own;
}

const isMarker = (text: string): boolean => /^\s*\[Request interrupted by user[^\]]*\]\s*$/.test(text);

const isInterrupt = (record: UserRecord, text: string): boolean =>
  isMarker(text) || (record.interruptedMessageId !== undefined && record.promptSource === undefined);

/**
 * Text that the harness put in for the model, as an expanded command or a skill: the model answers it. The caveat beside
 * local commands is the exception, nobody answers that.
 */
const meta = (text: string, at: number | undefined): readonly TranscriptFact[] =>
  /^\s*(<local-command-caveat>|Caveat:)/.test(text) || text.trim() === "" ? [] : [{ kind: "working", at }];

function spoken(record: UserRecord, text: string, at: number | undefined): readonly TranscriptFact[] {
  const command = commandName(text);
  if (command !== undefined) {
    const fact = { kind: "command", at, recordId: record.uuid ?? "", name: command, ...promptId(record) } as const;
    // A command that the person's prompt box expands into a prompt says where it came from; a local one does not.
    return record.promptSource === undefined ? [fact] : [fact, { ...prompt(record, text, at), command }];
  }
  // A command for the shell, typed behind `!`: nobody answers it.
  if (/^\s*<bash-input>/.test(text)) return [{ ...prompt(record, text, at), midTurn: true }];
  if (isStatedHuman(record)) return [prompt(record, text, at)];
  const output = commandOutput(text, at);
  if (output !== undefined) return output;
  if (isStatedMachine(record)) return notified(record, text, at);
  if (isNotice(text)) return notified({ ...record, promptSource: "system" }, text, at);
  if (isHarnessText(text) || record.sourceToolAssistantUUID !== undefined || record.sourceToolUseID !== undefined)
    return [];
  return isEmpty(record.message?.content) ? [] : [prompt(record, text, at)];
}

/** What the record itself says of where it comes from goes before what its text looks like. */
const isStatedHuman = ({ origin, promptSource }: UserRecord): boolean =>
  origin?.kind === undefined ? promptSource === "typed" || promptSource === "queued" : origin.kind === "human";

const isStatedMachine = ({ origin, promptSource, turnOrigin }: UserRecord): boolean =>
  (origin?.kind !== undefined && origin.kind !== "human") ||
  promptSource === "system" ||
  promptSource === "sdk" ||
  (turnOrigin !== undefined && turnOrigin !== "human");

function notified(record: UserRecord, text: string, at: number | undefined): readonly TranscriptFact[] {
  const source = record.promptSource === "sdk" ? "sdk" : "system";
  const taskId = /<task-id>([\w-]{1,64})</.exec(text)?.[1];
  return [
    { ...prompt(record, text, at), source },
    ...(taskId === undefined ? [] : [{ kind: "task-ended", at, taskId } as const]),
  ];
}

const sources: ReadonlySet<string> = new Set(["typed", "queued", "sdk", "system"]);

function prompt(record: UserRecord, text: string, at: number | undefined): Extract<TranscriptFact, { kind: "prompt" }> {
  const source = record.promptSource;
  const isKnown = (value: string): value is "typed" | "queued" | "sdk" | "system" => sources.has(value);
  return {
    kind: "prompt",
    at,
    recordId: record.uuid ?? "",
    digest: digestOf(text),
    ...(source !== undefined && isKnown(source) ? { source } : {}),
    ...promptId(record),
  };
}

const promptId = ({ promptId }: UserRecord) => (promptId === undefined ? {} : { promptId });

/** Name of the slash command, without the slash. */
export function commandName(text: string): string | undefined {
  if (!/^\s*<command-(name|message|args)>/.test(text)) return undefined;
  return /<command-name>\s*\/?([^<\s]+)/.exec(text)?.[1];
}

/** What a local command printed; undefined where the text is none. */
export function commandOutput(text: string, at: number | undefined): readonly TranscriptFact[] | undefined {
  const match = /^\s*<local-command-(stdout|stderr)>([\s\S]*)/.exec(text);
  if (match === null) return undefined;
  const output = (match[2] ?? "").replace(/<\/local-command-(stdout|stderr)>\s*$/, "");
  if (/Not enough messages to compact/i.test(output)) return [{ kind: "command-failed", at, reason: "too-little" }];
  if (/Compaction canceled/i.test(output)) return [{ kind: "command-failed", at, reason: "canceled" }];
  const isError = match[1] === "stderr" ? output.trim() !== "" : /^\s*Error\b/.test(output);
  return isError ? [{ kind: "command-failed", at, reason: "error" }] : [];
}

const isNotice = (text: string): boolean => /^\s*(<task-notification>|\[SYSTEM NOTIFICATION)/.test(text);

/** Text in the harness's own tags, at rest or in a turn: neither a prompt nor a reason to answer. */
const isHarnessText = (text: string): boolean =>
  /^\s*(<local-command-|<bash-(stdout|stderr)>|<system-reminder>|<user-prompt-submit-hook>|<ide_|Caveat: The messages below)/.test(
    text,
  );

/** Without text, image or document there is nothing that a person could have sent. */
const isEmpty = (content: Content): boolean =>
  content === undefined ||
  (typeof content === "string"
    ? content.trim() === ""
    : content.every((block) => block === undefined || (block.type === "text" && (block.text ?? "").trim() === "")));
