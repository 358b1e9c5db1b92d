import { adapters } from "../../agents/registry.ts";
import type { Conversation } from "../../core/conversation.ts";
import { conversationOf, type Fold } from "../../core/fold.ts";
import { isTyped, type TypedEntry } from "../../core/humanPrompts.ts";
import type { WindowSettings } from "../../core/window.ts";
import type { AgentId } from "../../protocol/agents.ts";
import { watchFolders } from "./followFolders.ts";
import { createTail, type Tail, type TailState } from "./tail.ts";

export type FollowedFile = {
  readonly agent: AgentId;
  /** Absolute path of the transcript. */
  readonly path: string;
  /** Folder that it must really lie in. */
  readonly root?: string | undefined;
};

/** What is known of a followed file. */
export type Followed =
  /** Not read yet. */
  | { readonly kind: "new" }
  | { readonly kind: "read"; readonly state: TailState; readonly restarts: number }
  | { readonly kind: "gone"; readonly since: number }
  | { readonly kind: "failed"; readonly problem: string };

export type FollowerOptions = {
  /** A followed file was read for the first time, grew, was replaced, went away or cannot be read. */
  readonly changed: (path: string) => void;
  readonly typed?: () => readonly TypedEntry[];
  readonly windowSettings?: (path: string) => WindowSettings;
  /** Epoch ms. */
  readonly now?: () => number;
  /** Every file is looked at once in this time even when no event came, ms. */
  readonly pollMs?: number;
};

export type Follower = {
  readonly follow: (file: FollowedFile) => void;
  readonly unfollow: (path: string) => void;
  readonly paths: () => readonly string[];
  /** Reads what was appended, now. */
  readonly refresh: (path: string) => Promise<void>;
  readonly followed: (path: string) => Followed | undefined;
  /** Undefined while nothing was read. A deleted file leaves its last conversation, with the turn `gone`. */
  readonly conversationOf: (path: string) => Conversation | undefined;
  readonly dispose: () => void;
};

type Entry = {
  readonly file: FollowedFile;
  readonly tail: Tail;
  known: Followed;
  /** Last fold read, kept when the file is gone. */
  last?: { readonly fold: Fold; readonly state: TailState };
  reading?: Promise<void> | undefined;
  again: boolean;
};

/** Events of one write come in bursts; the first read waits this long for the rest, ms. */
const coalesceMs = 10;
/** Files read at the same time: each may hold a buffer of a chunk. */
const readsMost = 4;
const defaultPollMs = 20_000;

/** Follows a set of transcripts: events of their folders, and a slow look at each as a net under lost events. */
export function createFollower({
  changed,
  typed,
  windowSettings,
  now = Date.now,
  pollMs = defaultPollMs,
}: FollowerOptions): Follower {
  const entries = new Map<string, Entry>();
  const due = new Map<string, NodeJS.Timeout>();
  const waiting: (() => void)[] = [];
  let reads = 0;
  let isDisposed = false;

  const folders = watchFolders({ touched: soon, files: () => entries.keys(), pollMs });

  function soon(path: string): void {
    if (isDisposed || due.has(path) || !entries.has(path)) return;
    const timer = setTimeout(() => {
      due.delete(path);
      // `refresh` reports failures as a state of the file and never rejects.
      void refresh(path);
    }, coalesceMs);
    due.set(path, timer);
  }

  /** One read of a file at a time; a call during a read is answered by one more read after it. */
  async function refresh(path: string): Promise<void> {
    const entry = entries.get(path);
    if (entry === undefined || isDisposed) return;
    if (entry.reading !== undefined) {
      entry.again = true;
      return entry.reading;
    }
    entry.reading = readUntilQuiet(path, entry).finally(() => {
      entry.reading = undefined;
    });
    return entry.reading;
  }

  async function readUntilQuiet(path: string, entry: Entry): Promise<void> {
    do {
      entry.again = false;
      await turn();
      try {
        await readOnce(path, entry);
      } finally {
        reads -= 1;
        waiting.shift()?.();
      }
    } while (entry.again && !isDisposed);
  }

  async function turn(): Promise<void> {
    while (reads >= readsMost) await new Promise<void>((resolve) => waiting.push(resolve));
    reads += 1;
  }

  async function readOnce(path: string, entry: Entry): Promise<void> {
    const result = await entry.tail.read((state) =>
      settle(path, entry, { kind: "read", state, restarts: restartsOf(entry) }),
    );
    switch (result.kind) {
      case "unchanged":
        return;
      case "read":
        return settle(path, entry, {
          kind: "read",
          state: result.state,
          restarts: restartsOf(entry) + (result.restarted ? 1 : 0),
        });
      case "gone":
        if (entry.known.kind !== "gone") settle(path, entry, { kind: "gone", since: now() });
        return;
      case "failed":
        if (entry.known.kind !== "failed" || entry.known.problem !== result.problem) settle(path, entry, result);
        return;
    }
  }

  function settle(path: string, entry: Entry, known: Followed): void {
    if (entries.get(path) !== entry || isDisposed) return;
    entry.known = known;
    if (known.kind === "read") entry.last = { fold: known.state.fold, state: known.state };
    changed(path);
  }

  return {
    follow(file) {
      const before = entries.get(file.path);
      if (isDisposed || (before?.file.agent === file.agent && before.file.root === file.root)) return;
      const { agent, path, root } = file;
      const tail = createTail({
        adapter: adapters[agent],
        path,
        root,
        isOurs: (prompt) => isTyped(typed?.() ?? [], prompt),
      });
      entries.set(path, { file, tail, known: { kind: "new" }, again: false });
      folders.add(path);
      soon(path);
    },
    unfollow(path) {
      if (!entries.delete(path)) return;
      clearTimeout(due.get(path));
      due.delete(path);
      folders.remove(path);
    },
    paths: () => [...entries.keys()],
    refresh,
    followed: (path) => entries.get(path)?.known,
    conversationOf(path) {
      const entry = entries.get(path);
      if (entry?.last === undefined) return undefined;
      // What we typed and the windows change without the file: nothing of the view is kept across calls but the fold.
      const { fold, state } = entry.last;
      const settings = windowSettings?.(path);
      const conversation = conversationOf(fold, {
        now: now(),
        typed: typed?.() ?? [],
        humanSearchComplete: state.isWhole,
        records: state.records,
        badLines: state.badLines,
        ...(settings === undefined ? {} : { windowSettings: settings }),
      });
      return entry.known.kind === "gone" ? { ...conversation, turn: { kind: "gone" } } : conversation;
    },
    dispose() {
      isDisposed = true;
      for (const timer of due.values()) clearTimeout(timer);
      due.clear();
      folders.dispose();
      entries.clear();
    },
  };
}

const restartsOf = ({ known }: Entry): number => (known.kind === "read" ? known.restarts : 0);
