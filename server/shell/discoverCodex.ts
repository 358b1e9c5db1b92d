import { dirname, join, resolve } from "node:path";
import * as z from "zod";
import {
  type CodexCommand,
  recogniseCodex,
  threadNames,
  threadOfLock,
  versionInPath,
} from "../agents/codex/sessions.ts";
import { type BirthEvidence, bindCodex, type CodexEvidence, type HeldThread } from "../core/binding.ts";
import type { Bound } from "./discoverClaude.ts";
import { bytesOf, fileFacts, ifKnown, names, real } from "./files.ts";
import type { ProcessDetails, Processes, ProcessFacts } from "./processes/process.ts";
import { settled } from "./processes/settled.ts";
import type { Rollouts } from "./rollouts.ts";

/** A lock is born at most 4.34 s after its process where the daemon must be installed first (measured). */
const startWindowMs = 8000;
/** A lock is born within 107 ms of a clear's Enter (measured); the file system's clock is coarser than ours. */
const clearWindowMs = 1500;
const clockSlackMs = 50;
/** Only the newest names are read of an index that grows for ever. */
const indexTailBytes = 64 * 1024;

type TerminalCommand = Extract<CodexCommand, { kind: "terminal" }>;
export type CodexProcess = {
  readonly facts: ProcessFacts;
  readonly details: ProcessDetails;
  readonly roots: readonly string[];
  /** Start of the conversation's id in the title of its terminal, live. */
  readonly titleId?: string;
  /** Epoch ms of our own clear in its terminal. */
  readonly since?: number;
  readonly now: number;
};

export const commandOf = ({ argv }: ProcessFacts): CodexCommand | undefined => recogniseCodex(argv);

/** What a Codex terminal process is in. */
export async function lookAtCodex(
  processes: Processes,
  rollouts: Rollouts,
  process: CodexProcess,
  command: TerminalCommand,
): Promise<Bound & { readonly daemon: boolean }> {
  const { details, facts } = process;
  const { root, held } = await heldBy(processes, rollouts, process);
  const cwd = await workingFolder(details.cwd, command.folder);
  const isDaemon = !command.embedded && (held === "unknown" || held.length === 0);
  const evidence: CodexEvidence = {
    foreignNamespace: details.foreignNamespace,
    held,
    ...(process.titleId === undefined ? {} : { titleId: process.titleId }),
    titled: [],
  };
  const isOpen = isDaemon && !command.remote && root !== undefined && details.own;
  const births = isOpen ? await birthsOf(processes, rollouts, process, command, root, cwd) : undefined;
  const titled =
    isOpen && process.titleId !== undefined ? await titledIn(rollouts, root, process.titleId, cwd, process.now) : [];
  const verdict = bindCodex({ ...evidence, titled, ...(births === undefined ? {} : { births }) });
  const id = verdict.conversationId;
  const [rollout] = id === undefined || root === undefined ? [] : await rollouts.find(root, id, process.now);
  const head = rollout === undefined ? undefined : await rollouts.head(rollout.path);
  const version = head?.version ?? (await installedVersion(details.executable ?? facts.argv[0] ?? ""));
  const sessionName = id === undefined || root === undefined ? undefined : await nameOf(root, id);
  return {
    verdict,
    daemon: isDaemon,
    about: {
      ...(root === undefined ? {} : { configDir: root }),
      ...(cwd === undefined ? {} : { cwd }),
      ...(rollout === undefined ? {} : { transcript: rollout.path }),
      ...(version === undefined ? {} : { version }),
      ...(sessionName === undefined ? {} : { sessionName }),
    },
  };
}

/** The locks this process holds, and the home they lie in: the one its environment names, or the one it holds locks in. */
async function heldBy(
  processes: Processes,
  rollouts: Rollouts,
  { facts, details, roots, now }: CodexProcess,
): Promise<{ root: string | undefined; held: CodexEvidence["held"] }> {
  const only = roots.length === 1 ? roots[0] : undefined;
  if (!details.own || details.foreignNamespace) return { root: only, held: [] };
  let isUnknown = false;
  for (const root of roots) {
    const held = await settled(() => processes.heldIn(facts.pid, locksOf(root)));
    if (held.kind === "unknown") isUnknown = true;
    const ids = (ifKnown(held) ?? []).flatMap((name) => threadOfLock(name) ?? []);
    const threads = await Promise.all(ids.map((id) => heldThread(rollouts, root, id, now)));
    const found = threads.flatMap((thread) => thread ?? []);
    if (found.length > 0) return { root, held: found };
  }
  return { root: only, held: isUnknown ? "unknown" : [] };
}

async function heldThread(rollouts: Rollouts, root: string, id: string, now: number): Promise<HeldThread | undefined> {
  const lock = ifKnown(await fileFacts(join(locksOf(root), `${id}.lock`)));
  if (lock === undefined) return undefined;
  const [rollout] = await rollouts.find(root, id, now);
  const head = rollout === undefined ? undefined : await rollouts.head(rollout.path);
  const written = rollout === undefined ? undefined : ifKnown(await fileFacts(rollout.path));
  return {
    conversationId: id,
    bornAt: lock.bornAt,
    subagent: head?.subagent ?? false,
    ...(written === undefined ? {} : { writtenAt: written.writtenAt }),
  };
}

export const locksOf = (root: string): string => join(root, "thread-writer-locks");

async function locksIn(root: string): Promise<readonly { conversationId: string; path: string; bornAt: number }[]> {
  const ids = (ifKnown(await names(locksOf(root))) ?? []).flatMap((name) => threadOfLock(name) ?? []);
  const locks = await Promise.all(
    ids.map(async (conversationId) => {
      const path = join(locksOf(root), `${conversationId}.lock`);
      const facts = ifKnown(await fileFacts(path));
      return facts === undefined ? [] : [{ conversationId, path, bornAt: facts.bornAt }];
    }),
  );
  return locks.flat();
}

/** Conversations whose id begins as the title says, in locks and rollouts of this home. */
async function titledIn(
  rollouts: Rollouts,
  root: string,
  titleId: string,
  cwd: string | undefined,
  now: number,
): Promise<CodexEvidence["titled"]> {
  const locks = (await locksIn(root)).map((lock) => lock.conversationId).filter((id) => id.startsWith(titleId));
  const found = (await rollouts.find(root, titleId, now)).map((rollout) => rollout.conversationId);
  const ids = [...new Set([...locks, ...found])];
  return Promise.all(
    ids.map(async (conversationId) => ({
      conversationId,
      elsewhere: await livesElsewhere(rollouts, root, conversationId, cwd, now),
    })),
  );
}

/** Its rollout names another folder than the process works in. Without rollout nothing is known against it. */
async function livesElsewhere(
  rollouts: Rollouts,
  root: string,
  id: string,
  cwd: string | undefined,
  now: number,
): Promise<boolean> {
  const [rollout] = await rollouts.find(root, id, now);
  const head = rollout === undefined ? undefined : await rollouts.head(rollout.path);
  if (head?.cwd === undefined || cwd === undefined) return false;
  return (ifKnown(await real(head.cwd)) ?? head.cwd) !== cwd;
}

/**
 * Locks born since the process started or since our own clear, held by the daemon (a free one is left over, one that
 * another terminal agent holds is that one's). Not asked where it went on with an earlier conversation.
 */
async function birthsOf(
  processes: Processes,
  rollouts: Rollouts,
  { facts, since, now }: CodexProcess,
  command: TerminalCommand,
  root: string,
  cwd: string | undefined,
): Promise<BirthEvidence | undefined> {
  const start = since ?? (command.continues ? undefined : facts.startedAt);
  if (start === undefined) return undefined;
  const from = start - clockSlackMs;
  const files = (ifKnown(await names(root)) ?? []).filter((name) => name.endsWith(".sqlite-shm"));
  const young = (await locksIn(root)).filter((lock) => lock.bornAt >= from);
  const databases = files.map((file) => join(root, file));
  const holders = await processes.lockersOf([...databases, ...young.map((lock) => lock.path)]);
  const window = { since: from, windowMs: since === undefined ? startWindowMs : clearWindowMs, startWindowMs, now };
  if (holders.kind !== "known") return { ...window, locks: young, otherStarts: "unknown" };
  const holding = (path: string) => holders.value.get(path) ?? [];
  const others = await terminalAgents(processes, new Set(databases.flatMap(holding)), facts.pid);
  const embedded = new Set(young.flatMap((lock) => holding(lock.path)).filter((pid) => others.get(pid) !== undefined));
  const here: (typeof young)[number][] = [];
  for (const lock of young) {
    const isFree = holding(lock.path).length === 0;
    const isAnothers = holding(lock.path).some((pid) => embedded.has(pid));
    if (isFree || isAnothers || (await livesElsewhere(rollouts, root, lock.conversationId, cwd, now))) continue;
    here.push(lock);
  }
  const starts = [...others].flatMap(([pid, start]) => (embedded.has(pid) ? [] : [start]));
  const isComplete = databases.flatMap(holding).includes(facts.pid) && !starts.includes("unknown");
  return {
    ...window,
    locks: here,
    otherStarts: isComplete ? starts.filter((start) => start !== "unknown") : "unknown",
  };
}

/**
 * Starts of the other terminal agents of a home, wherever they run: each holds a lock on the shared-memory file of the
 * home's databases as long as it lives, so that no search through all processes is needed.
 */
async function terminalAgents(
  processes: Processes,
  pids: ReadonlySet<number>,
  own: number,
): Promise<ReadonlyMap<number, number | "unknown">> {
  const starts = new Map<number, number | "unknown">();
  for (const pid of pids) {
    const process = pid === own ? undefined : await processes.one(pid);
    if (process === undefined || process.kind === "gone") continue;
    if (process.kind === "unknown") starts.set(pid, "unknown");
    else if (commandOf(process.value)?.kind === "terminal") starts.set(pid, process.value.startedAt ?? "unknown");
  }
  return starts;
}

async function workingFolder(cwd: string | undefined, folder: string | undefined): Promise<string | undefined> {
  const path = folder === undefined ? cwd : resolve(cwd ?? "/", folder);
  return path === undefined ? undefined : (ifKnown(await real(path)) ?? path);
}

const Manifest = z.object({ name: z.string().regex(/^@openai\/codex/), version: z.string().max(64) });

/** From the package the program lies in (`<package>/vendor/<target>/bin/codex`), else from its path. */
async function installedVersion(executable: string): Promise<string | undefined> {
  const inPath = versionInPath(executable);
  if (inPath !== undefined || executable === "") return inPath;
  let folder = dirname(executable);
  for (let up = 0; up < 4; up++, folder = dirname(folder)) {
    const bytes = ifKnown(await bytesOf(join(folder, "package.json"), 64 * 1024));
    const manifest = bytes === undefined ? undefined : Manifest.safeParse(jsonOf(bytes.toString("utf8")));
    if (manifest?.success === true) return /^\d+\.\d+\.\d+/.exec(manifest.data.version)?.[0];
  }
  return undefined;
}

async function nameOf(root: string, id: string): Promise<string | undefined> {
  const tail = ifKnown(await bytesOf(join(root, "session_index.jsonl"), indexTailBytes, "end"));
  return tail === undefined ? undefined : threadNames(tail.toString("utf8")).get(id);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
