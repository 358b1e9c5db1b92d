import { randomUUID } from "node:crypto";
import type { ToolCall } from "./tools.ts";

/** Where a conversation's records come from; all but the time. */
export type Origin = {
  readonly cwd: string;
  readonly sessionId: string;
  /** The conversation the process began with: it stays the old one after a clear. */
  readonly launchId: string;
  /** The record before the first of these; absent: there is none. */
  readonly after?: string;
};

/** Formats of this version of Claude Code; the suffix says that it is none. */
export const version = "2.1.332-demo";
const model = "claude-opus-5-5";

export type Entry = Readonly<Record<string, unknown>>;

/** A chain of records in Claude Code's format, each naming the one before it. */
export function createRecords(origin: Origin) {
  let parentUuid: string | null = origin.after ?? null;
  let prompts = 0;

  function linked(at: number, type: "user" | "assistant" | "system", more: Entry): Entry {
    const uuid = randomUUID();
    const { cwd, sessionId, launchId } = origin;
    const common = {
      cwd,
      sessionId,
      session_id: launchId,
      version,
      gitBranch: "",
      userType: "external",
      entrypoint: "cli",
    };
    const entry = { parentUuid, isSidechain: false, type, ...more, uuid, timestamp: timeOf(at), ...common };
    parentUuid = uuid;
    return entry;
  }
  const user = (at: number, content: unknown, more: Entry): Entry =>
    linked(at, "user", { ...more, message: { role: "user", content } });
  function assistant(at: number, block: Entry, reason: "end_turn" | "tool_use", tokens: number): Entry {
    const message = {
      id: `msg_demo${randomUUID().slice(0, 8)}`,
      type: "message",
      role: "assistant",
      model,
      content: [block],
      stop_reason: reason,
      stop_sequence: null,
      usage: usageOf(tokens),
    };
    return linked(at, "assistant", { message, apiBlockIndex: 0, requestId: message.id, requestedModel: model });
  }
  const caveat = (at: number): Entry =>
    user(at, "<local-command-caveat>The command below was run by the user in this demo.</local-command-caveat>", {
      isMeta: true,
      rowSource: "harness",
    });
  const command = (at: number, name: string, args: string): Entry =>
    user(
      at,
      `<command-name>/${name}</command-name>\n            <command-message>${name}</command-message>\n            <command-args>${args}</command-args>`,
      { rowSource: "local" },
    );
  const mode = { type: "mode", mode: "normal", sessionId: origin.sessionId };

  return {
    prompt(at: number, text: string, isQueued: boolean): readonly Entry[] {
      prompts += 1;
      const more = {
        promptId: randomUUID(),
        permissionMode: "auto",
        origin: { kind: "human" },
        promptSource: isQueued ? "queued" : "typed",
        turnOrigin: "human",
        turnPosition: { promptIndex: prompts, turnIndex: prompts },
      };
      return [user(at, text, more), { type: "last-prompt", lastPrompt: text, sessionId: origin.sessionId }, mode];
    },
    answer: (at: number, text: string, tokens: number): readonly Entry[] => [
      assistant(at, { type: "text", text }, "end_turn", tokens),
    ],
    toolCall(at: number, { name, input, result, isError, details }: ToolCall, tokens: number): readonly Entry[] {
      const id = `toolu_demo${randomUUID().slice(0, 8)}`;
      const asked = assistant(at, { type: "tool_use", id, name, input }, "tool_use", tokens);
      const block = { tool_use_id: id, type: "tool_result", content: result, ...(isError ? { is_error: true } : {}) };
      const more = { toolUseResult: details ?? `Error: ${result}`, sourceToolAssistantUUID: asked["uuid"] };
      return [asked, user(at, [block], more)];
    },
    turnEnded: (at: number, durationMs: number): readonly Entry[] => [
      linked(at, "system", { subtype: "turn_duration", durationMs, isMeta: false }),
    ],
    interrupted: (at: number): readonly Entry[] => [
      user(at, [{ type: "text", text: "[Request interrupted by user]" }], { interruptedMessageId: randomUUID() }),
    ],
    queued: (at: number, operation: "enqueue" | "dequeue", content: string): readonly Entry[] => [
      { type: "queue-operation", operation, timestamp: timeOf(at), sessionId: origin.sessionId, content },
    ],
    /** The beginning of a conversation that was made by a clear. */
    cleared: (at: number): readonly Entry[] => [
      mode,
      caveat(at),
      command(at, "clear", ""),
      linked(at, "system", {
        subtype: "local_command",
        content: "<local-command-stdout></local-command-stdout>",
        level: "info",
        isMeta: false,
        commandRun: { command: "clear", args: "" },
      }),
    ],
    /** The end of a conversation: by a clear, or with the process. */
    left: (startedAt: number): readonly Entry[] => [
      { type: "cost-state", totalCostUSD: 0, modelUsage: {}, startTime: startedAt, sessionId: origin.sessionId },
    ],
    /** Where a conversation is gone on with. */
    resumed: (lastPrompt: string): readonly Entry[] => [
      { type: "last-prompt", lastPrompt, leafUuid: origin.after ?? null, sessionId: origin.sessionId },
    ],
    compacted(at: number, { args, before, after, durationMs }: Compaction): readonly Entry[] {
      const logicalParentUuid = parentUuid;
      parentUuid = null;
      const metadata = {
        trigger: "manual",
        preTokens: before,
        postTokens: after,
        cumulativeDroppedTokens: before - after,
        durationMs,
      };
      const boundary = linked(at, "system", {
        logicalParentUuid,
        subtype: "compact_boundary",
        content: "Conversation compacted",
        level: "info",
        compactMetadata: metadata,
      });
      const summary = user(at, "This session is being continued from a previous conversation (demo).", {
        isVisibleInTranscriptOnly: true,
        isCompactSummary: true,
        rowSource: "local",
      });
      const output = "<local-command-stdout>Compacted (ctrl+o to see full summary)</local-command-stdout>";
      return [
        boundary,
        summary,
        caveat(at),
        command(at, "compact", args),
        user(at, output, { rowSource: "local", repeatsCompactSummary: true }),
      ];
    },
    tooLittle: (at: number, args: string): readonly Entry[] => [
      caveat(at),
      command(at, "compact", args),
      linked(at, "system", {
        subtype: "local_command",
        content: "<local-command-stdout>Not enough messages to compact.</local-command-stdout>",
        level: "info",
        isMeta: false,
      }),
    ],
  };
}
export type Compaction = {
  readonly args: string;
  readonly before: number;
  readonly after: number;
  readonly durationMs: number;
};

/** A size in the parts an answer reports: nearly everything was read from the cache. */
function usageOf(tokens: number): Entry {
  const input = Math.min(10, tokens);
  const created = Math.floor((tokens - input) / 10);
  return {
    input_tokens: input,
    cache_creation_input_tokens: created,
    cache_read_input_tokens: tokens - input - created,
    output_tokens: 100,
    service_tier: "standard",
    iterations: [],
  };
}

const timeOf = (at: number): string => new Date(at).toISOString();
