/** Records as Claude Code 2.1 writes them, one line each. */
const line = (record: object): string => `${JSON.stringify(record)}\n`;
const iso = (at: number): string => new Date(at).toISOString();

export const human = (sessionId: string, uuid: string, at: number): string =>
  line({
    parentUuid: null,
    isSidechain: false,
    type: "user",
    message: { role: "user", content: "go on" },
    uuid,
    timestamp: iso(at),
    origin: { kind: "human" },
    promptSource: "typed",
    sessionId,
    cwd: "/w/api",
    version: "2.1.332",
  });

export const assistant = (sessionId: string, id: string, tokens: number, at: number): string =>
  line({
    parentUuid: null,
    isSidechain: false,
    message: {
      id,
      type: "message",
      role: "assistant",
      model: "claude-opus-5-5",
      content: [{ type: "text", text: "ok" }],
      stop_reason: "end_turn",
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
    timestamp: iso(at),
    sessionId,
    cwd: "/w/api",
    version: "2.1.332",
  });

/** What a `/clear` writes into the new conversation. */
export const clearRecords = (sessionId: string, at: number): string =>
  line({ type: "mode", mode: "normal", sessionId }) +
  line({
    parentUuid: null,
    isSidechain: false,
    type: "user",
    message: {
      role: "user",
      content:
        "<command-name>/clear</command-name>\n<command-message>clear</command-message>\n<command-args></command-args>",
    },
    uuid: `clear-${sessionId}`,
    timestamp: iso(at),
    rowSource: "local",
    sessionId,
    cwd: "/w/api",
    version: "2.1.332",
  }) +
  line({
    parentUuid: `clear-${sessionId}`,
    isSidechain: false,
    type: "system",
    subtype: "local_command",
    content: "<local-command-stdout></local-command-stdout>",
    timestamp: iso(at),
    uuid: `out-${sessionId}`,
    commandRun: { command: "clear", args: "" },
    sessionId,
    cwd: "/w/api",
    version: "2.1.332",
  });

/** What a Claude process says of itself in `sessions/<pid>.json`. */
export const sessionRecord = (
  { pid, birth }: { readonly pid: number; readonly birth: string },
  sessionId: string,
  cwd: string,
  status = "idle",
) => ({
  pid,
  procStart: birth,
  sessionId,
  cwd,
  kind: "interactive",
  entrypoint: "cli",
  version: "2.1.332",
  status,
  statusUpdatedAt: Date.now() - 30_000,
});
