import type { LineRef } from "../../protocol/lines.ts";
import { assertNever } from "../assertNever.ts";
import { ask, begin, stay } from "./steps.ts";
import { handed, type Progress, progress, typing } from "./submission.ts";
import type { Baseline, Effect, Event, Open, Question, Step, Submission } from "./types.ts";

type Submitting = Extract<Open, { submission: Submission }>;
export type Over = Exclude<Progress, { kind: "on" }>;

/** Which line is under way in a phase, as the gates ask for it. */
const lineOf = ({ phase }: Submitting): Question["before"] =>
  phase === "saving" ? "save" : phase === "dispatched" ? "act" : "brief";

/** Takes the line of a phase a step further; `over` says what follows when that line is through, one way or another. */
export function advance<S extends Submitting>(state: S, event: Event, over: (result: Over) => Step): Step {
  return follow(state, progress(state.submission, event), over);
}

/** What a step of the line means for the phase it belongs to. */
export function follow<S extends Submitting>(state: S, result: Progress, over: (result: Over) => Step): Step {
  if (result.kind !== "on") return over(result);
  const { submission, next } = result;
  if (submission === state.submission) return stay(state);
  const moved = { ...state, submission };
  const { line } = submission;
  switch (next) {
    case undefined:
      return stay(moved);
    case "last-look":
      return ask(moved, { before: lineOf(state), look: "last" });
    case "look":
      return begin(moved, (attempt) => ({ kind: "look", attempt, line }));
    case "erase":
      return { state: moved, effects: [{ kind: "erase", attempt: state.attempt, line }] };
    case "press":
      return {
        state: moved,
        effects: submission.step === "pressing" ? [press(state.attempt, line, submission.sequence)] : [],
      };
    default:
      return assertNever(next);
  }
}

const press = (attempt: number, line: LineRef, sequence: number): Effect => ({
  kind: "press",
  attempt,
  line,
  sequence,
});

/** Begins a line: typed by us, or pasted for the person where the prompt box cannot be seen. */
export function submit(
  phase: (submission: Submission) => Submitting,
  { line, before, assisted, at }: { line: LineRef; before: Baseline; assisted: boolean; at: number },
): Step {
  const submission = assisted ? handed(line, before, at) : typing(line, before);
  return begin(phase(submission), (attempt) => ({ kind: assisted ? "hand-over" : "type", attempt, line }));
}
