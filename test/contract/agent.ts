import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { projectSlug } from "../../server/agents/claude/sessions.ts";
import { codeLine, requestIn, stateText } from "../support/savedState.ts";
import { createStandIns } from "../unit/discover/standIn.ts";
import {
  assistant,
  clearRecords,
  compactRecords,
  human,
  promptCommand,
  type SessionState,
  sessionRecord,
  toolCall,
  toolResult,
} from "./records.ts";

export type AgentOptions = {
  readonly tokens?: number;
  /** Permission mode of its first prompt. */
  readonly permissionMode?: string;
  /** What it does instead of what a good agent does, by the kind of line; true: that was all. */
  readonly instead?: (line: Submitted, agent: Agent) => Promise<boolean> | boolean;
  /** What it writes as its state. */
  readonly state?: (code: string) => string;
};

/** A line as it was submitted, taken apart. */
export type Submitted = {
  readonly text: string;
  readonly kind: "save" | "receipt" | "brief" | "clear" | "compact" | "resume" | "command" | "words";
  readonly resetId: string;
};

export type Agent = Awaited<ReturnType<typeof startAgent>>;

const kindOf = (text: string): Submitted => {
  const [, tag, resetId = ""] = /^\[plimsoll (\w+) ([0-9a-f]{12})\]/.exec(text) ?? [];
  const command = /^\/([a-z][a-z0-9:_-]*)/.exec(text)?.[1];
  if (tag === "save" || tag === "brief") return { text, kind: tag, resetId };
  if (tag !== undefined) return { text, kind: "receipt", resetId };
  if (command === "clear" || command === "compact" || command === "resume") return { text, kind: command, resetId };
  return { text, kind: command === undefined ? "words" : "command", resetId };
};

/**
 * A Claude in a terminal of its own, as far as disk shows it: its process, its session record, its transcript. What is
 * submitted to it is answered as the real one answers, with the records that the real one writes.
 */
export async function startAgent(options: AgentOptions = {}) {
  const lab = createStandIns();
  const process = await lab.startInTerminal("claude");
  const first: string = randomUUID();
  const tokens = options.tokens ?? 150_000;
  const submitted: string[] = [];
  let conversationId = first;
  let count = 0;
  let working: Promise<unknown> = Promise.resolve();

  const fileOf = (id: string) => join(lab.home, ".claude/projects", projectSlug(lab.cwd), `${id}.jsonl`);
  const id = (prefix: string): string => {
    count += 1;
    return `${prefix}${count}-${conversationId.slice(0, 8)}`;
  };
  const write = (...records: readonly string[]) => appendFileSync(fileOf(conversationId), records.join(""));
  const says = (status: SessionState["status"], waitingFor?: string, since = Date.now()) =>
    lab.write(
      `.claude/sessions/${process.pid}.json`,
      sessionRecord(process, conversationId, lab.cwd, {
        status,
        since,
        ...(waitingFor === undefined ? {} : { waitingFor }),
      }),
    );
  const begins = (next: string, records: string) => {
    lab.write(`.claude/projects/${projectSlug(lab.cwd)}/${next}.jsonl`, records);
    conversationId = next;
    says("idle");
  };

  const agent = {
    lab,
    process,
    first,
    cwd: lab.cwd,
    submitted,
    transcriptOf: fileOf,
    conversationId: () => conversationId,
    id,
    write,
    says,
    begins,
    /** A prompt lands in its transcript, and it starts to work. */
    hears(text: string) {
      says("busy");
      write(human(conversationId, id("h"), Date.now(), text));
    },
    /** Its turn ends with an answer. */
    answers(size: number, text = "ok") {
      write(assistant(conversationId, id("m"), size, Date.now(), { content: [{ type: "text", text }] }));
      says("idle");
    },
    /** One tool call, begun and returned. */
    works(size = tokens, name = "Bash") {
      const call = id("t");
      write(toolCall(conversationId, call, size, Date.now(), name), toolResult(conversationId, call, Date.now()));
    },
    /** What the request asks for: from the real page, as the agent reads it. */
    request: (resetId: string) =>
      requestIn(readFileSync(join(lab.cwd, `.plimsoll/${resetId}/request.md`), "utf8")) ?? { file: "", code: "" },
    saves(resetId: string, text?: string) {
      const { file, code } = agent.request(resetId);
      writeFileSync(file, text ?? (options.state ?? ((known) => stateText(known, ["go on"])))(code));
    },
    /** What the person or the window submits: Enter was pressed in its prompt box. */
    submit(text: string): void {
      submitted.push(text);
      const line = kindOf(text);
      working = working.then(async () => {
        if ((await options.instead?.(line, agent)) === true) return;
        await agent.does(line);
      });
      working.catch(() => undefined);
    },
    /** What a good agent does about a line. */
    async does({ kind, text, resetId }: Submitted): Promise<void> {
      switch (kind) {
        case "save":
        case "receipt": {
          agent.hears(text);
          await pause(50);
          const call = id("w");
          write(toolCall(conversationId, call, tokens + 1000, Date.now()));
          agent.saves(
            resetId,
            kind === "receipt"
              ? `${codeLine(agent.request(resetId).code)}\n\n${"Saved to notes. ".repeat(20)}\n`
              : undefined,
          );
          write(toolResult(conversationId, call, Date.now()));
          await pause(50);
          agent.answers(tokens + 2000, "Saved.");
          return;
        }
        case "clear": {
          const next = randomUUID();
          begins(next, clearRecords(next, Date.now()));
          return;
        }
        case "compact":
          says("busy");
          await pause(50);
          write(compactRecords(conversationId, id("k"), Date.now(), { before: tokens, after: 20_000 }));
          says("idle");
          return;
        case "resume":
          conversationId = text.split(" ")[1] ?? "";
          says("idle");
          return;
        case "command": {
          const [name = "", ...rest] = text.slice(1).split(" ");
          says("busy");
          write(promptCommand(conversationId, id("c"), name, rest.join(" "), Date.now()));
          await pause(50);
          agent.answers(conversationId === first ? tokens + 500 : 21_000);
          return;
        }
        default:
          agent.hears(text);
          await pause(50);
          agent.answers(conversationId === first ? tokens + 500 : 20_000 + count);
      }
    },
    /** It has done all that it was told. */
    idle: async () => {
      for (let before: unknown; before !== working; ) {
        before = working;
        await working;
      }
    },
    removeTranscript: () => rmSync(fileOf(conversationId)),
    /** It ends at once, and its terminal's shell stays. */
    end: () => globalThis.process.kill(process.pid, "SIGKILL"),
    savedIn: (resetId: string, name: string) => join(lab.cwd, ".plimsoll", resetId, name),
    has: (resetId: string, name: string) => existsSync(join(lab.cwd, ".plimsoll", resetId, name)),
    async dispose() {
      await working.catch(() => undefined);
      await lab.dispose();
    },
  };

  lab.write(
    `.claude/projects/${projectSlug(lab.cwd)}/${first}.jsonl`,
    human(first, "h0", Date.now() - 60_000, "go on", options.permissionMode) +
      assistant(first, "m-first", 12_000, Date.now() - 55_000) +
      assistant(first, "m0", tokens, Date.now() - 50_000),
  );
  says("idle", undefined, Date.now() - 30_000);
  return agent;
}
