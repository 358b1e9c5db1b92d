import { isDeepStrictEqual } from "node:util";
import type { TypedEntry } from "../../core/humanPrompts.ts";
import { phaseWord } from "../../core/reset/journalled.ts";
import { noReset, reduce } from "../../core/reset/machine.ts";
import type { Reset } from "../../core/reset/types.ts";
import type { Owner } from "../../protocol/steps.ts";
import type { Key } from "./journalKey.ts";
import {
  type Chain,
  clearOf,
  jsonOf,
  newChain,
  type PastClear,
  type ReadLine,
  readLine,
  type StepLine,
  type Untold,
} from "./journalRecord.ts";

/** What lines of ours went out at a step. */
export type SubmittedOf = (instanceId: string, before: Reset, after: Reset) => readonly TypedEntry[];

/**
 * Why a journal is believed only so far. `cut`: Plimsoll stopped while it wrote the last line, before anything was done
 * for it. `earlier`: by a version that signed nothing; `isOpen`: its reset had not ended. `broken`: all else.
 */
export type Fault =
  | { readonly kind: "cut" | "broken"; readonly sentence: string }
  | { readonly kind: "earlier"; readonly isOpen: boolean; readonly sentence: string };

/** A journal as far as it is believed. */
export type Replay = {
  readonly state: Reset;
  readonly chain: Chain;
  /** The believed lines. */
  readonly text: string;
  /** Of the last believed line. */
  readonly last?: { readonly instanceId: string; readonly owner: Owner; readonly at: number };
  readonly submitted: readonly TypedEntry[];
  /** Oldest first. */
  readonly clears: readonly PastClear[];
  readonly fault?: Fault;
};

/**
 * Replays a journal: the same events give the same states (DESIGN §8). Each line is believed only if its mac fits it and
 * the line before it; what follows the first that does not fit is not believed, however good it looks. What this cannot
 * see: lines taken off the end, and a whole file put back to an earlier state of itself.
 */
export function replay(file: string, text: string, key: Key, submittedOf: SubmittedOf): Replay {
  const lines = text.split("\n");
  const tail = lines.pop() ?? "";
  const read = lines.map(readLine);
  let state: Reset = noReset;
  let chain = newChain;
  let last: Replay["last"];
  const submitted: TypedEntry[] = [];
  const clears: PastClear[] = [];

  const done = (believed: number, fault?: Fault): Replay => ({
    state,
    chain,
    text: lines
      .slice(0, believed)
      .map((line) => `${line}\n`)
      .join(""),
    ...(last === undefined ? {} : { last }),
    submitted,
    clears,
    ...(fault === undefined ? {} : { fault }),
  });
  const broken = (index: number, what: string) =>
    done(index, { kind: "broken", sentence: sentence(file, index, what) });

  if (isEarlier(text)) return done(0, earlier(file, lines));
  for (const [index, line] of read.entries()) {
    if (line === undefined) return broken(index, "is no line of a journal");
    const { told } = line;
    if (index === 0 && told?.kind === "snapshot") chain = { seq: told.seq, mac: told.previous };
    if (line.seq !== chain.seq || !key.fits(chain.mac, line.body, line.mac))
      return broken(index, whyNot(read, index, chain.seq, key));
    if (told === undefined) return broken(index, otherVersion);
    if (last !== undefined && last.instanceId !== told.instanceId) return broken(index, "tells of another agent");
    chain = { seq: chain.seq + 1, mac: line.mac };
    switch (told.kind) {
      case "snapshot":
        if (index > 0) return broken(index, "begins a journal in the middle of another");
        state = { phase: "none", attempt: told.attempt };
        last = { ...told };
        break;
      case "gap":
        state = { phase: "none", attempt: told.attempt };
        last = { ...told };
        break;
      case "clear":
        clears.push(told.clear);
        break;
      case "step": {
        const taken = stepFrom(state, told);
        if (taken === undefined) return broken(index, otherVersion);
        submitted.push(...submittedOf(told.instanceId, taken.from, taken.to));
        const clear = clearOf(told.instanceId, told, taken.from);
        if (clear !== undefined) clears.push(clear);
        state = taken.to;
        last = { ...told, at: told.event.at };
      }
    }
  }
  return tail === "" ? done(lines.length) : done(lines.length, cut(file, lines.length));
}

/** The state a step began and ended in; undefined where this machine would have gone another way. */
function stepFrom(known: Reset, { from, to, untold, event }: StepLine): { from: Reset; to: Reset } | undefined {
  const before = untold === undefined ? known : retold(known, untold);
  const after = reduce(before, event).state;
  return phaseWord(before) === from && phaseWord(after) === to ? { from: before, to: after } : undefined;
}

const retold = (state: Reset, { attempt, asking }: Untold): Reset =>
  "asking" in state && asking !== undefined ? { ...state, attempt, asking } : { ...state, attempt };

/** What the records do not tell of a state; undefined where they tell it all. */
export function untoldOf(known: Reset, state: Reset): Untold | undefined {
  const asking = "asking" in state ? state.asking : undefined;
  if (known.attempt === state.attempt && asking === ("asking" in known ? known.asking : undefined)) return undefined;
  return { attempt: state.attempt, ...(asking === undefined ? {} : { asking }) };
}

/** Whether both are the same state, but for what polls change. */
export const isTold = (known: Reset, state: Reset): boolean =>
  known === state || isDeepStrictEqual(essence(known), essence(state));

const essence = (state: Reset): unknown =>
  jsonOf(JSON.stringify({ ...state, attempt: 0, asking: false, waitsFor: undefined, because: undefined }));

const otherVersion = "was written by another version of Plimsoll, which this one cannot follow";
const unbelieved =
  "It and what follows are not believed, and what was done after it is not known: look at the terminal.";

const sentence = (file: string, index: number, what: string): string =>
  `Line ${index + 1} of the journal ${file} ${what}. ${unbelieved}`;

const cut = (file: string, index: number): Fault => ({
  kind: "cut",
  sentence:
    `The last line (${index + 1}) of the journal ${file} is cut off: Plimsoll stopped while it wrote it, ` +
    "and nothing had been done for it yet.",
});

/** Why a line's mac does not fit, as well as the lines tell. */
function whyNot(lines: readonly (ReadLine | undefined)[], index: number, expected: number, key: Key): string {
  const line = lines[index];
  if (line === undefined) return "is no line of a journal";
  const original = lines.findIndex((other) => other?.mac === line.mac);
  if (original < index) return `is a copy of line ${original + 1}`;
  if (line.seq > expected) {
    const isLater = lines.slice(index + 1).some((other) => other?.seq === expected);
    if (isLater) return `is out of order: step ${line.seq} stands where step ${expected} belongs`;
    const gone = expected === line.seq - 1 ? `step ${expected} is` : `steps ${expected} to ${line.seq - 1} are`;
    return `follows a hole: ${gone} missing before it`;
  }
  if (line.seq < expected) return `is out of order: step ${line.seq} stands where step ${expected} belongs`;
  if (line.mac === "") return "is not signed";
  if (line.key !== key.id) return "is signed with another key";
  return "was changed after it was written";
}

const isEarlier = (text: string): boolean => text.startsWith('{"v":1,');

function earlier(file: string, lines: readonly string[]): Fault {
  const record = jsonOf(lines.at(-1) ?? "");
  const isOpen = !(typeof record === "object" && record !== null && "to" in record && record.to === "none");
  return {
    kind: "earlier",
    isOpen,
    sentence: isOpen
      ? `The journal ${file} was written by an earlier version, and its reset had not ended. It is not taken up again: look at the terminal.`
      : `The journal ${file} was written by an earlier version; it is kept for reading.`,
  };
}
