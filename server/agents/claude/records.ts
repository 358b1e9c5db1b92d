import * as z from "zod";

/**
 * The parts of Claude Code's records that we read; everything else is tomorrow's version and passes (facts/claude-code b).
 * A member of an unexpected type counts as absent: one odd field must not lose a record.
 */
const text = z.string().optional().catch(undefined);
const flag = z.boolean().optional().catch(undefined);
const count = z.number().int().nonnegative().optional().catch(undefined);

const Tokens = {
  input_tokens: count,
  cache_creation_input_tokens: count,
  cache_read_input_tokens: count,
  output_tokens: count,
};

const Iteration = z.object({ type: text, ...Tokens });

export const Usage = z.object({
  ...Tokens,
  cache_creation: z
    .object({ ephemeral_5m_input_tokens: count, ephemeral_1h_input_tokens: count })
    .optional()
    .catch(undefined),
  iterations: z.array(Iteration.optional().catch(undefined)).optional().catch(undefined),
});
export type Usage = z.infer<typeof Usage>;

const Block = z.object({
  type: text,
  text,
  id: text,
  name: text,
  tool_use_id: text,
});
const Content = z
  .union([z.string(), z.array(Block.optional().catch(undefined))])
  .optional()
  .catch(undefined);
export type Content = z.infer<typeof Content>;

const Message = z
  .object({
    id: text,
    model: text,
    stop_reason: z.string().nullish().catch(undefined),
    content: Content,
    usage: Usage.optional().catch(undefined),
  })
  .optional()
  .catch(undefined);

const common = {
  uuid: text,
  parentUuid: text,
  timestamp: z.union([z.string(), z.number()]).optional().catch(undefined),
  sessionId: text,
  cwd: text,
  version: text,
  isSidechain: flag,
  agentId: text,
  message: Message,
};

export const UserRecord = z.object({
  type: z.literal("user"),
  ...common,
  promptId: text,
  promptSource: text,
  origin: z.object({ kind: text }).optional().catch(undefined),
  turnOrigin: text,
  rowSource: text,
  permissionMode: text,
  isMeta: flag,
  isCompactSummary: flag,
  isVisibleInTranscriptOnly: flag,
  interruptedMessageId: text,
  sourceToolAssistantUUID: text,
  sourceToolUseID: text,
  forkedFrom: z.object({ sessionId: text }).optional().catch(undefined),
  toolUseResult: z.object({ backgroundTaskId: text }).optional().catch(undefined),
});
export type UserRecord = z.infer<typeof UserRecord>;

export const AssistantRecord = z.object({
  type: z.literal("assistant"),
  ...common,
  requestId: text,
  requestedModel: text,
  isApiErrorMessage: flag,
  error: text,
  errorDetails: text,
});
export type AssistantRecord = z.infer<typeof AssistantRecord>;

export const SystemRecord = z.object({
  type: z.literal("system"),
  ...common,
  subtype: text,
  content: text,
  pendingBackgroundAgentCount: count,
  compactMetadata: z.object({ trigger: text, preTokens: count, postTokens: count }).optional().catch(undefined),
});
export type SystemRecord = z.infer<typeof SystemRecord>;

const QueueRecord = z.object({
  type: z.literal("queue-operation"),
  timestamp: common.timestamp,
  operation: text,
  content: text,
});

const PermissionRecord = z.object({
  type: z.literal("permission-mode"),
  timestamp: common.timestamp,
  permissionMode: text,
});

const AttachmentRecord = z.object({
  type: z.literal("attachment"),
  ...common,
  attachment: z.discriminatedUnion("type", [
    z.object({ type: z.literal("model"), identity: z.object({ modelId: text }).optional().catch(undefined) }),
    z.object({
      type: z.literal("queued_command"),
      prompt: Content,
      commandMode: text,
      origin: z.object({ kind: text }).optional().catch(undefined),
    }),
  ]),
});

export const Record = z.discriminatedUnion("type", [
  UserRecord,
  AssistantRecord,
  SystemRecord,
  QueueRecord,
  PermissionRecord,
  AttachmentRecord,
]);
export type Record = z.infer<typeof Record>;
