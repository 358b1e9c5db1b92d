import { noReset, reduce } from "../../core/reset/machine.ts";
import { end } from "../../core/reset/steps.ts";
import type { Effect, Event, Reset, Step } from "../../core/reset/types.ts";
import { messageOf } from "../secureFiles.ts";

export type ResetPorts = {
  /** Written before any effect runs, so that a crash leaves the intent on disk. Throws when it cannot be. */
  readonly record: (instanceId: string, from: Reset, event: Event, step: Step) => void;
  /** Turns one effect into the event that reports its outcome. Never rejects: a failure is an outcome. */
  readonly perform: (instanceId: string, effect: Effect, state: Reset) => Promise<Event | undefined>;
  /** A step was taken that people should see. */
  readonly changed: (instanceId: string) => void;
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

type Untyped = Extract<Reset, { phase: "prepared" | "armed" | "claimed" | "dispatched" | "handed-over" }>;

/** No byte of ours has gone out yet in this state. */
const isUntyped = (state: Reset): state is Untyped =>
  state.phase === "prepared" ||
  state.phase === "armed" ||
  state.phase === "claimed" ||
  (state.phase === "dispatched" && state.step === "typing") ||
  (state.phase === "handed-over" && !state.pasted);

const unwritable = {
  gate: "log-writable",
  reason: "the step could not be written down first, so nothing was typed",
  remedy: "See *Plimsoll: Doctor*.",
};

/** The only loop: event → reduce → record → perform → event. It takes no decision itself. */
export function createResets(ports: ResetPorts): Resets {
  const states = new Map<string, Reset>();
  const stateOf = (instanceId: string): Reset => states.get(instanceId) ?? noReset;

  function dispatch(instanceId: string, event: Event): void {
    const before = stateOf(instanceId);
    const step = reduce(before, event);
    if (step.state === before) return;
    try {
      ports.record(instanceId, before, event, step);
    } catch (error) {
      ports.problem(messageOf(error));
      // Nothing is typed that was not written first. Once a key is out it must be followed, written down or not.
      if (isUntyped(step.state)) {
        take(instanceId, end(step.state, "refused", unwritable));
        return;
      }
    }
    take(instanceId, step);
  }

  function take(instanceId: string, { state, effects }: Step): void {
    states.set(instanceId, state);
    ports.changed(instanceId);
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
