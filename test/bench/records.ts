import { randomUUID } from "node:crypto";

/** A conversation whose records look like Claude Code's: same keys, same kinds in the same order, made-up content. */
export type Scribe = {
  /** Lines that a conversation begins with; the system prompt is one of them. */
  readonly opening: () => string;
  /** One of the person's prompts with all that the agent does about it: some twenty records. */
  readonly turn: () => string;
  /** One response that ends a turn, of this size. */
  readonly answer: (tokens: number) => string;
  /** What a tool gave back: a record that holds it twice, as the agent's do. */
  readonly toolResult: (bytes: number) => string;
};

export type ScribeOptions = { readonly sessionId: string; readonly cwd: string; readonly seed: number };

/** Calls of tools in a turn, on average: with what stands around them some twenty records. */
const roundsOfTurn = 5;

export function createScribe({ sessionId, cwd, seed }: ScribeOptions): Scribe {
  const random = randomFrom(seed);
  const text = (bytes: number): string => {
    const from = Math.floor(random() * (source.length - bytes));
    return source.slice(from, from + bytes);
  };
  let parentUuid: string | null = null;
  let tokens = 30_000;
  let at = Date.UTC(2026, 9, 5, 9);
  let calls = 0;

  const line = (record: object): string => `${JSON.stringify(record)}\n`;
  const outer = () => ({
    userType: "external",
    entrypoint: "cli",
    cwd,
    sessionId,
    version: "2.1.332",
    gitBranch: "main",
  });
  const chained = (record: object): string => {
    const uuid = randomUUID();
    at += 900;
    const made = line({
      parentUuid,
      isSidechain: false,
      ...record,
      uuid,
      timestamp: new Date(at).toISOString(),
      ...outer(),
    });
    parentUuid = uuid;
    return made;
  };
  const attachment = (type: string, more: object = {}): string =>
    chained({ attachment: { type, ...more }, type: "attachment", renderedRole: "system" });
  const states = (prompt: string): string =>
    line({ type: "last-prompt", lastPrompt: prompt.slice(0, 200), leafUuid: parentUuid, sessionId }) +
    line({ type: "mode", mode: "normal", sessionId }) +
    line({ type: "permission-mode", permissionMode: "auto", sessionId });

  function human(prompt: string): string {
    return chained({
      promptId: randomUUID(),
      type: "user",
      message: { role: "user", content: prompt },
      permissionMode: "auto",
      origin: { kind: "human" },
      promptSource: "typed",
      turnOrigin: "human",
    });
  }

  function response(content: object, stopReason: "end_turn" | "tool_use", id = `msg_${randomUUID()}`): string {
    return chained({
      message: {
        id,
        type: "message",
        role: "assistant",
        model: "claude-opus-5-5",
        content: [content],
        stop_reason: stopReason,
        stop_sequence: null,
        usage: {
          input_tokens: 10,
          cache_creation_input_tokens: 1200,
          cache_read_input_tokens: tokens - 1210,
          output_tokens: 300,
          server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
          service_tier: "standard",
          cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 1200 },
          iterations: [],
        },
      },
      requestId: `req_${id}`,
      requestedModel: "claude-opus-5-5",
      type: "assistant",
    });
  }

  function toolResult(bytes: number): string {
    const output = text(bytes / 2);
    return chained({
      type: "user",
      message: {
        role: "user",
        content: [{ tool_use_id: `toolu_${seed}_${calls}`, type: "tool_result", content: output, is_error: false }],
      },
      toolUseResult: { stdout: output, stderr: "", interrupted: false, isImage: false },
    });
  }

  function round(): string {
    const id = `msg_${randomUUID()}`;
    calls += 1;
    tokens = tokens > 180_000 ? 40_000 : tokens + 900;
    return [
      response({ type: "text", text: text(200 + random() * 800) }, "tool_use", id),
      response(
        { type: "tool_use", id: `toolu_${seed}_${calls}`, name: "Bash", input: { command: text(80) } },
        "tool_use",
        id,
      ),
      toolResult(resultBytes(random)),
    ].join("");
  }

  return {
    opening: () =>
      line({ type: "mode", mode: "normal", sessionId }) +
      line({ type: "permission-mode", permissionMode: "auto", sessionId }) +
      human(text(300)) +
      ["environment", "model", "deferred_tools_delta", "agent_listing_delta", "skill_listing"]
        .map((type) => attachment(type, { text: text(2000) }))
        .join("") +
      attachment("prompt_snapshot", { system: [{ type: "text", text: text(60_000) }] }),
    turn() {
      const prompt = text(40 + random() * 600);
      const rounds = Array.from({ length: 1 + Math.floor(random() * (roundsOfTurn * 2 - 1)) }, round);
      return [
        line({
          type: "file-history-snapshot",
          messageId: randomUUID(),
          snapshot: { trackedFileBackups: {} },
          isSnapshotUpdate: false,
        }),
        human(prompt),
        ...rounds,
        states(prompt),
        response({ type: "text", text: text(400 + random() * 3000) }, "end_turn"),
        chained({ type: "system", subtype: "stop_hook_summary", hookCount: 1, level: "suggestion", hasOutput: false }),
      ].join("");
    },
    answer(size) {
      tokens = size;
      return response({ type: "text", text: text(500) }, "end_turn");
    },
    toolResult,
  };
}

/** 2 to 60 KB, small ones more often. */
const resultBytes = (random: () => number): number => Math.floor(2000 * 30 ** random());

/** Always the same numbers for one seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const source = makeSource(1_000_000);

/** Text like that of source files and logs: lines, indentation, quotes and backslashes that JSON must escape. */
function makeSource(bytes: number): string {
  const random = randomFrom(7);
  const words =
    "const return await the of reading value => { } ( ) \"utf8\" 'path' \\d+ /tmp/x.log 0x7f 12:04:55 naïve ✓ error if".split(
      " ",
    );
  const lines: string[] = [];
  for (let length = 0; length < bytes; ) {
    const made = Array.from(
      { length: 4 + Math.floor(random() * 12) },
      () => words[Math.floor(random() * words.length)],
    );
    const made1 = `${" ".repeat(2 * Math.floor(random() * 5))}${made.join(" ")}\n`;
    lines.push(made1);
    length += made1.length;
  }
  return lines.join("");
}
