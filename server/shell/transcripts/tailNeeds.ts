import { isHuman, type Prompt } from "../../core/humanPrompts.ts";
import type { TranscriptFact } from "../../core/transcript.ts";

/** What a first reading must find; told of facts from the newest to the oldest. */
export type Needs = {
  readonly notice: (fact: TranscriptFact | undefined) => void;
  /** Size and turn are known: of older lines only what lasts still matters. */
  readonly isPlaced: () => boolean;
  /** A size and the turn are known, if only by one response. */
  readonly isShowable: () => boolean;
  /** Enough was looked at for a second response: what is known must do. */
  readonly settle: () => void;
  readonly areMet: () => boolean;
  /** The newest figure is a compaction's, which the conversation's own first response is needed for. */
  readonly endsAtBoundary: () => boolean;
};

export function createNeeds(isOurs: ((prompt: Prompt) => boolean) | undefined): Needs {
  /** Distinct responses: one alone proves little (DESIGN §4). */
  const responses = new Set<string>();
  let hasBoundary = false;
  let endsAtBoundary = false;
  let hasTurn = false;
  let hasHuman = false;
  let isSettled = false;

  const isShowable = () => hasTurn && (hasBoundary || responses.size >= 1);
  const isPlaced = () => isShowable() && (hasBoundary ? responses.size >= 1 : isSettled || responses.size >= 2);

  return {
    notice(fact) {
      switch (fact?.kind) {
        case "usage":
          responses.add(fact.responseId);
          return;
        case "compacted":
          // Its size stands before the announcement, behind the record of the compaction itself.
          if (fact.announced === true) return;
          if (responses.size === 0) endsAtBoundary = true;
          hasBoundary = true;
          return;
        case "prompt":
          if (fact.midTurn !== true) hasTurn = true;
          if (isHuman(fact) && isOurs?.(fact) !== true) hasHuman = true;
          return;
        case "working":
        case "turn-started":
        case "turn-ended":
        case "interrupted":
        case "api-error":
        case "tool-called":
          hasTurn = true;
          return;
        default:
          return;
      }
    },
    isPlaced,
    isShowable,
    settle: () => {
      isSettled = true;
    },
    areMet: () => hasHuman && isPlaced(),
    endsAtBoundary: () => endsAtBoundary,
  };
}
