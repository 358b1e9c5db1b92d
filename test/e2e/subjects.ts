import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { prepareClaude } from "../agents/claude.ts";
import { prepareCodex } from "../agents/codex.ts";
import type { Sandbox } from "../agents/sandbox.ts";
import { startFakeAnthropic } from "../support/fakeAnthropic.ts";
import type { FakeModel } from "../support/fakeApi.ts";
import { startFakeOpenai } from "../support/fakeOpenai.ts";
import { lastRequestText } from "../support/requestText.ts";
import type { SavingStyle } from "../support/saving.ts";

/** One real agent, prepared, and what tells on its own disk what happened to it. */
export type Subject = {
  readonly sandbox: Sandbox;
  readonly api: FakeModel;
  /** Folder below which its conversations are recorded. */
  readonly transcripts: string;
  /** What a person types to start it, so that it may save without asking. */
  readonly command: string;
  /** Starts it so that it can't save: Claude Code in plan mode, Codex where nothing may be written. */
  readonly readOnlyCommand: string;
  /** Starts it so that it asks before it saves. */
  readonly asksCommand: string;
  /** Words on its screen when its prompt box is there. */
  readonly ready: string;
  /** A prompt whose answer reports this context size. */
  readonly prompt: (tokens: number, more?: string) => string;
  /** A prompt that makes it ask for permission to make this file. */
  readonly asksToTouch: (file: string) => string;
  readonly dialogWords: string;
  /** The same, where it asks before it saves. */
  readonly saveDialogWords: string;
  /** How its model saves from now on. */
  readonly saving: (style: SavingStyle) => void;
  /** A prompt with a word to be found again. */
  readonly says: (codeword: string, tokens?: number) => string;
  /** All text of the newest request that its model got for a conversation. */
  readonly lastRequestText: () => string;
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
  // To edit files includes to move them, but not to make links, which bad saves do.
  const sandbox = await prepareClaude({ dir, api, allow: ["Bash(ln:*)"] });
  const prompt: Subject["prompt"] = (tokens, more = "") => `go USAGE=${tokens} ${more}`.trim();
  return {
    sandbox,
    api,
    transcripts: sandbox.transcripts,
    command: "claude --permission-mode acceptEdits",
    readOnlyCommand: "claude --permission-mode plan",
    asksCommand: "claude --permission-mode manual",
    ready: "❯",
    prompt,
    ...modelOf(api, prompt),
    // Outside the project it asks although it may edit.
    asksToTouch: (file) => `TOOL:Bash {"command":"touch ${file}","description":"t"}`,
    dialogWords: "Do you want to proceed?",
    saveDialogWords: "Do you want to create state.md?",
    compactions: async () => count(await readAll(sandbox.transcripts), /"subtype":"compact_boundary"/g),
    stop: () => api.stop(),
  };
}

async function codex(dir: string, daemon: boolean, namesThread: boolean): Promise<Subject> {
  const api = await startFakeOpenai();
  // The id in the title is what ties a terminal to its conversation where a daemon holds them all.
  const toml = namesThread ? '\n[tui]\nterminal_title = ["thread-id", "run-state"]\n' : "";
  const sandbox = await prepareCodex({ dir, api, daemon, toml });
  const prompt: Subject["prompt"] = (tokens, more = "") => `go USAGE=${tokens} OUT=0 ${more}`.trim();
  return {
    sandbox,
    api,
    transcripts: path.join(sandbox.config, "sessions"),
    command: "codex",
    readOnlyCommand: "codex -s read-only -a never",
    asksCommand: "codex -s read-only -a on-request",
    ready: "Ask Codex to do anything",
    prompt,
    ...modelOf(api, prompt),
    asksToTouch: (file) => `ESC_TOOL:touch ${file}`,
    dialogWords: "Would you like to run the following command?",
    saveDialogWords: "Would you like to make the following edits?",
    compactions: async () => count(await readAll(path.join(sandbox.config, "sessions")), /"type":"compacted"/g),
    stop: async () => {
      await sandbox.stop();
      await api.stop();
    },
  };
}

function modelOf(api: FakeModel, prompt: Subject["prompt"]): Pick<Subject, "saving" | "says" | "lastRequestText"> {
  return {
    saving: (style) => {
      api.saving = style;
    },
    says: (codeword, tokens = 150_000) => prompt(tokens, `Remember the codeword ${codeword}.`),
    lastRequestText: () => lastRequestText(api.requests),
  };
}

const count = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length;

async function readAll(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const files = names.filter((name) => name.endsWith(".jsonl"));
  return (await Promise.all(files.map((name) => readFile(path.join(folder, name), "utf8")))).join("");
}
