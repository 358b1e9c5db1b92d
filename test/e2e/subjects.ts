import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { prepareClaude } from "../agents/claude.ts";
import { prepareCodex } from "../agents/codex.ts";
import type { Sandbox } from "../agents/sandbox.ts";
import { startFakeAnthropic } from "../support/fakeAnthropic.ts";
import type { FakeApi } from "../support/fakeApi.ts";
import { startFakeOpenai } from "../support/fakeOpenai.ts";

/** One real agent, prepared, and what tells on its own disk what happened to it. */
export type Subject = {
  readonly sandbox: Sandbox;
  readonly api: FakeApi;
  /** What a person types to start it. */
  readonly command: string;
  /** Words on its screen when its prompt box is there. */
  readonly ready: string;
  /** A prompt whose answer reports this context size. */
  readonly prompt: (tokens: number, more?: string) => string;
  /** A prompt that makes it ask for permission to make this file. */
  readonly asksToTouch: (file: string) => string;
  readonly dialogWords: string;
  /** Compactions on disk, whole agent. */
  readonly compactions: () => Promise<number>;
  readonly stop: () => Promise<void>;
};

export type SubjectKind =
  | "Claude Code"
  | "Codex without its daemon"
  | "Codex with its daemon"
  /** Its daemon, and a title that does not name the thread. */
  | "Codex as installed";

export async function prepareSubject(kind: SubjectKind, dir: string): Promise<Subject> {
  if (kind === "Claude Code") return claude(dir);
  return codex(dir, kind !== "Codex without its daemon", kind === "Codex with its daemon");
}

async function claude(dir: string): Promise<Subject> {
  const api = await startFakeAnthropic();
  const sandbox = await prepareClaude({ dir, api });
  return {
    sandbox,
    api,
    command: "claude --permission-mode manual",
    ready: "❯",
    prompt: (tokens, more = "") => `go USAGE=${tokens} ${more}`.trim(),
    asksToTouch: (file) => `TOOL:Bash {"command":"touch ${file}","description":"t"}`,
    dialogWords: "Do you want to proceed?",
    compactions: async () => count(await readAll(sandbox.transcripts), /"subtype":"compact_boundary"/g),
    stop: () => api.stop(),
  };
}

async function codex(dir: string, daemon: boolean, namesThread: boolean): Promise<Subject> {
  const api = await startFakeOpenai();
  // The id in the title is what ties a terminal to its conversation where a daemon holds them all.
  const toml = namesThread ? '\n[tui]\nterminal_title = ["thread-id", "run-state"]\n' : "";
  const sandbox = await prepareCodex({ dir, api, daemon, toml });
  return {
    sandbox,
    api,
    command: "codex",
    ready: "Ask Codex to do anything",
    prompt: (tokens, more = "") => `go USAGE=${tokens} OUT=0 ${more}`.trim(),
    asksToTouch: (file) => `ESC_TOOL:touch ${file}`,
    dialogWords: "Would you like to run the following command?",
    compactions: async () => count(await readAll(path.join(sandbox.config, "sessions")), /"type":"compacted"/g),
    stop: async () => {
      await sandbox.stop();
      await api.stop();
    },
  };
}

const count = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length;

async function readAll(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const files = names.filter((name) => name.endsWith(".jsonl"));
  return (await Promise.all(files.map((name) => readFile(path.join(folder, name), "utf8")))).join("");
}
