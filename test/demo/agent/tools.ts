import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Act } from "../../support/saving.ts";
import type { Entry } from "./records.ts";

export type Files = {
  /** Undefined: it can't be read. */
  readonly read: (file: string) => string | undefined;
  readonly write: (file: string, text: string) => void;
};

/** A call of one of Claude Code's tools, and what came of it. */
export type ToolCall = {
  readonly name: "Read" | "Write";
  readonly input: Entry;
  /** For the model. */
  readonly result: string;
  readonly isError: boolean;
  /** For the person, as `Read(notes.md)`. */
  readonly title: string;
  readonly outcome: string;
  /** For the transcript. */
  readonly details?: Entry;
};

export const files: Files = {
  read(file) {
    try {
      return readFileSync(file, "utf8");
    } catch {
      return undefined;
    }
  },
  write(file, text) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  },
};

type FileAct = Extract<Act, { kind: "read" | "write" }>;

/** Reads or writes a file in the project's `.plimsoll`; the demo touches no other. */
export function callTool({ read, write }: Files, cwd: string, act: FileAct): ToolCall {
  const file = path.resolve(cwd, act.file);
  const name = act.kind === "read" ? "Read" : "Write";
  const input = { file_path: file, ...(act.kind === "write" ? { content: act.text } : {}) };
  const call = { name, input, title: `${name}(${path.relative(cwd, file)})` } as const;
  if (!file.startsWith(path.join(cwd, ".plimsoll") + path.sep)) return failed(call, "The demo touches no such file.");
  if (act.kind === "read") {
    const content = read(file);
    return content === undefined ? failed(call, "File does not exist.") : { ...call, ...readIn(file, content) };
  }
  write(file, act.text);
  return { ...call, ...writtenTo(file, act.text) };
}

type Outcome = Omit<ToolCall, "name" | "input" | "title">;

function failed(call: Pick<ToolCall, "name" | "input" | "title">, why: string): ToolCall {
  return { ...call, result: why, isError: true, outcome: why };
}

function readIn(filePath: string, content: string): Outcome {
  const lines = content.split("\n");
  const counts = { numLines: lines.length, startLine: 1, totalLines: lines.length };
  return {
    result: lines.map((line, at) => `${at + 1}\t${line}`).join("\n"),
    isError: false,
    outcome: `Read ${lines.length} lines`,
    details: { type: "text", file: { filePath, content, ...counts } },
  };
}

function writtenTo(filePath: string, content: string): Outcome {
  return {
    result: `File created successfully at: ${filePath}`,
    isError: false,
    outcome: `Wrote ${content.split("\n").length} lines`,
    details: { type: "create", filePath, content, structuredPatch: [], originalFile: null },
  };
}
