/** Records as Claude Code 2.1 writes them, one line each. */
const line = (record: object): string => `${JSON.stringify(record)}\n`;
const iso = (at: number): string => new Date(at).toISOString();
const common = (sessionId: string, at: number) => ({
  isSidechain: false,
  timestamp: iso(at),
  sessionId,
  cwd: "/w/api",
  version: "2.1.332",
});

export const human = (
  sessionId: string,
  uuid: string,
  at: number,
  content: string | readonly object[] = "go on",
  permissionMode?: string,
): string =>
  line({
    parentUuid: null,
    type: "user",
    message: { role: "user", content },
    uuid,
    origin: { kind: "human" },
    promptSource: "typed",
    ...(permissionMode === undefined ? {} : { permissionMode }),
    ...common(sessionId, at),
  });

type Said = {
  readonly content?: readonly object[];
  readonly stop?: "end_turn" | "tool_use";
};

export const assistant = (
  sessionId: string,
  id: string,
  tokens: number,
  at: number,
  { content = [{ type: "text", text: "ok" }], stop = "end_turn" }: Said = {},
): string =>
  line({
    parentUuid: null,
    message: {
      id,
      type: "message",
      role: "assistant",
      model: "claude-opus-5-5",
      content,
      stop_reason: stop,
      usage: {
        input_tokens: 10,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: tokens - 10,
        output_tokens: 5,
      },
    },
    requestId: `req_${id}`,
    type: "assistant",
    uuid: `u-${id}`,
    ...common(sessionId, at),
  });

/** A tool call, and what came of it. */
export const toolCall = (sessionId: string, id: string, tokens: number, at: number, name = "Write"): string =>
  assistant(sessionId, id, tokens, at, {
    content: [{ type: "tool_use", id: `toolu_${id}`, name, input: {} }],
    stop: "tool_use",
  });
export const toolResult = (sessionId: string, id: string, at: number): string =>
  line({
    parentUuid: `u-${id}`,
    type: "user",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: `toolu_${id}`, content: "done" }] },
    uuid: `r-${id}`,
    sourceToolAssistantUUID: `u-${id}`,
    ...common(sessionId, at),
  });

/** An answer that failed. */
export const apiError = (sessionId: string, uuid: string, at: number, text: string): string =>
  line({
    parentUuid: null,
    type: "assistant",
    isApiErrorMessage: true,
    message: {
      id: uuid,
      type: "message",
      role: "assistant",
      model: "<synthetic>",
      content: [{ type: "text", text }],
      stop_reason: "stop_sequence",
      usage: { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 },
    },
    uuid,
    ...common(sessionId, at),
  });

/** A slash command that Claude itself carries out: it and what it printed. */
const localCommand = (sessionId: string, uuid: string, name: string, at: number, output = ""): string =>
  line({
    parentUuid: null,
    type: "user",
    message: {
      role: "user",
      content: `<command-name>/${name}</command-name>\n<command-message>${name}</command-message>\n<command-args></command-args>`,
    },
    uuid,
    rowSource: "local",
    ...common(sessionId, at),
  }) +
  line({
    parentUuid: uuid,
    type: "system",
    subtype: "local_command",
    content: `<local-command-stdout>${output}</local-command-stdout>`,
    uuid: `out-${uuid}`,
    commandRun: { command: name, args: "" },
    ...common(sessionId, at),
  });

/** A slash command that becomes a prompt: a command of the person's own, or of a workflow. */
export const promptCommand = (sessionId: string, uuid: string, name: string, args: string, at: number): string =>
  line({
    parentUuid: null,
    type: "user",
    message: {
      role: "user",
      content: `<command-message>${name}</command-message>\n<command-name>/${name}</command-name>\n<command-args>${args}</command-args>`,
    },
    uuid,
    promptId: `p-${uuid}`,
    origin: { kind: "human" },
    promptSource: "typed",
    ...common(sessionId, at),
  }) +
  line({
    parentUuid: uuid,
    type: "user",
    isMeta: true,
    message: { role: "user", content: [{ type: "text", text: "Do what the command says." }] },
    uuid: `x-${uuid}`,
    promptId: `p-${uuid}`,
    ...common(sessionId, at),
  });

/** What a `/clear` writes into the new conversation. */
export const clearRecords = (sessionId: string, at: number): string =>
  line({ type: "mode", mode: "normal", sessionId }) + localCommand(sessionId, `clear-${sessionId}`, "clear", at);

/** What a `/compact` writes into the same one. */
export const compactRecords = (sessionId: string, id: string, at: number, sizes: { before: number; after: number }) =>
  line({
    parentUuid: null,
    type: "system",
    subtype: "compact_boundary",
    content: "Conversation compacted",
    compactMetadata: { trigger: "manual", preTokens: sizes.before, postTokens: sizes.after, durationMs: 5 },
    uuid: `b-${id}`,
    ...common(sessionId, at),
  }) +
  line({
    parentUuid: `b-${id}`,
    type: "user",
    isCompactSummary: true,
    isVisibleInTranscriptOnly: true,
    message: { role: "user", content: "This session is being continued." },
    uuid: `s-${id}`,
    ...common(sessionId, at),
  }) +
  localCommand(sessionId, `c-${id}`, "compact", at, "Compacted");

export type SessionState = {
  readonly status: "idle" | "busy" | "waiting";
  readonly waitingFor?: string;
  readonly since: number;
};

/** What a Claude process says of itself in `sessions/<pid>.json`. */
export const sessionRecord = (
  { pid, birth }: { readonly pid: number; readonly birth: string },
  sessionId: string,
  cwd: string,
  { status, waitingFor, since }: SessionState = { status: "idle", since: Date.now() - 30_000 },
) => ({
  pid,
  procStart: birth,
  sessionId,
  cwd,
  kind: "interactive",
  entrypoint: "cli",
  version: "2.1.332",
  status,
  ...(waitingFor === undefined ? {} : { waitingFor }),
  statusUpdatedAt: since,
});
