import { readdirSync } from "node:fs";
import { join } from "node:path";
import { noReset, reduce } from "../../core/reset/machine.ts";
import type { Event, Reset, Step } from "../../core/reset/types.ts";
import type { CommandId } from "../../protocol/agents.ts";
import { type Owner, StepRecord } from "../../protocol/steps.ts";
import { appendDurably, ensurePrivateDir, messageOf, publish, readPrivate, removeFile } from "../secureFiles.ts";

/** A journal longer than this starts anew once its reset is over, bytes. */
const rotateBytes = 1024 * 1024;
/** A journal of finished resets is kept this long after its last step; an open one is never removed, ms. */
const keptMs = 30 * 24 * 60 * 60_000;
/** At most so many bytes a record (R224). */
const recordBytes = 4096;

/** A line that was submitted: it is ours, also after a restart (R53). */
export type Submitted = { readonly instanceId: string; readonly command: CommandId; readonly at: number };

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
  /** The last state and owner of every journal, by replaying its events; finished ones of long ago are removed. */
  readonly recover: (now: number) => {
    readonly resets: readonly Recovered[];
    readonly submitted: readonly Submitted[];
    readonly problems: readonly string[];
  };
};

export function openJournal(storageDir: string, owner: Owner): Journal {
  const dir = join(storageDir, "journal");
  const kept = new Map<string, string[]>();
  const written = new Map<string, { seq: number; bytes: number }>();
  let problem: string | undefined;
  try {
    ensurePrivateDir(dir);
  } catch (error) {
    problem = `the journal folder cannot be used (${messageOf(error)})`;
  }
  const fileOf = (instanceId: string) => join(dir, `${instanceId.replace(/[^\w-]/g, "_")}.jsonl`);

  return {
    problem: () => problem,
    append(instanceId, from, event, step) {
      const file = fileOf(instanceId);
      const at = written.get(instanceId) ?? countOf(file);
      const line = `${JSON.stringify(recordOf(at.seq, owner, instanceId, from, event, step))}\n`;
      if (line.length > recordBytes) throw new Error(`a journal record of ${line.length} bytes is too long`);
      const lines = [...(kept.get(instanceId) ?? []), line];
      if (mustWait(step.state)) {
        kept.set(instanceId, lines);
        written.set(instanceId, { ...at, seq: at.seq + 1 });
        return;
      }
      kept.delete(instanceId);
      try {
        const text = lines.join("");
        const isOver = at.bytes + text.length > rotateBytes && step.state.phase === "none";
        if (isOver) publish(file, text);
        else appendDurably(file, text);
        written.set(instanceId, { seq: at.seq + 1, bytes: isOver ? text.length : at.bytes + text.length });
        problem = undefined;
      } catch (error) {
        problem = `the journal cannot be written (${messageOf(error)})`;
        throw new Error(problem);
      }
    },
    recover(now) {
      const resets: Recovered[] = [];
      const submitted: Submitted[] = [];
      const problems: string[] = [];
      for (const name of problem === undefined ? readdirSync(dir) : []) {
        if (!name.endsWith(".jsonl")) continue;
        const result = replayFile(join(dir, name));
        if (result.problem !== undefined) problems.push(result.problem);
        submitted.push(...result.submitted);
        if (result.last !== undefined && result.state.phase === "none" && now - result.last.event.at > keptMs) {
          removeFile(join(dir, name));
          continue;
        }
        if (result.last !== undefined)
          resets.push({ instanceId: result.last.instanceId, state: result.state, owner: result.last.owner });
      }
      return { resets, submitted, problems };
    },
  };
}

/** Between the look and Enter (DESIGN §7.1). */
const mustWait = (state: Reset): boolean =>
  state.phase === "dispatched" && (state.step === "last-look" || state.step === "pressing");

function recordOf(
  seq: number,
  owner: Owner,
  instanceId: string,
  from: Reset,
  event: Event,
  { state, effects }: Step,
): StepRecord {
  const ended = effects.find((effect) => effect.kind === "end");
  const order = "order" in state ? state.order : "order" in from ? from.order : undefined;
  return {
    v: 1,
    seq,
    owner,
    instanceId,
    ...(order === undefined ? {} : { resetId: order.resetId }),
    from: phaseWord(from),
    to: phaseWord(state),
    path: "approved",
    event,
    effects: effects.map(({ kind }) => kind),
    ...(ended === undefined ? {} : { outcome: ended.outcome }),
  };
}

const phaseWord = (state: Reset): string =>
  state.phase === "dispatched" ? `${state.phase}/${state.step}` : state.phase;

function countOf(file: string): { seq: number; bytes: number } {
  const text = readPrivate(file) ?? "";
  return { seq: parseLines(text).records.length, bytes: text.length };
}

type Replayed = {
  readonly state: Reset;
  readonly submitted: readonly Submitted[];
  readonly last?: StepRecord;
  readonly problem?: string;
};

/** Replays a journal: the same events give the same states (DESIGN §8). */
function replayFile(file: string): Replayed {
  let text: string;
  try {
    text = readPrivate(file) ?? "";
  } catch (error) {
    return { state: noReset, submitted: [], problem: `the journal ${file} cannot be read (${messageOf(error)})` };
  }
  const { records, bad } = parseLines(text);
  const submitted: Submitted[] = [];
  let state: Reset = noReset;
  for (const { instanceId, event } of records) {
    const next = reduce(state, event).state;
    if (next.phase === "confirming" && state.phase === "dispatched")
      submitted.push({ instanceId, command: next.order.command, at: next.pressedAt });
    state = next;
  }
  const last = records.at(-1);
  return {
    state,
    submitted,
    ...(last === undefined ? {} : { last }),
    ...(bad === 0 ? {} : { problem: `${bad} lines of the journal ${file} cannot be read; they were passed over` }),
  };
}

function parseLines(text: string): { records: StepRecord[]; bad: number } {
  const records: StepRecord[] = [];
  let bad = 0;
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const parsed = StepRecord.safeParse(jsonOf(line));
    if (parsed.success) records.push(parsed.data);
    else bad += 1;
  }
  return { records, bad };
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
