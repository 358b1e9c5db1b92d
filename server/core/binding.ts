import type { BindingGrade } from "./instance.ts";

/**
 * From evidence to a grade (DESIGN §5). Pure. Conflict and doubt never pick a side: they give `ambiguous`, with the
 * conversations it may be.
 */
export type Verdict = {
  readonly grade: BindingGrade;
  readonly conversationId?: string;
  /** Conversations it may be in where none is named. */
  readonly candidates: readonly string[];
  /** Another process is in the same conversation: no pick makes that good. */
  readonly contested?: true;
};

export type ClaudeEvidence = {
  /** Its pid is not the one its own records name. */
  readonly foreignNamespace: boolean;
  readonly pid: number;
  readonly birth: string;
  /** `sessions/<pid>.json`; absent: none yet, or unreadable. */
  readonly record?: { readonly pid: number; readonly birth?: string; readonly conversationId: string };
  /** Other live processes whose own record names the same conversation. */
  readonly rivals: number;
};

export function bindClaude(evidence: ClaudeEvidence): Verdict {
  const { record } = evidence;
  if (evidence.foreignNamespace || record === undefined) return nothing;
  if (record.pid !== evidence.pid || record.birth !== evidence.birth) return nothing;
  return evidence.rivals > 0 ? contest([record.conversationId]) : named("process", record.conversationId);
}

export type HeldThread = {
  readonly conversationId: string;
  /** Epoch ms of the lock file's birth. */
  readonly bornAt: number;
  /** Epoch ms of the last write to its rollout; absent: none written. */
  readonly writtenAt?: number;
  /** The agent made it for itself. */
  readonly subagent: boolean;
};

export type CodexEvidence = {
  readonly foreignNamespace: boolean;
  /** Conversations whose lock this very process holds (no daemon); `unknown`: the system did not tell. */
  readonly held: readonly HeldThread[] | "unknown";
  /** First characters of the conversation's id in this terminal's own live title. */
  readonly titleId?: string;
  /** Conversations with a lock or rollout whose id begins so; `elsewhere`: it is known to live in another folder. */
  readonly titled: readonly { readonly conversationId: string; readonly elsewhere: boolean }[];
  /** What was born when this process started, where it is worth asking. */
  readonly births?: BirthEvidence;
};

export type BirthEvidence = {
  /** Epoch ms since when a lock can be this process's own: its start, or our own clear. */
  readonly since: number;
  /** How long (ms) after `since` its lock is expected at the latest. */
  readonly windowMs: number;
  /** The same for any other process, after its start. */
  readonly startWindowMs: number;
  readonly now: number;
  /** Any other terminal agent of the home makes it doubtful, whenever it started. */
  readonly mustBeAlone: boolean;
  /** Locks of the same home born at or after `since`, whoever holds them; those known to live elsewhere left out. */
  readonly locks: readonly { readonly conversationId: string; readonly bornAt: number }[];
  /** Starts (epoch ms) of the other terminal agents of this home; `unknown`: they could not be listed. */
  readonly otherStarts: readonly number[] | "unknown";
};

/** A title's id is cut after 29 characters, which is 20 more than the clock in it (measured). */
const titleLength = 29;
/** Writes that belong to what happened before a lock's birth may still come this much later (ms). */
const flushMs = 2000;

export function bindCodex(evidence: CodexEvidence): Verdict {
  if (evidence.foreignNamespace) return nothing;
  if (evidence.held !== "unknown" && evidence.held.length > 0) return bindHeld(evidence.held, evidence.titleId);
  if (evidence.titleId !== undefined) return bindTitled(evidence);
  return evidence.births === undefined ? nothing : bindBirth(evidence.births);
}

/**
 * After `/clear` the old lock is held on for up to two minutes: the newest is the conversation in front. Not so when an
 * older one was written to since (it was resumed, or the newest belongs to a sub-agent that had nothing on disk yet).
 */
function bindHeld(held: readonly HeldThread[], titleId: string | undefined): Verdict {
  const own = held.filter((thread) => !thread.subagent).toSorted((a, b) => b.bornAt - a.bornAt);
  const all = own.map((thread) => thread.conversationId);
  if (titleId !== undefined) {
    const titled = all.filter((id) => isTitle(titleId, id));
    const [only] = titled;
    return only !== undefined && titled.length === 1 ? named("process", only) : doubt(all);
  }
  const [newest, ...older] = own;
  if (newest === undefined) return nothing;
  const contradicted = older.some((t) => t.bornAt === newest.bornAt || (t.writtenAt ?? 0) > newest.bornAt + flushMs);
  return contradicted ? doubt(all) : named("process", newest.conversationId);
}

function bindTitled({ titled, titleId }: CodexEvidence): Verdict {
  const matching = titled.filter(({ conversationId }) => isTitle(titleId ?? "", conversationId));
  const [only] = matching;
  if (only === undefined) return nothing;
  if (matching.length > 1 || only.elsewhere) return doubt(matching.map((match) => match.conversationId));
  return named("title", only.conversationId);
}

const isTitle = (titleId: string, id: string): boolean => titleId.length >= titleLength && id.startsWith(titleId);

/** Only when the window is over: before that, this process's own lock may still be to come. */
function bindBirth(evidence: BirthEvidence): Verdict {
  const { since, windowMs, startWindowMs, now, mustBeAlone, locks, otherStarts } = evidence;
  const born = locks.filter((lock) => lock.bornAt >= since).toSorted((a, b) => a.bornAt - b.bornAt);
  if (born.length === 0) return nothing;
  if (otherStarts === "unknown") return doubt(born.map((lock) => lock.conversationId));
  const later = otherStarts.filter((start) => start > since + windowMs).toSorted((a, b) => a - b);
  const open = later.reduce<BirthEvidence["locks"]>(
    (rest, start) => withoutFirstIn(rest, start, start + startWindowMs),
    born,
  );
  const ids = open.map((lock) => lock.conversationId);
  const [only] = open;
  if (only === undefined) return nothing;
  const isAlone = !otherStarts.some(
    (start) => mustBeAlone || Math.abs(start - since) <= Math.max(windowMs, startWindowMs),
  );
  if (open.length > 1 || !isAlone || only.bornAt > since + windowMs) return doubt(ids);
  return now <= since + windowMs ? { ...nothing, candidates: ids } : named("birth", only.conversationId);
}

/** A later start explains one lock: the first born within its window. */
function withoutFirstIn<T extends { readonly bornAt: number }>(
  locks: readonly T[],
  from: number,
  until: number,
): readonly T[] {
  const at = locks.findIndex((lock) => lock.bornAt >= from && lock.bornAt <= until);
  return at < 0 ? locks : locks.toSpliced(at, 1);
}

/** A person's pick counts where the evidence names nothing; it never overrules two processes on one conversation. */
export function withPick(verdict: Verdict, pick: string | undefined): Verdict {
  const isOpen = verdict.grade === "none" || (verdict.grade === "ambiguous" && verdict.contested !== true);
  return pick !== undefined && isOpen
    ? { grade: "picked", conversationId: pick, candidates: verdict.candidates }
    : verdict;
}

/** Two processes on one conversation: neither is bound. Order and number stay. */
export function withoutRivals(verdicts: readonly Verdict[]): readonly Verdict[] {
  const claims = new Map<string, number>();
  for (const { conversationId } of verdicts) {
    if (conversationId !== undefined) claims.set(conversationId, (claims.get(conversationId) ?? 0) + 1);
  }
  return verdicts.map((verdict) => {
    const { conversationId, candidates } = verdict;
    if (conversationId === undefined || claims.get(conversationId) === 1) return verdict;
    return contest([...new Set([conversationId, ...candidates])]);
  });
}

const nothing: Verdict = { grade: "none", candidates: [] };
const doubt = (candidates: readonly string[]): Verdict => ({ grade: "ambiguous", candidates });
const contest = (candidates: readonly string[]): Verdict => ({ grade: "ambiguous", candidates, contested: true });
const named = (grade: BindingGrade, conversationId: string): Verdict => ({ grade, conversationId, candidates: [] });
