import { digestOf } from "../../core/digest.ts";
import type { TranscriptFact } from "../../core/transcript.ts";
import type { ParsedLine, TranscriptLine, Wanted } from "../adapter.ts";
import { type Edges, edgesOf, jsonOf, looksLikeObject, stringsOf, timeOf } from "../bytes.ts";
import { assistantFacts } from "./assistant.ts";
import { longFacts } from "./long.ts";
import { permissionFacts } from "./permission.ts";
import { Record, type SystemRecord, type UserRecord } from "./records.ts";
import { commandName, commandOutput, textOf, userFacts } from "./user.ts";

/** A longer tool result is not parsed: its ids stand in the line as they are. */
const parsedResultMost = 4096;

const nothing: ParsedLine = { kind: "record", facts: [] };

/** One line of a Claude Code transcript. Pure and total: a line never throws. */
export function parseLine(line: TranscriptLine, wanted: Wanted = "all"): ParsedLine {
  const edges = edgesOf(line);
  if (edges === undefined) return { kind: "blank" };
  if (!looksLikeObject(edges)) return { kind: "bad", problem: "no JSON object" };
  const { whole } = edges;
  if (whole !== undefined && edges.length <= 120 && !/queue-op|user|assist|system|permission/.test(edges.head))
    return small(whole);
  if (!mayMatter(edges) || (wanted === "lasting" && !mayLast(edges))) return nothing;
  if (whole === undefined) return { kind: "record", facts: longFacts(edges) };
  if (edges.length > parsedResultMost && isToolResult(edges))
    return { kind: "record", facts: resultFacts(whole, edges) };
  const json = jsonOf(whole);
  if (json === undefined) return { kind: "bad", problem: "no JSON" };
  const record = Record.safeParse(json);
  return record.success ? { kind: "record", facts: factsOf(record.data) } : nothing;
}

/** Short lines of kinds that say nothing are many; still a broken one must be seen. */
const small = (whole: Buffer): ParsedLine =>
  jsonOf(whole) === undefined ? { kind: "bad", problem: "no JSON" } : nothing;

/** Kinds we read. The kind stands near the start of a line or near its end, as versions differ. */
const kinds =
  /"(?:type|role)"\s*:\s*"(?:user|assistant|system|queue-operation|permission-mode)"|"attachment"\s*:\s*\{\s*"type"\s*:\s*"(?:model|queued_command)"/;

const mayMatter = (edges: Edges): boolean => kinds.test(edges.head) || kinds.test(edges.tail);

/** Responses never last; of tool results only the start of a shell in the background. */
const mayLast = (edges: Edges): boolean =>
  !isResponse(edges) &&
  (!isToolResult(edges) || /"backgroundTaskId"/.test(edges.head) || /"backgroundTaskId"/.test(edges.tail));

const isResponse = (edges: Edges): boolean =>
  response.test(edges.head) || (!/"(?:type|role)"\s*:\s*"user"/.test(edges.head) && response.test(edges.tail));

const response = /"(?:type|role)"\s*:\s*"assistant"/;

const isToolResult = ({ head }: Edges): boolean =>
  /"type"\s*:\s*"tool_result"/.test(head) && !/"type"\s*:\s*"assistant"/.test(head);

function resultFacts(whole: Buffer, edges: Edges): readonly TranscriptFact[] {
  const at = timeOf(stringsOf(whole, "timestamp")[0]);
  const isSide = /"isSidechain"\s*:\s*true/;
  if (isSide.test(edges.head) || isSide.test(edges.tail)) return [{ kind: "sidechain", at }];
  return [...new Set(stringsOf(whole, "tool_use_id"))].map((callId) => ({ kind: "tool-returned", at, callId }));
}

function factsOf(record: Record): readonly TranscriptFact[] {
  const at = timeOf(record.timestamp);
  if (record.type === "queue-operation") return queueFacts(record.operation, record.content, at);
  if (record.type === "permission-mode") return permissionFacts(record.permissionMode, at);
  if (record.isSidechain === true)
    return [
      { kind: "opened", at, subAgent: true },
      { kind: "sidechain", at },
    ];
  const opened: TranscriptFact = { kind: "opened", at, ...place(record), subAgent: false };
  switch (record.type) {
    case "user":
      return [opened, ...permissionFacts(record.permissionMode, at), ...userFacts(record)];
    case "assistant":
      return [opened, ...assistantFacts(record)];
    case "system":
      return [opened, ...systemFacts(record, at)];
    case "attachment":
      return [opened, ...attachmentFacts(record, at)];
  }
}

type Placed = Pick<UserRecord, "sessionId" | "cwd" | "version" | "parentUuid"> &
  Partial<Pick<UserRecord, "forkedFrom">>;

function place({ sessionId, cwd, version, parentUuid, forkedFrom }: Placed) {
  return {
    ...(sessionId === undefined ? {} : { conversationId: sessionId }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(version === undefined ? {} : { version }),
    ...(parentUuid === undefined ? {} : { parentRecord: parentUuid }),
    ...(forkedFrom?.sessionId === undefined ? {} : { forkedFrom: forkedFrom.sessionId }),
  };
}

function systemFacts(record: SystemRecord, at: number | undefined): readonly TranscriptFact[] {
  switch (record.subtype) {
    case "compact_boundary": {
      const { trigger, preTokens, postTokens } = record.compactMetadata ?? {};
      return [
        {
          kind: "compacted",
          at,
          trigger: trigger === "manual" || trigger === "auto" ? trigger : "unknown",
          ...(record.uuid === undefined ? {} : { recordId: record.uuid }),
          ...(preTokens === undefined ? {} : { preTokens }),
          ...(postTokens === undefined ? {} : { postTokens }),
        },
      ];
    }
    case "turn_duration":
      return [{ kind: "turn-ended", at, pendingAgents: record.pendingBackgroundAgentCount ?? 0 }];
    case "local_command": {
      const text = record.content ?? "";
      const name = commandName(text);
      if (name !== undefined) return [{ kind: "command", at, recordId: record.uuid ?? "", name }];
      return commandOutput(text, at) ?? [];
    }
    default:
      return [];
  }
}

/** `remove`: taken out singly, or given to the running turn. `popAll`: all back into the prompt box. */
function queueFacts(
  operation: string | undefined,
  content: string | undefined,
  at: number | undefined,
): readonly TranscriptFact[] {
  switch (operation) {
    case "enqueue":
      return [{ kind: "queued", at, ...digestIn(content) }];
    case "dequeue":
    case "remove":
    case "pop":
      return [{ kind: "dequeued", at, all: false, ...digestIn(content) }];
    case "popAll":
    case "clear":
    case "removeAll":
    case "dequeueAll":
      return [{ kind: "dequeued", at, all: true }];
    default:
      return [];
  }
}

const digestIn = (content: string | undefined) => (content === undefined ? {} : { digest: digestOf(content) });

function attachmentFacts(
  record: Extract<Record, { type: "attachment" }>,
  at: number | undefined,
): readonly TranscriptFact[] {
  const { attachment } = record;
  if (attachment.type === "model") {
    const model = attachment.identity?.modelId;
    return model === undefined ? [] : [{ kind: "model", at, model }];
  }
  const text = textOf(attachment.prompt);
  const isNotice =
    (attachment.commandMode !== undefined && attachment.commandMode !== "prompt") ||
    (attachment.origin?.kind !== undefined && attachment.origin.kind !== "human") ||
    /^\s*<task-notification>/.test(text);
  const source = isNotice ? "system" : "queued";
  return [{ kind: "prompt", at, recordId: record.uuid ?? "", digest: digestOf(text), source, midTurn: true }];
}
