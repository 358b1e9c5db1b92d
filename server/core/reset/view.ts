import type { ResetView } from "../../protocol/view.ts";
import { isBeforeClaim } from "./machine.ts";
import type { Open, Reset, Saved, Submission } from "./types.ts";

/** What people see of an open reset; undefined where none is open. */
export function resetView(state: Reset): ResetView | undefined {
  if (state.phase === "none") return undefined;
  const { order } = state;
  const { step, since, waitsFor, saved } = detailsOf(state);
  return {
    resetId: order.resetId,
    goal: order.goal,
    phase: state.phase,
    startedAt: order.at,
    since,
    cancellable: isBeforeClaim(state) || step === "handed" || state.phase === "needs-reconcile",
    ...(step === undefined ? {} : { step }),
    ...(waitsFor === undefined ? {} : { waitsFor }),
    ...(saved?.receipt === undefined ? {} : { savedBytes: saved.receipt.size, statePath: saved.place.statePath }),
  };
}

type Details = {
  readonly step?: ResetView["step"];
  readonly since: number;
  readonly waitsFor?: string;
  readonly saved?: Saved;
};

function detailsOf(state: Open): Details {
  const since = state.order.at;
  switch (state.phase) {
    case "prepared":
      return { since };
    case "armed":
      return { since: state.since, waitsFor: state.waitsFor };
    case "saving":
      switch (state.step) {
        case "submitting":
          return lineDetails(state.submission, since);
        case "writing":
          return state.permissionSince === undefined
            ? { step: "writing", since: state.since }
            : { step: "permission", since: state.permissionSince };
        default:
          return { step: "typing", since };
      }
    case "saved": {
      const { saved } = state;
      if (state.step === "reviewing") return { step: "reviewing", since: state.since, saved };
      const waitsFor = state.step === "waiting" ? state.waitsFor : undefined;
      return { step: "turn-ending", since: state.since, saved, ...(waitsFor === undefined ? {} : { waitsFor }) };
    }
    case "dispatched":
      return { ...lineDetails(state.submission, since), ...savedOf(state.saved) };
    case "resuming": {
      const saved = savedOf(state.saved);
      if (state.step === "submitting" && state.submission.step === "handed")
        return { ...lineDetails(state.submission, since), ...saved };
      const isWords = state.queue[0]?.kind === "held" || state.queue[0]?.kind === "carried";
      return { since, ...saved, ...(isWords ? { step: "carrying" as const } : {}) };
    }
    case "needs-reconcile":
      return { since: state.since };
    default:
      return { since, ...savedOf(state.saved) };
  }
}

const savedOf = (saved: Saved | undefined) => (saved === undefined ? {} : { saved });

const lineDetails = (submission: Submission, since: number): Details => {
  if (submission.step === "handed") return { step: "handed", since: submission.since };
  return submission.step === "proof" ? { step: "pressed", since: submission.pressedAt } : { step: "typing", since };
};
