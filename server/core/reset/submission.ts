import type { LineRef } from "../../protocol/lines.ts";
import { refusalWords } from "./refusals.ts";
import type { Baseline, Because, Event, EventOf, Evidence, Submission } from "./types.ts";

/** How long the line may stand in the box before Enter, looked at again as often as needed (DESIGN §7), ms. */
const lookMs = 3000;
/** The whole life of a token that lets the host press Enter once, ms. */
export const tokenMs = 250;
/** How long a line may show no effect at all (DESIGN §8.6), ms. */
const noEffectMs = 10_000;
/** How long a compaction that is being worked on may take, ms. */
const workingMs = 10 * 60_000;
/** When a swallowed Enter is looked for, ms after it. */
const secondLookMs = 3000;
/** How long the new figure may take after the proof, ms. */
const settleMs = 5000;
/** A line pasted for the person waits at most this long for their Enter, ms. */
const handedMs = 10 * 60_000;

type At<S extends Submission["step"]> = Extract<Submission, { step: S }>;
type Confirmation = Extract<Evidence, { kind: "confirmed" }>;

/** What an event made of a line. `ask`: what has to be asked or done next about it. */
export type Progress =
  | { readonly kind: "on"; readonly submission: Submission; readonly next?: "last-look" | "press" | "look" | "erase" }
  /** Nothing was written. `again`: only the window was not there; it may be tried again. */
  | { readonly kind: "untouched"; readonly because: Because; readonly again: boolean }
  | { readonly kind: "taken-back" | "left-in-box"; readonly because: Because }
  | { readonly kind: "undecided"; readonly outcome: "no-effect" | "unconfirmed"; readonly because: Because }
  /** Pasted for the person, who sent something else or nothing. */
  | { readonly kind: "given-up"; readonly outcome: "aborted" | "unconfirmed" | "refused"; readonly because: Because }
  | { readonly kind: "confirmed"; readonly proof: Confirmation }
  | {
      readonly kind: "failed";
      readonly outcome: Extract<Evidence, { kind: "failed" }>["outcome"];
      readonly because: Because;
      readonly afterTokens?: number;
    };

export const typing = (line: LineRef, before: Baseline): Submission => ({ line, before, step: "typing" });
export const handed = (line: LineRef, before: Baseline, since: number): Submission => ({
  line,
  before,
  step: "handed",
  since,
  pasted: false,
});

/** After a crash: Enter may have gone out. Disk decides, and no key follows. */
export const afterCrash = ({ line, before }: Submission, at: number): Submission => ({
  line,
  before,
  step: "proof",
  pressedAt: at,
  presses: 2,
  workingSeen: false,
  looking: false,
});

/** Takes one line a step further. An event that does not fit the step changes nothing. */
export function progress(submission: Submission, event: Event): Progress {
  switch (submission.step) {
    case "typing":
      return event.kind === "typed" ? onTyped(submission, event) : on(submission);
    case "last-look":
      return event.kind === "judged" ? onLastLook(submission, event) : on(submission);
    case "pressing":
      return event.kind === "pressed" ? onPressed(submission, event) : on(submission);
    case "erasing":
      return event.kind === "erased" ? onErased(submission, event) : on(submission);
    case "proof":
      if (event.kind === "observed") return onEvidence(submission, event);
      if (event.kind === "looked") return onLooked(submission, event);
      return event.kind === "tick" ? onTick(submission, event.at) : on(submission);
    case "handed":
      return onHanded(submission, event);
  }
}

/** Takes the line back before Enter; undefined where it is too late for that, or too early. */
export function recall(submission: Submission, because: Because): Progress | undefined {
  switch (submission.step) {
    case "typing":
      return on({ ...submission, because });
    case "last-look":
      return takeBack(submission, because);
    case "handed":
      return { kind: "given-up", outcome: "aborted", because };
    default:
      return undefined;
  }
}

const on = (submission: Submission): Progress => ({ kind: "on", submission });

/** The line stands in the box, or it does not: then nothing more is written. */
function onTyped(submission: At<"typing">, { at, result }: EventOf<"typed">): Progress {
  if (result.outcome === "refused") {
    const because = refusalWords(result.reason);
    if (!result.wrote && submission.because !== undefined)
      return { kind: "given-up", outcome: "aborted", because: submission.because };
    if (!result.wrote) return { kind: "untouched", because, again: result.reason === "not-connected" };
    return { kind: result.erased ? "taken-back" : "left-in-box", because };
  }
  const { line, before, because } = submission;
  const shown: At<"last-look"> = {
    line,
    before,
    step: "last-look",
    presses: 0,
    sequence: result.sequence,
    lookUntil: at + lookMs,
  };
  return because === undefined ? { kind: "on", submission: shown, next: "last-look" } : takeBack(shown, because);
}

/** Everything that could have changed was read again: Enter, or take the line back. */
function onLastLook(submission: At<"last-look">, { report, baseline }: EventOf<"judged">): Progress {
  const problem = report.refused ?? report.waiting[0];
  if (problem !== undefined) return takeBack(submission, problem);
  if (baseline.compactions !== submission.before.compactions)
    return takeBack(submission, { reason: "the agent compacted by itself meanwhile", remedy: "Look at the gauge." });
  return { kind: "on", submission: { ...submission, step: "pressing" }, next: "press" };
}

function onPressed(submission: At<"pressing">, { at, result }: EventOf<"pressed">): Progress {
  const { line, before, presses, lookUntil } = submission;
  if (result.outcome === "pressed")
    return on({
      line,
      before,
      step: "proof",
      pressedAt: result.at,
      presses: presses + 1,
      workingSeen: false,
      looking: false,
    });
  // No answer came: it may have been pressed. Disk decides, and no second Enter follows.
  if (result.outcome === "unknown") return on(afterCrash(submission, at));
  // Too slow an answer says nothing of the screen: it is looked at again, with another token.
  const isLate = result.reason === "not-connected" || result.reason === "token";
  const stillShown = isLate ? submission.sequence : result.stillShown;
  if (stillShown !== undefined && at < lookUntil)
    return { kind: "on", submission: { ...submission, step: "last-look", sequence: stillShown }, next: "last-look" };
  // A second Enter that was refused leaves the first one's evidence to come.
  if (presses > 0) return on(afterCrash(submission, lookUntil - lookMs));
  return takeBack(submission, refusalWords(result.reason));
}

function onErased(submission: At<"erasing">, { erased }: EventOf<"erased">): Progress {
  if (!erased && submission.presses > 0) return on(afterCrash(submission, submission.lookUntil - lookMs));
  return { kind: erased ? "taken-back" : "left-in-box", because: submission.because };
}

function takeBack(submission: At<"last-look" | "pressing">, because: Because): Progress {
  const { line, before, presses, lookUntil } = submission;
  const { gate, reason, remedy } = because;
  const why = { ...(gate === undefined ? {} : { gate }), reason, remedy };
  return { kind: "on", submission: { line, before, step: "erasing", presses, lookUntil, because: why }, next: "erase" };
}

/** Whether Enter was swallowed: one further one, with a look and a token of its own. */
function onLooked(submission: At<"proof">, event: EventOf<"looked">): Progress {
  if (!submission.looking) return on(submission);
  const { line, before, presses } = submission;
  if (!event.shown) return on({ ...submission, looking: false, presses: presses + 1 });
  return {
    kind: "on",
    submission: { line, before, step: "last-look", presses, sequence: event.sequence, lookUntil: event.at + lookMs },
    next: "last-look",
  };
}

/** What disk says now. Screen text is never asked. */
function onEvidence(submission: At<"proof">, { at, evidence }: EventOf<"observed">): Progress {
  switch (evidence.kind) {
    case "nothing":
      return on(submission);
    case "working":
      return worked(submission);
    case "other-prompt":
      return evidence.working ? worked(submission) : on(submission);
    case "confirmed": {
      const { confirmedAt } = submission;
      if (evidence.settled || (confirmedAt !== undefined && at - confirmedAt >= settleMs))
        return { kind: "confirmed", proof: evidence };
      return confirmedAt === undefined ? on({ ...submission, confirmedAt: at }) : on(submission);
    }
    case "failed":
      return failed(evidence);
  }
}

const worked = (submission: At<"proof">): Progress =>
  on(submission.workingSeen ? submission : { ...submission, workingSeen: true });

const failed = ({ outcome, afterTokens }: Extract<Evidence, { kind: "failed" }>): Progress => ({
  kind: "failed",
  outcome,
  because: failedWords[outcome],
  ...(afterTokens === undefined ? {} : { afterTokens }),
});

function onTick(submission: At<"proof">, at: number): Progress {
  const { pressedAt, confirmedAt, workingSeen, presses, looking } = submission;
  const waited = at - pressedAt;
  if (confirmedAt !== undefined)
    return at - confirmedAt >= settleMs
      ? { kind: "confirmed", proof: { kind: "confirmed", settled: false } }
      : on(submission);
  if (workingSeen) return waited > workingMs ? undecided("unconfirmed") : on(submission);
  if (waited > noEffectMs) return undecided("no-effect");
  if (waited > secondLookMs && presses === 1 && !looking)
    return { kind: "on", submission: { ...submission, looking: true }, next: "look" };
  return on(submission);
}

function onHanded(submission: At<"handed">, event: Event): Progress {
  switch (event.kind) {
    case "handed":
      if (event.pasted) return on({ ...submission, pasted: true });
      return {
        kind: "given-up",
        outcome: "refused",
        because: { reason: "the line could not be pasted", remedy: "Type the command yourself." },
      };
    case "observed": {
      const { evidence } = event;
      if (evidence.kind === "other-prompt") return { kind: "given-up", outcome: "aborted", because: insteadOfOurs };
      if (evidence.kind === "confirmed" && evidence.settled) return { kind: "confirmed", proof: evidence };
      return evidence.kind === "failed" ? failed(evidence) : on(submission);
    }
    case "tick":
      return event.at - submission.since > handedMs
        ? { kind: "given-up", outcome: "unconfirmed", because: notPressed }
        : on(submission);
    default:
      return on(submission);
  }
}

const notPressed: Because = {
  reason: "Enter was not seen within ten minutes",
  remedy: "The pasted line may still stand in the prompt box: press Enter or delete it.",
};

const insteadOfOurs: Because = {
  reason: "a prompt was sent instead of the pasted line",
  remedy: "If the pasted line was part of it, interrupt the turn; ask again when the agent is done.",
};

const failedWords = {
  "wrong-command": { reason: "another command ran instead", remedy: "Look at the terminal." },
  "not-a-command": {
    reason: "the line reached the model as a prompt, not as a command",
    remedy: "Look at the terminal; interrupt the turn if you do not want it.",
  },
  error: {
    reason: "the agent reported an error",
    remedy: "Look at the terminal; clearing may help where compacting fails.",
  },
  "not-smaller": { reason: "it ran, but the conversation did not get smaller", remedy: "Clearing will." },
} as const;

const undecidedWords = {
  unconfirmed: {
    reason: "no proof that the command ran was written in time",
    remedy: "Look at the terminal; nothing is typed again by itself.",
  },
  "no-effect": {
    reason: "the agent neither worked nor wrote anything",
    remedy: "Look at the terminal; nothing is typed again by itself.",
  },
} as const;

/** Not decided in time: said so, never repeated by itself. */
const undecided = (outcome: keyof typeof undecidedWords): Progress => ({
  kind: "undecided",
  outcome,
  because: undecidedWords[outcome],
});
