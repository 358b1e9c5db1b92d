import type * as z from "zod";
import type { Goal } from "../../protocol/agents.ts";
import type { GateAnswer } from "../../protocol/messages.ts";
import type { Receipt } from "../../protocol/save.ts";
import type { Mode } from "../../protocol/settings.ts";
import type * as steps from "../../protocol/steps.ts";
import type { ScreenFacts, TerminalFacts } from "../../protocol/terminals.ts";
import type { Conversation, TurnState } from "../conversation.ts";
import type { Instance } from "../instance.ts";
import type { Question } from "../reset/types.ts";
import type { Ability } from "../save/ability.ts";

/** The click that asked for this reset, and what held at that moment. */
export type Approval = {
  readonly approvalId: string;
  readonly at: number;
  readonly conversationId?: string;
  /** Record id of the person's last prompt when they clicked; absent: there was none. */
  readonly lastHumanId?: string;
};

/**
 * All that the gates may know, gathered once at `now` (epoch ms). A missing fact is undefined, and its gate refuses.
 */
export type Facts = {
  readonly now: number;
  readonly goal: Goal;
  /** Which line comes next, and whether it stands in the prompt box already. */
  readonly question: Question;
  /** Something is to be saved before. */
  readonly savesFirst: boolean;
  /** The conversation no longer fits: nothing can be saved, and it is cleared all the same. */
  readonly forced: boolean;
  readonly mode: Mode;
  /** Sentences naming settings that cannot be used. */
  readonly settingProblems: readonly string[];
  readonly trusted: boolean;
  readonly paused: boolean;
  /** Typing was measured on this system. */
  readonly platformMeasured: boolean;
  /** The identity the approval was given for. */
  readonly expected: { readonly instanceId: string; readonly terminalId: string | undefined };
  /** The agent process as found now; undefined: it is gone. */
  readonly instance?: Instance;
  readonly terminal?: TerminalFacts;
  readonly screen?: ScreenFacts;
  readonly conversation?: Conversation;
  readonly transcriptProblem?: string;
  readonly turn: TurnState;
  readonly subagents: readonly { readonly name: string; readonly since?: number }[];
  readonly approval?: Approval;
  readonly approvalUsed: boolean;
  /** The click was taken already and waits for the turn to end: what comes up meanwhile is waited for too. */
  readonly armed: boolean;
  /** The conversation it has to be in: that of the click, or after a clear the new one. */
  readonly conversationId: string | undefined;
  /** Whether it can save, from its permissions. */
  readonly ability: Ability;
  readonly workflowProblem?: string;
  /** What was saved, and what stands on disk of it now. */
  readonly saved?: {
    readonly receipt: Receipt;
    readonly stateDigest: string | undefined;
    readonly transcriptBytes: number | undefined;
  };
  readonly brief?: { readonly digest: string; readonly digestNow: string | undefined };
  /** How many texts the person gave along, and whether the window still holds them all. */
  readonly carries: number;
  readonly textsHeld: boolean;
  /** Since the window was heard last, ms. */
  readonly hostSilentMs: number;
  /** Another reset of this agent is open, in this window or another. */
  readonly otherReset: boolean;
  readonly journalProblem?: string;
  readonly quietMs: number;
};

export type Verdict =
  | { readonly kind: "yes" }
  | { readonly kind: "no"; readonly reason: string; readonly remedy: string }
  /** Time alone will answer it: a click arms the reset instead of refusing it. */
  | { readonly kind: "not-yet"; readonly reason: string; readonly remedy: string }
  /** The save will answer it. */
  | { readonly kind: "after-save"; readonly reason: string; readonly remedy: string };

export type Gate = {
  readonly id: string;
  /** A question that is answered *yes* to pass. */
  readonly question: string;
  readonly check: (facts: Facts) => Verdict;
};

export const yes: Verdict = { kind: "yes" };
export const no = (reason: string, remedy: string): Verdict => ({ kind: "no", reason, remedy });
export const notYet = (reason: string, remedy: string): Verdict => ({ kind: "not-yet", reason, remedy });

export const afterSave = (reason: string, remedy: string): Verdict => ({ kind: "after-save", reason, remedy });

export type Refusal = z.infer<typeof steps.Refusal>;
export type GateReport = z.infer<typeof steps.GateReport>;

/** So many reasons to wait are kept: the first is shown. */
const keptReasons = 4;

/** Asks the gates in order, up to the first *no*. A gate can only pass or refuse: none can overrule another. */
export function askGates(gates: readonly Gate[], facts: Facts): GateReport {
  let passed = 0;
  let unsaved = 0;
  const waiting: Refusal[] = [];
  for (const { id, check } of gates) {
    const verdict = check(facts);
    if (verdict.kind === "yes") passed += 1;
    else if (verdict.kind === "after-save") unsaved += 1;
    else {
      const refusal = { gate: id, reason: verdict.reason, remedy: verdict.remedy };
      if (verdict.kind === "no") return { passed, unsaved, waiting: waiting.slice(0, keptReasons), refused: refusal };
      waiting.push(refusal);
    }
  }
  return { passed, unsaved, waiting: waiting.slice(0, keptReasons) };
}

/** Every gate's own answer, for *Check*: none hides behind another. */
export const askAll = (gates: readonly Gate[], facts: Facts): GateAnswer[] =>
  gates.map(({ id, question, check }) => {
    const verdict = check(facts);
    if (verdict.kind === "yes") return { gate: id, question, verdict: "yes" };
    const { kind, reason, remedy } = verdict;
    return { gate: id, question, verdict: kind === "no" ? "no" : "not-yet", reason, remedy };
  });
