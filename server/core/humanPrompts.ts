import type { LastHuman } from "./conversation.ts";
import type { TranscriptFact } from "./transcript.ts";

/** One thing we typed ourselves. `at`: when it was submitted, epoch ms. `digest`: of the text, as in `digestOf`. */
export type TypedEntry =
  | { readonly kind: "text"; readonly at: number; readonly digest: string }
  /** A slash command; `name` without the slash. Its text may also arrive as a prompt. */
  | { readonly kind: "command"; readonly at: number; readonly name: string; readonly digest: string }
  | { readonly kind: "escape"; readonly at: number };

export type Prompt = Extract<TranscriptFact, { kind: "prompt" }>;
type Sign = Prompt | Extract<TranscriptFact, { kind: "command" | "interrupted" }>;

/** What may be a sign of a person, and where the model answered. */
type Mark = Sign | { readonly kind: "answered" };

/** The newest marks, oldest first. */
export type Marks = {
  readonly list: readonly Mark[];
  /** Older ones were let go. */
  readonly isCut: boolean;
  readonly lastPrompt?: { readonly at: number; readonly recordId: string; readonly digest: string };
  readonly lastAt?: number;
};

export const emptyMarks: Marks = { list: [], isCut: false };

/** Marks kept. More prompts than this by ourselves, with none of a person between them, are not expected. */
const keptMarks = 256;
/** Clock and file order may differ by this much before the Enter, ms. */
const earlyMs = 2000;
/** A prompt typed into a running turn may wait in the agent's queue this long, ms. */
const lateMs = 60 * 60_000;
/** An interrupt is recorded at once; later ones are the person's, ms. */
const escapeMs = 15_000;
/** All records of one prompt, command or interrupt are written within this time, ms. */
const sameMs = 2000;

export function foldMark(marks: Marks, fact: TranscriptFact): Marks {
  switch (fact.kind) {
    case "prompt": {
      const at = fact.at ?? marks.lastAt ?? 0;
      if (isWrittenAgain(marks.list, fact)) return { ...marks, lastAt: at };
      const { recordId, digest } = fact;
      const isNewest = marks.lastPrompt === undefined || at >= marks.lastPrompt.at;
      return {
        // What a program sends is no sign of a person, and there may be more of it than is kept.
        ...(isHuman(fact) ? add(marks, fact) : marks),
        ...(isNewest && fact.source !== "system" ? { lastPrompt: { at, recordId, digest } } : {}),
        lastAt: at,
      };
    }
    case "command":
    case "interrupted":
      return { ...add(marks, fact), ...(fact.at === undefined ? {} : { lastAt: fact.at }) };
    case "usage":
    case "unmetered":
      return marks.list.length === 0 || marks.list.at(-1)?.kind === "answered"
        ? marks
        : add(marks, { kind: "answered" });
    default:
      return marks;
  }
}

function add(marks: Marks, mark: Mark): Marks {
  const isCut = marks.isCut || marks.list.length >= keptMarks;
  return { ...marks, list: [...marks.list.slice(1 - keptMarks), mark], isCut };
}

/** Some versions of Codex write two records of one prompt. */
export function isSamePrompt(before: Prompt, { record, digest, at }: Prompt): boolean {
  const isPair = record !== undefined && before.record !== undefined && record !== before.record;
  return isPair && digest === before.digest && isSoon(before.at, at);
}

const isWrittenAgain = (list: readonly Mark[], fact: Prompt): boolean => {
  const before = list.findLast((mark) => mark.kind === "prompt");
  return before !== undefined && isSamePrompt(before, fact);
};

const isSoon = (before: number | undefined, at: number | undefined): boolean =>
  before === undefined || at === undefined || Math.abs(at - before) <= sameMs;

type Human = {
  readonly lastHuman: LastHuman;
  readonly lastActivityAt?: number;
  readonly lastPrompt?: NonNullable<Marks["lastPrompt"]>;
};

/** The last signs of the person: all signs but those that are our own typing (R50, R53) or a program's. */
export function withoutOurs(marks: Marks, typed: readonly TypedEntry[], isWhole: boolean): Human {
  const unused = new Set(typed);
  let lastHuman: LastHuman = { kind: isWhole && !marks.isCut ? "none" : "unknown" };
  let lastActivityAt: number | undefined;
  let owned: Owned | undefined;
  for (const mark of marks.list) {
    if (mark.kind === "answered") {
      owned = undefined;
      continue;
    }
    const entry = take(unused, mark);
    if (entry !== undefined) {
      owned = { entry, sign: mark };
      continue;
    }
    if (owned !== undefined && isOwned(owned, mark)) continue;
    if (mark.kind === "prompt") {
      if (!isHuman(mark)) continue;
      if (mark.at === undefined) lastHuman = lastHuman.kind === "known" ? lastHuman : { kind: "unknown" };
      else if (lastHuman.kind !== "known" || mark.at >= lastHuman.at)
        lastHuman = { kind: "known", at: mark.at, recordId: mark.recordId };
    } else if (mark.at !== undefined) lastActivityAt = Math.max(mark.at, lastActivityAt ?? mark.at);
  }
  return {
    lastHuman,
    ...(lastActivityAt === undefined ? {} : { lastActivityAt }),
    ...(marks.lastPrompt === undefined ? {} : { lastPrompt: marks.lastPrompt }),
  };
}

/** Whether this prompt may be a person's; what a program sends says so. */
export const isHuman = (prompt: Prompt): boolean => prompt.source !== "system" && prompt.source !== "sdk";

/** Whether one of these entries may account for this prompt. */
export const isTyped = (typed: readonly TypedEntry[], prompt: Prompt): boolean =>
  typed.some((entry) => accounts(entry, prompt));

/** The last sign that an entry accounts for; until the model answers it may own what follows. */
type Owned = { readonly entry: TypedEntry; readonly sign: Sign };

/** What one Enter or ESC leaves besides its first record: of a slash command all that its prompt expands to. */
function isOwned({ entry, sign }: Owned, mark: Sign): boolean {
  switch (mark.kind) {
    case "prompt": {
      if (entry.kind !== "command" || sign.kind === "interrupted" || sign.promptId !== mark.promptId) return false;
      // Older versions number no prompts: an expansion is written at once, a person is slower.
      return mark.promptId !== undefined || isSoon(sign.at, mark.at);
    }
    case "command":
      return entry.kind === "command" && entry.name === mark.name && isSoon(sign.at, mark.at);
    case "interrupted":
      return entry.kind === "escape" && isSoon(sign.at, mark.at);
  }
}

/** The entry that accounts for this mark. Each accounts for one only: the same words again are the person's. */
function take(unused: Set<TypedEntry>, mark: Sign): TypedEntry | undefined {
  for (const entry of unused) {
    if (!accounts(entry, mark)) continue;
    unused.delete(entry);
    return entry;
  }
  return undefined;
}

function accounts(entry: TypedEntry, mark: Sign): boolean {
  const since = mark.at === undefined ? 0 : mark.at - entry.at;
  const isInTime = since >= -earlyMs && since <= (entry.kind === "escape" ? escapeMs : lateMs);
  if (!isInTime) return false;
  switch (mark.kind) {
    case "prompt":
      return (
        entry.kind !== "escape" &&
        (entry.digest === mark.digest || (entry.kind === "command" && entry.name === mark.command))
      );
    case "command":
      return entry.kind === "command" && entry.name === mark.name;
    case "interrupted":
      return entry.kind === "escape";
  }
}

/** A conversation born of a clear has its predecessor's last prompt until it has one of its own (DESIGN §6). */
export const inheritHuman = (own: LastHuman, predecessor: LastHuman): LastHuman =>
  own.kind === "none" ? predecessor : own;
