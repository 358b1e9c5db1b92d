import type { TranscriptFact } from "../../core/transcript.ts";
import { timeOf } from "../bytes.ts";
import { saidFacts } from "../said.ts";
import type { AssistantRecord, Content, Usage } from "./records.ts";
import { textOf } from "./user.ts";

/** Tools by which Claude asks the person: the call stays open until there is an answer. */
const asking: Readonly<Record<string, string>> = {
  AskUserQuestion: "an answer to its question",
  ExitPlanMode: "approval of its plan",
};

const ending: ReadonlySet<string> = new Set([
  "end_turn",
  "stop_sequence",
  "max_tokens",
  "refusal",
  "model_context_window_exceeded",
]);

/** What a response's record says. One record per content block, each with the usage of all (facts/claude-code b). */
export function assistantFacts(record: AssistantRecord): readonly TranscriptFact[] {
  const at = timeOf(record.timestamp);
  const { message } = record;
  if (record.isApiErrorMessage === true || message?.model === "<synthetic>") return synthetic(record, at);
  const responseId = message?.id ?? record.requestId ?? record.uuid ?? "";
  const calls = Array.isArray(message?.content) ? message.content.filter((block) => block?.type === "tool_use") : [];
  const stop = message?.stop_reason ?? undefined;
  return [
    ...usageFacts(record, responseId, at),
    ...saidFacts(textsOf(message?.content), at),
    { kind: "working", at },
    ...calls.flatMap((block): TranscriptFact[] => {
      if (block?.id === undefined) return [];
      const waitsFor = Object.hasOwn(asking, block.name ?? "") ? asking[block.name ?? ""] : undefined;
      return [
        { kind: "tool-called", at, callId: block.id, responseId, ...(waitsFor === undefined ? {} : { waitsFor }) },
      ];
    }),
    ...(stop !== undefined && ending.has(stop) && calls.length === 0 ? [{ kind: "turn-ended", at } as const] : []),
  ];
}

const textsOf = (content: Content): readonly (string | undefined)[] =>
  typeof content === "string" ? [content] : (content ?? []).map((block) => (block?.type === "text" ? block.text : ""));

/** A record that Claude made itself: never a reading, never a model (facts/claude-code l). */
function synthetic(record: AssistantRecord, at: number | undefined): readonly TranscriptFact[] {
  const text = textOf(record.message?.content);
  const isError =
    record.isApiErrorMessage === true ||
    record.error !== undefined ||
    /^\s*(API Error|Prompt is too long|Credit balance|Invalid API key)/i.test(text);
  if (!isError) return [{ kind: "turn-ended", at }];
  const overflow = /prompt is too long|context[_ ](window|limit)/i.test(`${text} ${record.errorDetails ?? ""}`);
  return [{ kind: "api-error", at, overflow }];
}

function usageFacts(record: AssistantRecord, responseId: string, at: number | undefined): readonly TranscriptFact[] {
  const { message } = record;
  const model = modelOf(message?.model, record.requestedModel);
  const named: readonly TranscriptFact[] = model === undefined ? [] : [{ kind: "model", at, model }];
  const isComplete = (message?.stop_reason ?? undefined) !== undefined;
  if (message?.usage === undefined || !hasInput(message.usage))
    return isComplete ? [...named, { kind: "unmetered", at, responseId }] : named;
  const { tokens, output } = sizeOf(message.usage);
  // The first records of a streamed response may be written before the figures are known.
  if (tokens === 0 && !isComplete) return output === 0 ? named : [...named, { kind: "unmetered", at, responseId }];
  return [{ kind: "usage", at, responseId, tokens, output, ...(model === undefined ? {} : { model }) }];
}

/** The API names the model without `[1m]`; what was asked for keeps it (facts/claude-code b). */
function modelOf(model: string | undefined, requested: string | undefined): string | undefined {
  if (model === undefined || model === "") return undefined;
  return requested?.endsWith("[1m]") === true && !model.endsWith("[1m]") ? `${model}[1m]` : model;
}

type Sizes = Pick<Usage, "input_tokens" | "cache_creation_input_tokens" | "cache_read_input_tokens">;

/**
 * Context size: input, cache creation and cache read (R3). A response that went over the context several times counts
 * each time in its totals; only the last pass is the context's size.
 */
export function sizeOf(usage: Usage): { readonly tokens: number; readonly output: number } {
  const passes = (usage.iterations ?? []).filter(
    (pass) => pass !== undefined && pass.type !== "compaction" && inputOf(pass) > 0,
  );
  const last = passes.length > 1 ? passes.at(-1) : undefined;
  const split = usage.cache_creation;
  const created =
    usage.cache_creation_input_tokens ??
    (split?.ephemeral_5m_input_tokens ?? 0) + (split?.ephemeral_1h_input_tokens ?? 0);
  const tokens = last === undefined ? inputOf({ ...usage, cache_creation_input_tokens: created }) : inputOf(last);
  return { tokens, output: last?.output_tokens ?? usage.output_tokens ?? 0 };
}

/** Whether it says anything of the input, if only that it was nothing. */
const hasInput = (usage: Usage): boolean =>
  [
    usage.input_tokens,
    usage.cache_creation_input_tokens,
    usage.cache_read_input_tokens,
    usage.cache_creation?.ephemeral_5m_input_tokens,
    usage.cache_creation?.ephemeral_1h_input_tokens,
  ].some((count) => count !== undefined);

const inputOf = (usage: Sizes): number =>
  (usage.input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0);
