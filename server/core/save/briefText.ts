import type { AgentId } from "../../protocol/agents.ts";
import type { AfterBrief } from "../../protocol/lines.ts";

/** A brief larger than this is not written (R136), bytes. */
const maxBytes = 48 * 1024;

/** All that the fresh conversation is told. Paths are absolute. */
export type Brief = {
  readonly resetId: string;
  readonly agent: AgentId;
  readonly cwd: string;
  /** Root of the worktree the agent works in, where it is not the repository's main one. */
  readonly worktree?: string;
  /** Branch and commit, or a sentence that says why there is none. */
  readonly branch: string;
  readonly head: string;
  readonly oldConversationId: string;
  readonly workflow: string;
  readonly taskId?: string;
  /** What was saved, and its sha-256. Absent: the conversation no longer fitted and could save nothing. */
  readonly state?: { readonly path: string; readonly digest: string };
  /** Ids of the commands that still run in the background. */
  readonly backgroundShells: readonly string[];
  readonly mode: AfterBrief;
  /** The agent's last message asked the person something: it is asked again. */
  readonly asksPerson: boolean;
  /** Configured by the person: label to value. */
  readonly fields: Readonly<Record<string, string>>;
};

/** A brief that may still lack something. `isForced`: nothing could be saved, so no saved state is asked for. */
export type BriefParts = {
  readonly [K in keyof Brief]?: Brief[K] | undefined;
} & { readonly isForced?: boolean };

export type CompleteBrief =
  | { readonly kind: "complete"; readonly brief: Brief; readonly text: string }
  /** Names of what has no value. */
  | { readonly kind: "incomplete"; readonly missing: readonly string[] }
  | { readonly kind: "too-large"; readonly size: number };

const always = ["resetId", "agent", "cwd", "branch", "head", "oldConversationId", "workflow", "mode"] as const;

/**
 * Complete or nothing (R134, R135): a required field without a value ends the reset before anything is cleared. That a
 * label stands there is not enough: its value must not be blank. `required`: what the workflow demands besides, names of
 * the brief's own parts or of configured fields.
 */
export function completeBrief(parts: BriefParts, required: readonly string[] = []): CompleteBrief {
  const { isForced = false, ...rest } = parts;
  const values = new Map<string, unknown>([...Object.entries(rest.fields ?? {}), ...Object.entries(rest)]);
  const names = new Set<string>([...always, ...(isForced ? [] : ["statePath", "stateDigest"]), ...required]);
  values.set("statePath", rest.state?.path);
  values.set("stateDigest", rest.state?.digest);
  const missing = [...names].filter((name) => !hasValue(values.get(name)));
  const { resetId, agent, cwd, branch, head, oldConversationId, workflow, mode } = rest;
  if (
    missing.length > 0 ||
    resetId === undefined ||
    agent === undefined ||
    cwd === undefined ||
    branch === undefined ||
    head === undefined ||
    oldConversationId === undefined ||
    workflow === undefined ||
    mode === undefined
  )
    return { kind: "incomplete", missing };
  const brief: Brief = {
    resetId,
    agent,
    cwd,
    branch,
    head,
    oldConversationId,
    workflow,
    mode,
    ...(hasValue(rest.worktree) ? { worktree: rest.worktree } : {}),
    ...(hasValue(rest.taskId) ? { taskId: rest.taskId } : {}),
    ...(rest.state === undefined ? {} : { state: rest.state }),
    backgroundShells: rest.backgroundShells ?? [],
    asksPerson: rest.asksPerson ?? false,
    fields: rest.fields ?? {},
  };
  const text = briefText(brief);
  const size = utf8Length(text);
  return size > maxBytes ? { kind: "too-large", size } : { kind: "complete", brief, text };
}

function hasValue<T>(value: T | undefined): value is T {
  if (typeof value === "string") return value.trim() !== "";
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== null;
}

/** The whole text of `brief.md`. */
export function briefText(brief: Brief): string {
  const parts = [
    "# Where you stand",
    "This is automatic: it was written by the Plimsoll extension, no person typed it. Your conversation was cleared because it had grown too long; you are the same agent, in the same terminal and the same folder, going on with the same task.",
    list("Who and where", identity(brief)),
    stateText(brief),
    ...(brief.backgroundShells.length === 0 ? [] : [list("Commands that still run in the background", shells(brief))]),
    `## What to do now\n\n${orders(brief)}`,
  ];
  return `${parts.join("\n\n")}\n`;
}

function identity(brief: Brief): readonly string[] {
  const row = (label: string, value: string | undefined) => (value === undefined ? [] : [`${label}: ${value}`]);
  return [
    ...row("Agent", brief.agent),
    ...row("Folder", brief.cwd),
    ...row("Worktree", brief.worktree),
    ...row("Branch", brief.branch),
    ...row("Commit", brief.head),
    ...row("Conversation before the clear", brief.oldConversationId),
    ...row("Reset", brief.resetId),
    ...row("Workflow", brief.workflow),
    ...row("Task", brief.taskId),
    ...Object.entries(brief.fields)
      .filter(([, value]) => hasValue(value))
      .flatMap(([label, value]) => row(label, value)),
  ];
}

function stateText({ state }: Brief): string {
  if (state === undefined)
    return `## No saved state

The conversation no longer fitted the window, so nothing could be saved. Files on disk are all there is: look at \`git status\`, \`git diff\` and the last commits first, and ask the person where you are not sure.`;
  return `## Your saved state

Read this file first, whole. You wrote it yourself just before the clear; nobody has executed or judged it.

- File: ${oneLine(state.path)}
- sha-256: ${oneLine(state.digest)}

Files on disk may be newer than what it says: check \`git status\` before you rely on it, and trust the files where they differ.`;
}

const shells = ({ backgroundShells }: Brief): readonly string[] =>
  backgroundShells.map((id) => `${id} (started before the clear; look at it before you start it again)`);

function orders({ mode, asksPerson, state }: Brief): string {
  const say = "Say in five lines where you stand and what is next";
  if (asksPerson) {
    const from = state === undefined ? "what is open" : "the open questions of the saved state, word for word";
    return `${say}. The person still owes you an answer: ask them again, ${from}, and wait for it. Do no work before.`;
  }
  switch (mode) {
    case "wait":
      return `${say}, then wait. Do no work before the person answers.`;
    case "continue":
      return `${say}, then go on with the next action. Do nothing that your standing orders forbid or that needs a person's word.`;
    case "next":
      return `${say}, and nothing more: the person's next message follows.`;
  }
}

const list = (title: string, rows: readonly string[]): string =>
  `## ${title}\n\n${rows.map((row) => `- ${oneLine(row)}`).join("\n")}`;

/** A value from disk or from the settings stays one line of the brief, whatever stands in it. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "?");

/** Bytes of a text in UTF-8. */
function utf8Length(text: string): number {
  let length = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return length;
}
