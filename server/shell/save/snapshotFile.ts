import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { StateLook } from "../../protocol/save.ts";
import { type SnapshotSave, taskIdPattern } from "../../workflows/workflow.ts";
import { type Problem, placeInside, problem, type ReadInside, readInside, sha256Of } from "./inside.ts";

/** Snapshots are small: the one known writer stops at 8 KiB. Larger is something else, bytes. */
const cap = 64 * 1024;

/** A snapshot as it was bound: the same file with the same content, or nothing (R103). Paths are real and absolute. */
export type Snapshot = {
  readonly taskId: string;
  readonly stage: string;
  readonly path: string;
  readonly digest: string;
  readonly size: number;
  /** Device and number of the file. */
  readonly dev: number;
  readonly ino: number;
  /** Last written, epoch ms. */
  readonly writtenAt: number;
  readonly descriptionPath?: string;
};

export type FoundSnapshot = { readonly kind: "snapshot"; readonly snapshot: Snapshot } | Problem;

/**
 * Finds the one snapshot of the workflow in the agent's folder and binds it: task, stage, file, content (R102). `taskId`:
 * where it is known already; without it, exactly one file may fit. Never throws.
 */
export function findSnapshot(cwd: string, save: SnapshotSave, taskId?: string): FoundSnapshot {
  if (taskId !== undefined && !taskIdPattern.test(taskId))
    return problem("the task's id is not of the form ABC-12", "See the workflow's task.");
  const candidates = candidatesFor(cwd, save.path, taskId);
  if (!Array.isArray(candidates)) return candidates;
  const [path, ...others] = candidates;
  if (path === undefined) return none;
  if (others.length > 0)
    return problem(
      `there are ${candidates.length} snapshots, and it is not known which task the agent works on`,
      "Leave only the snapshot of its task, or save with another workflow.",
    );
  return bind(cwd, save, path);
}

const none = problem("there is no snapshot of a task in the agent's folder", "Let the workflow finish a stage first.");

/** Paths below the folder that fit; a task's id in the name follows the strict pattern. */
function candidatesFor(cwd: string, pattern: string, taskId: string | undefined): string[] | Problem {
  if (!pattern.includes("{taskId}")) return [pattern];
  if (taskId !== undefined) return [pattern.replace("{taskId}", taskId)];
  const dir = dirname(pattern);
  const [before = "", after = ""] = basename(pattern).split("{taskId}");
  let folder = cwd;
  if (dir !== ".") {
    const place = placeInside(cwd, dir);
    if (place.kind === "missing") return [];
    if (place.kind !== "found") return badFolder(place.kind);
    if (!place.stat.isDirectory()) return badFolder("not-a-file");
    folder = place.path;
  }
  try {
    return readdirSync(folder)
      .filter((name) => name.length > before.length + after.length && name.startsWith(before) && name.endsWith(after))
      .filter((name) => taskIdPattern.test(name.slice(before.length, name.length - after.length)))
      .map((name) => join(dir, name));
  } catch {
    return badFolder("unreadable");
  }
}

const badFolder = (why: "link" | "outside" | "not-a-file" | "unreadable"): Problem =>
  problem(`the folder of the snapshots cannot be used (${words[why]})`, "Look at the workflow's folder.");

const words = {
  link: "it is a link",
  outside: "it lies outside the agent's folder",
  "not-a-file": "it is no plain file or folder",
  unreadable: "it cannot be read",
} as const;

function bind(cwd: string, save: SnapshotSave, path: string): FoundSnapshot {
  const read = readInside(cwd, path, cap);
  if (read.kind === "missing") return none;
  if (read.kind !== "read") return unusable(read);
  if (isOpen(read))
    return problem(
      "other users may change the snapshot",
      "Take their right to write away (chmod go-w), then ask again.",
    );
  const head = headOf(read.bytes);
  if (head.taskId === undefined || !taskIdPattern.test(head.taskId))
    return problem("the snapshot names no task of the form ABC-12", "Let the workflow write it anew.");
  if (basename(path) !== basename(save.path).replace("{taskId}", head.taskId))
    return problem("the snapshot names another task than its file", "Let the workflow write it anew.");
  if (head.stage === undefined || !save.stages.includes(head.stage))
    return problem("the snapshot names no stage that is known", "Let the workflow write it anew.");
  const description = descriptionOf(cwd, save, head.taskId);
  if (description !== undefined && typeof description !== "string") return description;
  return {
    kind: "snapshot",
    snapshot: {
      taskId: head.taskId,
      stage: head.stage,
      path: read.path,
      digest: sha256Of(read.bytes),
      size: read.bytes.length,
      dev: read.stat.dev,
      ino: read.stat.ino,
      writtenAt: Math.round(read.stat.mtimeMs),
      ...(description === undefined ? {} : { descriptionPath: description }),
    },
  };
}

function unusable(read: Exclude<ReadInside, { kind: "read" }>): Problem {
  const remedy = "Let the workflow write it anew.";
  if (read.kind === "too-large") return problem("the snapshot is too large to be one", remedy);
  if (read.kind === "missing") return none;
  return problem(`the snapshot cannot be used (${words[read.kind]})`, remedy);
}

/** Somebody else may write it (R103): then it proves nothing. */
const isOpen = ({ stat }: Extract<ReadInside, { kind: "read" }>): boolean =>
  process.platform !== "win32" && (stat.mode & 0o022) !== 0;

/** So many lines at the top may name task and stage. */
const headLines = 40;

/** Task and stage from the head: the lines between two `---`, or else those before the first empty line. */
function headOf(bytes: Buffer): { readonly taskId?: string; readonly stage?: string } {
  const lines = bytes
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\n|\r/);
  const isFenced = lines[0]?.trim() === "---";
  const body = (isFenced ? lines.slice(1) : lines).slice(0, headLines);
  const endsAt = body.findIndex((line) => line.trim() === (isFenced ? "---" : ""));
  const head = endsAt < 0 ? body : body.slice(0, endsAt);
  const taskId = valueIn(head, /^(?:task|task_id):(.*)$/);
  const stage = valueIn(head, /^stage:(.*)$/);
  return { ...(taskId === undefined ? {} : { taskId }), ...(stage === undefined ? {} : { stage }) };
}

/** The one value of a key; undefined where it has none, or two. */
function valueIn(head: readonly string[], key: RegExp): string | undefined {
  const values = head.flatMap((line) => {
    const value = key.exec(line)?.[1];
    return value === undefined ? [] : [value.trim().replace(/^(["'])(.*)\1$/, "$2")];
  });
  return values.length === 1 ? values[0] : undefined;
}

function descriptionOf(cwd: string, { description }: SnapshotSave, taskId: string): string | Problem | undefined {
  if (description === undefined) return undefined;
  const place = placeInside(cwd, description.replace("{taskId}", taskId));
  return place.kind === "found" && place.stat.isFile()
    ? place.path
    : problem("the description of the snapshot's task cannot be found", "Look at the workflow's task.");
}

/** Whether it is still the same file with the same content (R103). Never throws. */
export function isSameSnapshot(cwd: string, { path, digest, dev, ino }: Snapshot): boolean {
  const read = readInside(cwd, path, cap);
  return (
    read.kind === "read" &&
    !isOpen(read) &&
    read.stat.dev === dev &&
    read.stat.ino === ino &&
    sha256Of(read.bytes) === digest
  );
}

/** The same as one look at a saved state: a snapshot needs no check code, it is bound by its file and its content. */
export function lookAtSnapshot(cwd: string, save: SnapshotSave, taskId: string): StateLook {
  const path = save.path.replace("{taskId}", taskId);
  const read = readInside(cwd, path, cap);
  if (read.kind === "unreadable") return { kind: "unreadable", why: read.why.slice(0, 200) };
  if (read.kind !== "read") return read;
  const found = bind(cwd, save, path);
  if (found.kind === "problem") return { kind: "unreadable", why: found.reason.slice(0, 200) };
  const { size, digest } = found.snapshot;
  return { kind: "well-formed", size, digest };
}
