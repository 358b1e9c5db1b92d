import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { projectSlug } from "../../../server/agents/claude/sessions.ts";
import { type Past, pastIn } from "./past.ts";
import { type Entry, version } from "./records.ts";

export type Process = {
  readonly pid: number;
  /** Start of the process as the system counts it. */
  readonly birth: string;
  /** Epoch ms. */
  readonly startedAt: number;
};

export type Store = {
  /** What the process says of itself. */
  readonly report: (conversationId: string, status: "idle" | "busy", at: number) => void;
  readonly append: (conversationId: string, entries: readonly Entry[]) => void;
  /** A line of the history of what was typed. */
  readonly typed: (conversationId: string, text: string, at: number) => void;
  /** What was said in a conversation; undefined: there is none. */
  readonly past: (conversationId: string) => Past | undefined;
  readonly close: () => void;
};

/** The files of Claude Code in a configuration folder. */
export function createStore(config: string, cwd: string, process: Process): Store {
  const project = path.join(config, "projects", projectSlug(cwd));
  const session = path.join(config, "sessions", `${process.pid}.json`);
  const transcript = (id: string) => path.join(project, `${id}.jsonl`);
  mkdirSync(project, { recursive: true });
  mkdirSync(path.dirname(session), { recursive: true, mode: 0o700 });

  return {
    report(sessionId, status, at) {
      const { pid, birth, startedAt } = process;
      const who = { pid, sessionId, cwd, startedAt, procStart: birth, version, kind: "interactive", entrypoint: "cli" };
      const name = { name: path.basename(cwd), nameSource: "derived" };
      writeFileSync(session, JSON.stringify({ ...who, ...name, status, updatedAt: at, statusUpdatedAt: at }));
    },
    append(id, entries) {
      const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
      appendFileSync(transcript(id), lines, { mode: 0o600 });
    },
    typed(sessionId, display, timestamp) {
      const line = JSON.stringify({ display, pastedContents: {}, timestamp, project: cwd, sessionId });
      appendFileSync(path.join(config, "history.jsonl"), `${line}\n`, { mode: 0o600 });
    },
    past(id) {
      try {
        return pastIn(readFileSync(transcript(id), "utf8"));
      } catch {
        return undefined;
      }
    },
    close: () => rmSync(session, { force: true }),
  };
}
