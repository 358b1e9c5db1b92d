import type { TranscriptFact } from "../../core/transcript.ts";
import { type Edges, stringsOf, timeOf } from "../bytes.ts";
import { membersAtEnd, membersAtStart } from "../members.ts";
import { assistantFacts } from "./assistant.ts";
import { permissionFacts } from "./permission.ts";
import { AssistantRecord, UserRecord } from "./records.ts";
import { userFacts } from "./user.ts";

/**
 * A line of which only the beginning and the end were kept. A response still gives its usage, a tool result its id, and
 * a prompt with pasted images is still a prompt; what it said is unknown then, and equals nothing that we typed.
 */
export function longFacts(edges: Edges): readonly TranscriptFact[] {
  const start = membersAtStart(edges.headBytes.toString("utf8"));
  const end = membersAtEnd(edges.tailBytes.toString("utf8"));
  const outer = Object.fromEntries([...start, ...end]);
  const outerOf = (key: string): unknown => end.get(key) ?? start.get(key);
  const type = start.get("type") ?? end.get("type") ?? start.get("message.role");
  const at = timeOf(outerOf("timestamp"));
  if (outerOf("isSidechain") === true) return [{ kind: "sidechain", at }];
  const inner = (key: string): unknown => start.get(`message.${key}`) ?? end.get(`?.${key}`);
  switch (type) {
    case "assistant":
      return longResponse(outer, inner, edges);
    case "user":
      return longPrompt(outer, edges, at);
    case "queue-operation":
      return outerOf("operation") === "enqueue" ? [{ kind: "queued", at }] : [];
    case "system":
      return outerOf("subtype") === "compact_boundary" ? [longBoundary(start, at, outerOf("uuid"))] : [];
    default:
      return [];
  }
}

function longResponse(outer: object, inner: (key: string) => unknown, edges: Edges): readonly TranscriptFact[] {
  const content = [...blockTypes(edges)].map(([id, name]) => ({ type: "tool_use", id, name }));
  const message = {
    id: inner("id"),
    model: inner("model"),
    stop_reason: inner("stop_reason"),
    usage: inner("usage"),
    content,
  };
  const record = AssistantRecord.safeParse({ ...outer, type: "assistant", message });
  return record.success ? assistantFacts(record.data) : [];
}

function longBoundary(start: ReadonlyMap<string, unknown>, at: number | undefined, recordId: unknown): TranscriptFact {
  const trigger = start.get("compactMetadata.trigger");
  const preTokens = start.get("compactMetadata.preTokens");
  const postTokens = start.get("compactMetadata.postTokens");
  return {
    kind: "compacted",
    at,
    trigger: trigger === "manual" || trigger === "auto" ? trigger : "unknown",
    ...(typeof recordId === "string" ? { recordId } : {}),
    ...(typeof preTokens === "number" ? { preTokens } : {}),
    ...(typeof postTokens === "number" ? { postTokens } : {}),
  };
}

/** Tool calls whose beginning was kept: id → name. */
function blockTypes({ headBytes, tailBytes }: Edges): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const text of [headBytes.toString("latin1"), tailBytes.toString("latin1")])
    for (const [, id, name] of text.matchAll(/"type":"tool_use","id":"([^"\\]{1,100})","name":"([^"\\]{1,100})"/g))
      if (id !== undefined && name !== undefined) found.set(id, name);
  return found;
}

function longPrompt(outer: object, edges: Edges, at: number | undefined): readonly TranscriptFact[] {
  const { headBytes, tailBytes } = edges;
  const head = headBytes.toString("latin1");
  if (/"type"\s*:\s*"tool_result"/.test(head) || tailBytes.indexOf('"tool_use_id"') >= 0) {
    const ids = new Set([...stringsOf(headBytes, "tool_use_id"), ...stringsOf(tailBytes, "tool_use_id")]);
    return [...ids].map((callId) => ({ kind: "tool-returned", at, callId }));
  }
  const record = UserRecord.safeParse({ ...outer, type: "user", message: { content: beginning(headBytes) } });
  if (!record.success) return [];
  return [
    ...permissionFacts(record.data.permissionMode, at),
    ...userFacts(record.data).map((fact) => (fact.kind === "prompt" ? { ...fact, digest: "" } : fact)),
  ];
}

/** How the text begins, as far as it tells a notice from a prompt. */
function beginning(headBytes: Buffer): string {
  const head = headBytes.toString("utf8");
  const text = /"(?:content|text)"\s*:\s*"((?:[^"\\]|\\[\s\S]){0,300})/.exec(head)?.[1] ?? "";
  return text === "" ? "[image]" : text.replace(/\\n/g, "\n").replace(/\\"/g, '"');
}
