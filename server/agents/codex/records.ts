import * as z from "zod";

/** The parts of Codex's rollout records that we read, older files and today's paginated ones (facts/codex b). */
const text = z.string().optional().catch(undefined);
const count = z.number().int().nonnegative().optional().catch(undefined);

export const SessionMeta = z.object({
  id: text,
  session_id: text,
  cwd: text,
  cli_version: text,
  forked_from_id: text,
  history_base: z.object({}).optional().catch(undefined),
  source: z.unknown().optional(),
  thread_source: z.unknown().optional(),
});
export type SessionMeta = z.infer<typeof SessionMeta>;

export const TurnContext = z.object({
  model: text,
  cwd: text,
  approval_policy: z.unknown().optional(),
  /** `type` today, `mode` in older files. */
  sandbox_policy: z
    .union([z.string(), z.object({ type: text, mode: text })])
    .optional()
    .catch(undefined),
  collaboration_mode: z.object({ mode: text }).optional().catch(undefined),
});
export type TurnContext = z.infer<typeof TurnContext>;

const Usage = z.object({ input_tokens: count, output_tokens: count, total_tokens: count }).optional().catch(undefined);

export const TokenCount = z.object({
  type: z.literal("token_count"),
  info: z
    .object({ total_token_usage: Usage, last_token_usage: Usage, model_context_window: count })
    .optional()
    .catch(undefined),
});
export type TokenCount = z.infer<typeof TokenCount>;

const Failure = z.object({ message: text, codex_error_info: z.unknown().optional() }).optional().catch(undefined);

const Item = z
  .object({
    type: text,
    id: text,
    content: z
      .array(z.object({ type: text, text }).optional().catch(undefined))
      .optional()
      .catch(undefined),
  })
  .optional()
  .catch(undefined);

export const Event = z.discriminatedUnion("type", [
  TokenCount,
  z.object({
    type: z.enum(["task_started", "turn_started"]),
    turn_id: text,
    turn_attribution: z.object({}).optional().catch(undefined),
    model_context_window: count,
  }),
  z.object({ type: z.enum(["task_complete", "turn_complete"]), turn_id: text, error: Failure }),
  z.object({ type: z.literal("turn_aborted"), turn_id: text, reason: text }),
  z.object({
    type: z.literal("user_message"),
    message: text,
    kind: text,
    id: text,
    images: z.array(z.unknown()).optional().catch(undefined),
    local_images: z.array(z.unknown()).optional().catch(undefined),
  }),
  z.object({ type: z.literal("agent_message"), message: text }),
  z.object({ type: z.literal("item_completed"), item: Item }),
  z.object({ type: z.literal("context_compacted") }),
  z.object({ type: z.literal("error"), message: text, codex_error_info: z.unknown().optional() }),
]);
export type Event = z.infer<typeof Event>;

export const ResponseItem = z.object({
  type: text,
  call_id: text,
  id: text,
  name: text,
  role: text,
  content: z
    .array(z.object({ type: text, text }).optional().catch(undefined))
    .optional()
    .catch(undefined),
});
export type ResponseItem = z.infer<typeof ResponseItem>;

export const Line = z.object({
  timestamp: z.union([z.string(), z.number()]).optional().catch(undefined),
  /** Only records of the paginated history count. */
  ordinal: count,
  type: z.string(),
  payload: z.unknown().optional(),
  metadata: z
    .object({ compaction_output: z.boolean().optional().catch(undefined) })
    .optional()
    .catch(undefined),
});
export type Line = z.infer<typeof Line>;
