import type { TranscriptFact } from "../../core/transcript.ts";
import type { ParsedLine, TranscriptLine, Wanted } from "../adapter.ts";
import { type Edges, edgesOf, jsonOf, looksLikeObject, stringsOf, timeOf } from "../bytes.ts";
import { saidFacts } from "../said.ts";
import { eventFacts } from "./events.ts";
import { permissionFacts } from "./permission.ts";
import { Line, ResponseItem, SessionMeta, TurnContext } from "./records.ts";

const nothing: ParsedLine = { kind: "record", facts: [] };

/** A longer call, result or compaction is not parsed: what we need of it stands at its beginning. */
const parsedItemMost = 4096;

/** One line of a Codex rollout. Pure and total: a line never throws. */
export function parseLine(line: TranscriptLine, wanted: Wanted = "all"): ParsedLine {
  const edges = edgesOf(line);
  if (edges === undefined) return { kind: "blank" };
  if (!looksLikeObject(edges)) return { kind: "bad", problem: "no JSON object" };
  const { whole } = edges;
  const isSaid = wanted === "all" && isAnswer(edges);
  if (!isSaid && !mayMatter(edges, wanted === "all" ? kinds : lastingKinds)) return nothing;
  if (whole === undefined || (edges.length > parsedItemMost && isItem(edges) && !isSaid))
    return { kind: "record", facts: longFacts(edges) };
  const json = jsonOf(whole);
  if (json === undefined) return { kind: "bad", problem: "no JSON" };
  const record = Line.safeParse(json);
  return record.success ? { kind: "record", facts: factsOf(record.data) } : nothing;
}

const kinds =
  /"type"\s*:\s*"(?:session_meta|turn_context|compacted|token_count|task_started|turn_started|task_complete|turn_complete|turn_aborted|user_message|agent_message|UserMessage|context_compacted|error|function_call|custom_tool_call|local_shell_call|function_call_output|custom_tool_call_output|local_shell_call_output)"/;

const lastingKinds =
  /"type"\s*:\s*"(?:session_meta|turn_context|compacted|context_compacted|turn_aborted|user_message|UserMessage)"/;

const mayMatter = (edges: Edges, wanted: RegExp): boolean =>
  wanted.test(edges.head) || (!/"payload"\s*:\s*\{\s*"type"/.test(edges.head) && wanted.test(edges.tail));

/** Kinds whose length comes from what a tool or a model wrote. */
const isItem = ({ head }: Edges): boolean => /"type"\s*:\s*"(?:compacted|response_item)"/.test(head);

/** A text of the model: all of it is parsed, how it ends is asked for. */
const isAnswer = ({ head }: Edges): boolean =>
  /"payload"\s*:\s*\{\s*"type"\s*:\s*"message"/.test(head) && /"role"\s*:\s*"assistant"/.test(head);

/** From the beginning of a long record; its middle was never read as JSON. */
function longFacts(edges: Edges): readonly TranscriptFact[] {
  const { head, headBytes } = edges;
  const type = /"type"\s*:\s*"([a-z_]+)"/.exec(head)?.[1] ?? "";
  const kind = /"payload"\s*:\s*\{\s*"type"\s*:\s*"([A-Za-z_]+)"/.exec(head)?.[1];
  const timestamp = /"timestamp"\s*:\s*"([^"\\]{1,40})"/.exec(head)?.[1];
  const at = timeOf(timestamp);
  if (type === "compacted") return [{ kind: "compacted", at, trigger: "unknown" }];
  if (type === "response_item") {
    const call_id = stringsOf(headBytes, "call_id")[0] ?? stringsOf(edges.tailBytes, "call_id").at(-1);
    return itemFacts({ type: kind, call_id, name: stringsOf(headBytes, "name")[0] }, at);
  }
  if (type === "session_meta") {
    const payload = Object.fromEntries(
      ["id", "cwd", "cli_version", "forked_from_id"].map((key) => [key, stringsOf(headBytes, key)[0]]),
    );
    const isSub = /"(?:source|thread_source)"\s*:\s*(?:\{\s*)?"sub_?agent"/i.test(headBytes.toString("latin1"));
    return factsOf({
      timestamp,
      ordinal: undefined,
      type,
      payload: { ...payload, ...(isSub ? { source: { subagent: {} } } : {}) },
    });
  }
  if (type !== "event_msg") return [];
  // A prompt too long to keep is still a prompt; its digest equals nothing that we typed.
  const isPrompt = kind === "user_message" || /"item"\s*:\s*\{\s*"type"\s*:\s*"UserMessage"/.test(head);
  if (isPrompt) return [{ kind: "prompt", at, recordId: stringsOf(headBytes, "id")[0] ?? timestamp ?? "", digest: "" }];
  if (kind === "task_complete" || kind === "turn_complete") {
    const turnId = stringsOf(headBytes, "turn_id")[0] ?? stringsOf(edges.tailBytes, "turn_id").at(-1);
    return [{ kind: "turn-ended", at, ...(turnId === undefined ? {} : { turnId }) }];
  }
  return [];
}

function factsOf({ timestamp, ordinal, type, payload, metadata }: Line): readonly TranscriptFact[] {
  const at = timeOf(timestamp);
  switch (type) {
    case "session_meta": {
      const meta = SessionMeta.safeParse(payload);
      return meta.success ? [opened(meta.data, at)] : [];
    }
    case "turn_context": {
      const context = TurnContext.safeParse(payload);
      if (!context.success) return [];
      const { model, cwd } = context.data;
      return [
        ...(model === undefined ? [] : [{ kind: "model", at, model } as const]),
        ...(cwd === undefined ? [] : [{ kind: "opened", at, cwd } as const]),
        ...permissionFacts(context.data, at),
      ];
    }
    case "compacted":
      return [{ kind: "compacted", at, trigger: "unknown" }];
    case "event_msg":
      return eventFacts(payload, { at, isPaginated: ordinal !== undefined, timestamp: String(timestamp ?? "") });
    case "response_item": {
      if (metadata?.compaction_output === true) return [{ kind: "summarising", at }];
      const item = ResponseItem.safeParse(payload);
      return item.success ? itemFacts(item.data, at) : [];
    }
    default:
      return [];
  }
}

function opened(meta: SessionMeta, at: number | undefined): TranscriptFact {
  const conversationId = meta.id ?? meta.session_id;
  return {
    kind: "opened",
    at,
    ...(conversationId === undefined ? {} : { conversationId }),
    ...(meta.cwd === undefined ? {} : { cwd: meta.cwd }),
    ...(meta.cli_version === undefined ? {} : { version: meta.cli_version }),
    ...(meta.forked_from_id === undefined
      ? {}
      : // Paginated history stays in the parent's file; older versions copied it (facts/codex j).
        { forkedFrom: meta.forked_from_id, replaysParent: meta.history_base === undefined }),
    subAgent: isSubAgent(meta.source) || isSubAgent(meta.thread_source),
  };
}

const isSubAgent = (source: unknown): boolean =>
  typeof source === "string"
    ? /^sub_?agent/i.test(source)
    : typeof source === "object" && source !== null && Object.keys(source).some((key) => /^sub_?agent$/i.test(key));

/** Tools by which Codex asks the person. */
const asking: ReadonlySet<string> = new Set(["request_user_input", "request_permissions"]);

function itemFacts(item: Partial<ResponseItem>, at: number | undefined): readonly TranscriptFact[] {
  const { type, call_id, id, name } = item;
  if (type === "message") {
    const texts = (item.content ?? []).map((part) => part?.text);
    return item.role === "assistant" ? saidFacts(texts, at) : [];
  }
  const callId = call_id ?? id;
  if (callId === undefined) return [];
  switch (type) {
    case "function_call":
    case "custom_tool_call":
    case "local_shell_call": {
      const waitsFor = asking.has(name ?? "") ? "an answer to its question" : undefined;
      return [{ kind: "tool-called", at, callId, ...(waitsFor === undefined ? {} : { waitsFor }) }];
    }
    case "function_call_output":
    case "custom_tool_call_output":
    case "local_shell_call_output":
      return [{ kind: "tool-returned", at, callId }];
    default:
      return [];
  }
}
