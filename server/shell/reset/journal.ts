import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { TypedEntry } from "../../core/humanPrompts.ts";
import { agentOf } from "../../core/instance.ts";
import { submittedOf as linesSubmitted, mustWait } from "../../core/reset/journalled.ts";
import type { Event, Reset, Step } from "../../core/reset/types.ts";
import type { Owner } from "../../protocol/steps.ts";
import { appendDurably, ensurePrivateDir, messageOf, publish } from "../secureFiles.ts";
import {
  type Found,
  find,
  journalFile,
  journalsIn,
  makeRoom,
  problemOf,
  prune,
  repair,
  sizeOf,
} from "./journalFiles.ts";
import { type Key, loadKey } from "./journalKey.ts";
import { type Chain, clearOf, type PastClear, signedLine, type Told, toldOf } from "./journalRecord.ts";
import { isTold, type SubmittedOf, untoldOf } from "./journalReplay.ts";

/** A journal longer than this begins anew with the next reset: the rest of 1 MiB is that reset's room, bytes. */
const rotateBytes = 768 * 1024;
/** So many past clears survive that, per agent. */
const keptClears = 64;

export type Recovered = { readonly instanceId: string; readonly state: Reset; readonly owner: Owner };

/** One append-only journal per agent: the audit trail, the step log and what a restarted worker recovers from. */
export type Journal = {
  /** Why nothing can be written; undefined while it can. */
  readonly problem: () => string | undefined;
  /**
   * Writes a step down before its effects run. Between the look and Enter nothing is written (a disk wait would let the
   * screen move on): those steps are kept and go out with the next one. Throws when it cannot be written.
   */
  readonly append: (instanceId: string, from: Reset, event: Event, step: Step) => void;
  /**
   * The last believed state and owner of every journal, by replaying its events. Finished ones of long ago are removed.
   * Never throws. `submitted`: lines of ours, also after a restart (R53).
   */
  readonly recover: (now: number) => {
    readonly resets: readonly Recovered[];
    readonly submitted: readonly TypedEntry[];
    readonly problems: readonly string[];
  };
  /** Newest first. */
  readonly pastClears: () => readonly PastClear[];
};

export type JournalOptions = {
  /** Nothing may be written while a reset is in this state. */
  readonly mustWait: (state: Reset) => boolean;
  readonly submittedOf: SubmittedOf;
};

/** What is not written yet: `to` is the state it leads to, `next` the place of the line after it. */
type Pending = { readonly text: string; readonly to: Reset; readonly next: Chain; readonly clear?: PastClear };

/** A journal as this process knows it: what is on disk, and what waits. */
type Book = {
  readonly file: string;
  readonly size: number;
  readonly chain: Chain;
  readonly state: Reset;
  readonly clears: readonly PastClear[];
  readonly pending: readonly Pending[];
};

const usual: JournalOptions = {
  mustWait,
  submittedOf: (instanceId, before, after) => linesSubmitted(agentOf(instanceId), before, after),
};

export function openJournal(storageDir: string, owner: Owner, options: Partial<JournalOptions> = {}): Journal {
  const dir = join(storageDir, "journal");
  const { mustWait, submittedOf } = { ...usual, ...options };
  const books = new Map<string, Book>();
  const read = new Map<string, { readonly stamp: string; readonly clears: readonly PastClear[] }>();
  let key: Key | undefined;
  let problem: string | undefined;

  function theKey(): Key {
    key ??= keyIn(dir);
    return key;
  }
  function findOne(file: string): Found {
    const stamp = stampOf(file);
    const found = find(file, theKey(), submittedOf);
    read.set(file, { stamp, clears: "problem" in found ? [] : found.clears.slice(-keptClears) });
    return found;
  }

  function onDisk<T>(work: () => T): T {
    try {
      const result = work();
      problem = undefined;
      return result;
    } catch (error) {
      problem = `the journal cannot be written (${messageOf(error)})`;
      throw new Error(problem);
    }
  }

  /** What is on disk, repaired where it is not whole. Read again where another process wrote. */
  function bookOf(instanceId: string, from: Reset, now: number): Book {
    const file = journalFile(dir, instanceId);
    const book = books.get(instanceId);
    if (book !== undefined && (book.pending.length > 0 || book.size === sizeOf(file))) return book;
    const found = findOne(file);
    if ("problem" in found) throw new Error(found.problem);
    const { state, chain, clears, text, last } = found;
    if (last !== undefined && last.instanceId !== instanceId)
      throw new Error(`${file} is the journal of another agent`);
    const isOurs = last?.owner.pid === owner.pid && last.owner.birth === owner.birth;
    if (last !== undefined && !isOurs && state.phase !== "none" && !isTold(state, from))
      throw new Error(
        `a reset of this agent by another worker (process ${last.owner.pid}) stands open in its journal: reload the window to take it over`,
      );
    onDisk(() => (existsSync(file) ? repair(found, now) : makeRoom(dir, findOne)));
    return { file, size: Buffer.byteLength(text), chain, state, clears, pending: [] };
  }

  function signed(all: readonly Told[], start: Chain, instanceId: string): { text: string; next: Chain } {
    let text = "";
    let next = start;
    for (const told of all) {
      const { line, next: after } = signedLine(theKey(), next, { owner, instanceId }, told);
      text += line;
      next = after;
    }
    return { text, next };
  }

  /** Begins a long file anew: where it stands, and the past clears. */
  function begunAnew(book: Book, instanceId: string, now: number): Book {
    const { chain, state, file } = book;
    const clears = book.clears.slice(-keptClears);
    const snapshot: Told = { kind: "snapshot", at: now, attempt: state.attempt, previous: chain.mac };
    const kept = clears.map((clear): Told => ({ kind: "clear", clear }));
    const { text, next } = signed([snapshot, ...kept], chain, instanceId);
    onDisk(() => publish(file, text));
    return { ...book, size: Buffer.byteLength(text), chain: next, clears };
  }

  /** A step as it waits to be written, after what the records before it do not tell. */
  function pendingOf(book: Book, instanceId: string, from: Reset, event: Event, step: Step): Pending {
    const before = book.pending.at(-1);
    const known = before?.to ?? book.state;
    const isKnown = isTold(known, from);
    if (!isKnown && from.phase !== "none") throw new Error("the steps before this one are not in the journal");
    const told = toldOf(from, event, step, isKnown ? untoldOf(known, from) : undefined);
    const gap: Told = { kind: "gap", at: event.at, attempt: from.attempt };
    const lines = signed(isKnown ? [told] : [gap, told], before?.next ?? book.chain, instanceId);
    const clear = clearOf(instanceId, told, from);
    return { ...lines, to: step.state, ...(clear === undefined ? {} : { clear }) };
  }

  function write(instanceId: string, book: Book): Book {
    const text = book.pending.map((one) => one.text).join("");
    if (!onDisk(() => appendDurably(book.file, text, book.size))) {
      books.delete(instanceId);
      throw new Error("another process wrote into the journal");
    }
    const last = book.pending.at(-1);
    return {
      ...book,
      size: book.size + Buffer.byteLength(text),
      chain: last?.next ?? book.chain,
      state: last?.to ?? book.state,
      clears: [...book.clears, ...book.pending.flatMap(({ clear }) => clear ?? [])],
      pending: [],
    };
  }

  function keyProblem(): string | undefined {
    try {
      theKey();
      return undefined;
    } catch (error) {
      return messageOf(error);
    }
  }

  return {
    problem: () => keyProblem() ?? problem,
    append(instanceId, from, event, step) {
      let book = bookOf(instanceId, from, event.at);
      // A step whose line could not be written goes out later if it was taken, and is forgotten if it was not.
      const taken = book.pending.findLastIndex(({ to }) => isTold(to, from)) + 1;
      book = { ...book, pending: book.pending.slice(0, taken) };
      if (from.phase === "none" && book.state.phase === "none" && taken === 0 && book.size > rotateBytes)
        book = begunAnew(book, instanceId, event.at);
      book = { ...book, pending: [...book.pending, pendingOf(book, instanceId, from, event, step)] };
      books.set(instanceId, book);
      if (!mustWait(step.state)) books.set(instanceId, write(instanceId, book));
    },
    recover(now) {
      const problems: string[] = [];
      // A key that cannot be used is said by `problem`: nothing can be believed without it.
      if (keyProblem() !== undefined) return { resets: [], submitted: [], problems };
      let all: readonly Found[] = [];
      let left: readonly Found[] = [];
      try {
        all = journalsIn(dir).map(findOne);
        left = prune(dir, all, now);
      } catch (error) {
        problems.push(`The journals in ${dir} cannot be tidied (${messageOf(error)}).`);
        left = all;
      }
      for (const found of all) {
        const said = problemOf(found);
        if (said !== undefined) problems.push(said);
      }
      return {
        resets: left.flatMap((found) =>
          "problem" in found || found.last === undefined
            ? []
            : [{ instanceId: found.last.instanceId, state: found.state, owner: found.last.owner }],
        ),
        submitted: all.flatMap((found) => ("problem" in found ? [] : found.submitted)),
        problems,
      };
    },
    pastClears() {
      if (keyProblem() !== undefined) return [];
      const clears = journalsIn(dir).flatMap((file) => {
        if (read.get(file)?.stamp !== stampOf(file)) findOne(file);
        return read.get(file)?.clears ?? [];
      });
      return clears.toSorted((a, b) => b.at - a.at);
    },
  };
}

function keyIn(dir: string): Key {
  try {
    ensurePrivateDir(dir);
  } catch (error) {
    throw new Error(`the journal folder cannot be used (${messageOf(error)})`);
  }
  return loadKey(dir);
}

function stampOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat === undefined ? "" : `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
}
