import { isDeepStrictEqual } from "node:util";
import type { OurText } from "../../server/agents/composer.ts";
import type { Line } from "../../server/protocol/lines.ts";
import type { Clock } from "../screen/clock.ts";
import type { TypingTerminal } from "../terminals.ts";

/** A line of ours that was pasted into a terminal, or is about to be. */
export type Submission = {
  readonly resetId: string;
  readonly terminalId: string;
  readonly line: Line;
  readonly ours: OurText;
  readonly agentPid: number;
  /** Set with the first byte: which terminal and which process the line went to. */
  sentTo: { readonly terminal: TypingTerminal["terminal"]; readonly birth: string } | undefined;
  /** What is being done with it at the moment. One thing at a time. */
  doing: "type" | "press" | "erase" | undefined;
  /** Nobody else may type here. */
  isHeld: boolean;
  /** An Escape went past it: it is not entered any more. */
  isDisturbed: boolean;
  /** Enter went out for it: none follows before it was looked at anew (`LookAgain`). */
  isEntered: boolean;
  timeout: { cancel(): void } | undefined;
};

type About = Pick<Submission, "resetId" | "terminalId" | "line" | "agentPid">;

/** Whether it is the line that this order is about. */
export const isAbout = (submission: Submission, order: Pick<About, "resetId" | "line">): boolean =>
  submission.resetId === order.resetId && isDeepStrictEqual(submission.line, order.line);

export type Submissions = {
  /** Takes the terminal; undefined when another submission has it. */
  readonly begin: (order: About, ours: OurText) => Submission | undefined;
  /** The line that stands in this terminal's prompt box, held or not. */
  readonly of: (terminalId: string) => Submission | undefined;
  /** Keeps the terminal for what comes next, but not for ever: a worker that died asks for nothing more. */
  readonly keep: (submission: Submission) => void;
  /** Lets others type; the line may still be looked at and pressed once more. */
  readonly release: (submission: Submission) => void;
  readonly forget: (submission: Submission) => void;
  /** Whatever is under way in this terminal is not entered. */
  readonly disturb: (terminalId: string) => void;
};

/** Longer than the worker needs for its last reading between the look and the key. */
const holdMs = 30_000;

export function createSubmissions(clock: Clock): Submissions {
  const byTerminal = new Map<string, Submission>();

  function release(submission: Submission): void {
    submission.timeout?.cancel();
    submission.isHeld = false;
  }

  return {
    begin({ resetId, terminalId, line, agentPid }, ours) {
      const before = byTerminal.get(terminalId);
      if (before !== undefined && (before.isHeld || before.doing !== undefined)) return undefined;
      const submission: Submission = {
        resetId,
        terminalId,
        line,
        ours,
        agentPid,
        sentTo: undefined,
        doing: "type",
        isHeld: true,
        isDisturbed: false,
        isEntered: false,
        timeout: undefined,
      };
      byTerminal.set(terminalId, submission);
      return submission;
    },
    of: (terminalId) => byTerminal.get(terminalId),
    keep(submission) {
      submission.timeout?.cancel();
      submission.isHeld = true;
      submission.timeout = clock.after(holdMs, () => release(submission));
    },
    release,
    forget(submission) {
      release(submission);
      if (byTerminal.get(submission.terminalId) === submission) byTerminal.delete(submission.terminalId);
    },
    disturb(terminalId) {
      const submission = byTerminal.get(terminalId);
      if (submission !== undefined) submission.isDisturbed = true;
    },
  };
}
