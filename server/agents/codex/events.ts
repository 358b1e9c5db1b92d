import { digestOf } from "../../core/digest.ts";
import type { TranscriptFact } from "../../core/transcript.ts";
import { saidFacts } from "../said.ts";
import { Event, type TokenCount } from "./records.ts";

type About = { readonly at: number | undefined; readonly isPaginated: boolean; readonly timestamp: string };

/** What an `event_msg` says. */
export function eventFacts(payload: unknown, about: About): readonly TranscriptFact[] {
  const parsed = Event.safeParse(payload);
  return parsed.success ? factsOf(parsed.data, about) : [];
}

function factsOf(event: Event, { at, isPaginated, timestamp }: About): readonly TranscriptFact[] {
  switch (event.type) {
    case "token_count":
      return usageFacts(event, at);
    case "task_started":
    case "turn_started": {
      const { turn_id: turnId, model_context_window: windowSize } = event;
      return [
        {
          kind: "turn-started",
          at,
          ...(turnId === undefined ? {} : { turnId }),
          ...(isPaginated ? { attributed: event.turn_attribution !== undefined } : {}),
        },
        ...(windowSize === undefined || windowSize === 0 ? [] : [{ kind: "window", at, windowSize } as const]),
      ];
    }
    case "task_complete":
    case "turn_complete":
      return [
        ended(event.turn_id, at),
        ...(event.error === undefined ? [] : [failed(event.error.message, event.error.codex_error_info, at)]),
      ];
    case "turn_aborted":
      // Only an interrupt is a person's doing; `replaced` and `review_ended` are the agent's.
      return event.reason === undefined || event.reason === "interrupted"
        ? [ended(event.turn_id, at), interrupted(event.turn_id, at)]
        : [ended(event.turn_id, at)];
    case "user_message":
      return isInjected(event.message ?? "", event.kind)
        ? []
        : [
            {
              kind: "prompt",
              at,
              recordId: event.id ?? timestamp,
              digest: digestOf(event.message ?? ""),
              record: "message",
            },
          ];
    case "agent_message":
      return saidFacts([event.message], at);
    case "item_completed":
      return event.item?.type === "UserMessage"
        ? [
            {
              kind: "prompt",
              at,
              recordId: event.item.id ?? timestamp,
              digest: digestOf((event.item.content ?? []).map((part) => part?.text ?? "").join("")),
              record: "item",
            },
          ]
        : [];
    case "context_compacted":
      return [{ kind: "compacted", at, trigger: "unknown", announced: true }];
    case "error":
      return [failed(event.message, event.codex_error_info, at)];
  }
}

const ended = (turnId: string | undefined, at: number | undefined): TranscriptFact => ({
  kind: "turn-ended",
  at,
  ...(turnId === undefined ? {} : { turnId }),
});

const interrupted = (turnId: string | undefined, at: number | undefined): TranscriptFact => ({
  kind: "interrupted",
  at,
  ...(turnId === undefined ? {} : { turnId }),
});

/** The kind of error is a word, or an object named by it (facts/codex k). */
function failed(message: string | undefined, info: unknown, at: number | undefined): TranscriptFact {
  const words = `${typeof info === "string" ? info : JSON.stringify(info ?? "")} ${message ?? ""}`;
  return { kind: "api-error", at, overflow: /context_(window|length)_exceeded|ran out of room/i.test(words) };
}

/** Older versions record what they inject for the model as messages of the user, too (facts/codex i). */
const isInjected = (message: string, kind: string | undefined): boolean =>
  (kind !== undefined && kind !== "plain") ||
  /^\s*(<environment_context>|<user_instructions>|<turn_aborted>|# AGENTS\.md instructions for )/.test(message);

/**
 * `last_token_usage.total_tokens` is the context's size, `total_token_usage` the sum of all responses ever (facts/codex b).
 * After a compaction or an overflow every other figure is 0: the agent's own estimate.
 */
function usageFacts({ info }: TokenCount, at: number | undefined): readonly TranscriptFact[] {
  const last = info?.last_token_usage;
  const windowSize = info?.model_context_window;
  const window = windowSize === undefined || windowSize === 0 ? [] : [{ kind: "window", at, windowSize } as const];
  const tokens = last?.total_tokens ?? sum(last?.input_tokens, last?.output_tokens);
  if (tokens === undefined) return window;
  const estimate = tokens > 0 && (last?.input_tokens ?? 0) === 0 && (last?.output_tokens ?? 0) === 0;
  const total = info?.total_token_usage?.total_tokens;
  return [
    ...window,
    {
      kind: "usage",
      at,
      // The same figures are reported again with every change of the rate limits.
      responseId: `${total ?? at ?? ""}/${tokens}`,
      tokens,
      output: last?.output_tokens ?? 0,
      ...(estimate ? { estimate } : {}),
    },
  ];
}

const sum = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);
