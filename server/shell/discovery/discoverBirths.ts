import { join } from "node:path";
import type { BirthEvidence } from "../../core/binding.ts";
import { ifKnown, names } from "../files.ts";
import type { Processes } from "../processes/process.ts";
import { type CodexProcess, commandOf, type TerminalCommand } from "./discoverCodexProcess.ts";
import { livesElsewhere, locksIn } from "./discoverLocks.ts";
import type { Rollouts } from "./rollouts.ts";

/** A lock is born at most 4.34 s after its process where the daemon must be installed first (measured). */
const startWindowMs = 8000;
/** A lock is born within 107 ms of a clear's Enter (measured); the file system's clock is coarser than ours. */
const clearWindowMs = 1500;
const clockSlackMs = 50;
/**
 * Locks born since the process started or since our own clear, held by the daemon (a free one is left over, one that
 * another terminal agent holds is that one's). Not asked where it went on with an earlier conversation.
 */
export async function birthsOf(
  processes: Processes,
  rollouts: Rollouts,
  { facts, since, pressedByPerson = false, now }: CodexProcess,
  command: TerminalCommand,
  root: string,
  cwd: string | undefined,
): Promise<BirthEvidence | undefined> {
  // A clear from before this process started was another's.
  const clearedAt = since !== undefined && since > (facts.startedAt ?? since) ? since : undefined;
  const start = clearedAt ?? (command.continues ? undefined : facts.startedAt);
  if (start === undefined) return undefined;
  const from = start - clockSlackMs;
  const files = (ifKnown(await names(root)) ?? []).filter((name) => name.endsWith(".sqlite-shm"));
  const young = (await locksIn(root)).filter((lock) => lock.bornAt >= from);
  const databases = files.map((file) => join(root, file));
  const holders = await processes.lockersOf([...databases, ...young.map((lock) => lock.path)]);
  const window = {
    since: from,
    windowMs: clearedAt === undefined ? startWindowMs : clearWindowMs,
    startWindowMs,
    now,
    mustBeAlone: clearedAt !== undefined && pressedByPerson,
  };
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
