import { isPoll, submissionOf } from "../../core/reset/journalled.ts";
import { noReset, reduce } from "../../core/reset/machine.ts";
import { end } from "../../core/reset/steps.ts";
import type { Effect, Event, Open, Reset, Step } from "../../core/reset/types.ts";
import { messageOf } from "../secureFiles.ts";

export type ResetPorts = {
  /** Written before any effect runs, so that a crash leaves the intent on disk. Throws when it cannot be. */
  readonly record: (instanceId: string, from: Reset, event: Event, step: Step) => void;
  /** Turns one effect into the event that reports its outcome. Never rejects: a failure is an outcome. */
  readonly perform: (instanceId: string, effect: Effect, state: Reset) => Promise<Event | undefined>;
  /** A step was taken, before its effects run. */
  readonly taken: (instanceId: string, from: Reset, to: Reset) => void;
  readonly problem: (message: string) => void;
};

export type Resets = {
  readonly dispatch: (instanceId: string, event: Event) => void;
  readonly stateOf: (instanceId: string) => Reset;
  /** Agents whose reset is open. */
  readonly open: () => readonly string[];
  /** Takes over a journal whose owner is dead. */
  readonly restore: (instanceId: string, state: Reset, at: number) => void;
};

/** No byte of the line that is under way has gone out yet in this state. */
function isUntyped(state: Reset): state is Open {
  if (state.phase === "none" || state.phase === "needs-reconcile") return false;
  const submission = submissionOf(state);
  return (
    submission === undefined || submission.step === "typing" || (submission.step === "handed" && !submission.pasted)
  );
}

const unwritable = {
  gate: "log-writable",
  reason: "the step could not be written down first, so nothing was typed",
  remedy: "See *Plimsoll: Doctor*.",
};

/** Once it is cleared, that nothing more can be typed is no refusal. */
const outcomeOf = ({ phase }: Open) => (phase === "confirmed" || phase === "resuming" ? "not-briefed" : "refused");

/** The only loop: event → reduce → record → perform → event. It takes no decision itself. */
export function createResets(ports: ResetPorts): Resets {
  const states = new Map<string, Reset>();
  const stateOf = (instanceId: string): Reset => states.get(instanceId) ?? noReset;

  function dispatch(instanceId: string, event: Event): void {
    const before = stateOf(instanceId);
    const step = reduce(before, event);
    if (step.state === before && step.effects.length === 0) return;
    try {
      if (step.state !== before && !isPoll(before, step.state)) ports.record(instanceId, before, event, step);
    } catch (error) {
      ports.problem(messageOf(error));
      // Nothing is typed that was not written first. Once a key is out it must be followed, written down or not.
      if (isUntyped(step.state)) {
        take(instanceId, before, end(step.state, outcomeOf(step.state), unwritable));
        return;
      }
    }
    take(instanceId, before, step);
  }

  function take(instanceId: string, from: Reset, { state, effects }: Step): void {
    states.set(instanceId, state);
    if (state !== from) ports.taken(instanceId, from, state);
    for (const effect of effects) {
      ports.perform(instanceId, effect, state).then(
        (outcome) => outcome && dispatch(instanceId, outcome),
        (error) => ports.problem(messageOf(error)),
      );
    }
  }

  return {
    dispatch,
    stateOf,
    open: () => [...states].filter(([, state]) => state.phase !== "none").map(([instanceId]) => instanceId),
    restore(instanceId, state, at) {
      states.set(instanceId, state);
      dispatch(instanceId, { kind: "recovered", at });
    },
  };
}
