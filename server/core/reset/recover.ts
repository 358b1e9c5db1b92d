import { assertNever } from "../assertNever.ts";
import { begin, end, stay } from "./steps.ts";
import { afterCrash } from "./submission.ts";
import type { Because, Reset, Step, Submission } from "./types.ts";

/**
 * The owner of this journal died (DESIGN §8 *Crash*). What nothing destructive was typed for is given up; what may have
 * been typed is looked for on disk; what is cleared is finished. Nothing here ever leads to a second key for one claim.
 */
export function recovered(state: Reset, at: number): Step {
  switch (state.phase) {
    case "none":
    case "needs-reconcile":
      return stay(state);
    case "prepared":
    case "armed":
      return end(state, "aborted", before("nothing had been typed"));
    case "saving":
      if (state.step === "submitting" && isInBox(state.submission))
        return end(state, "left-in-box", before("the request to save may still stand in the prompt box"));
      return end(state, "aborted", before("nothing was cleared; what the agent saves stays on disk"));
    case "saved":
      return end(state, "aborted", before("it had saved, and nothing was cleared"));
    case "claimed":
      return end(state, "aborted", before("nothing had been typed for the clear"));
    case "dispatched":
      return isHanded(state.submission)
        ? stay(state)
        : stay({ ...state, submission: afterCrash(state.submission, at) });
    case "confirmed": {
      const { saved, claimedAt } = state;
      return saved === undefined
        ? stay(state)
        : begin(state, (attempt) => ({ kind: "collect", attempt, saved, claimedAt }));
    }
    case "resuming":
      if (state.step === "submitting")
        return isHanded(state.submission)
          ? stay(state)
          : stay({ ...state, submission: afterCrash(state.submission, at) });
      return stay(state.step === "waiting" ? { ...state, since: at, asking: false } : { ...state, since: at });
    default:
      return assertNever(state);
  }
}

const before = (what: string): Because => ({
  reason: `Plimsoll was started anew in the middle: ${what}`,
  remedy: "Ask again.",
});

const isInBox = ({ step }: Submission): boolean => step !== "proof";
const isHanded = (submission: Submission): boolean => submission.step === "handed" && submission.pasted;
