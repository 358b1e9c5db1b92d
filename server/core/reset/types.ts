import type { CommandId } from "../../protocol/agents.ts";
import type { ResetOutcome, TypeRefusal } from "../../protocol/messages.ts";
import type { GateReport } from "../gates/gate.ts";

/** One reset as it was asked for. */
export type Order = {
  readonly resetId: string;
  readonly instanceId: string;
  readonly command: CommandId;
  readonly approvalId: string;
  /** Epoch ms of the click. */
  readonly at: number;
  readonly conversationId?: string;
  readonly lastHumanId?: string;
};

/** What stood on disk when the reset was claimed: evidence is whatever is newer. */
export type Baseline = {
  readonly conversationId?: string;
  readonly tokens?: number;
  readonly compactions: number;
  readonly lastCommandAt?: number;
  readonly lastPromptId?: string;
};

/** What disk says about a command after it was pressed, compared with the baseline. */
export type Evidence =
  | { readonly kind: "nothing" }
  /** The agent works on it: a compaction takes a while. */
  | { readonly kind: "working" }
  | { readonly kind: "confirmed"; readonly afterTokens?: number; readonly settled: boolean }
  | {
      readonly kind: "failed";
      readonly outcome: Extract<ResetOutcome, "wrong-command" | "not-a-command" | "error" | "not-smaller">;
      readonly afterTokens?: number;
    };

type Base = { readonly order: Order; readonly attempt: number };
type Claimed = Base & { readonly before: Baseline };

/** Where an agent's one reset stands. A field exists only where it has a meaning. */
export type Reset =
  | { readonly phase: "none"; readonly attempt: number }
  | (Base & { readonly phase: "prepared" })
  | (Base & {
      readonly phase: "armed";
      readonly since: number;
      readonly compactions: number;
      readonly waitsFor: string;
      readonly asking: boolean;
    })
  | (Claimed & { readonly phase: "claimed" })
  | (Claimed & {
      readonly phase: "dispatched";
      readonly step: "typing" | "last-look" | "pressing" | "erasing";
      readonly presses: number;
      readonly sequence: number;
      /** Until then our line may be looked at again before Enter, epoch ms. */
      readonly lookUntil: number;
      /** Why it ends, once the line is erased. */
      readonly because?: Because;
    })
  | (Claimed & {
      readonly phase: "confirming";
      readonly pressedAt: number;
      readonly presses: number;
      readonly workingSeen: boolean;
      /** First seen confirmed at, while its figures settle. */
      readonly confirmedAt?: number;
      readonly looking: boolean;
    })
  | (Claimed & { readonly phase: "handed-over"; readonly since: number; readonly pasted: boolean })
  | (Claimed & { readonly phase: "needs-reconcile"; readonly since: number });

export type Because = { readonly gate?: string; readonly reason: string; readonly remedy: string };

export type TypeResult =
  | { readonly outcome: "shown"; readonly sequence: number }
  | { readonly outcome: "refused"; readonly reason: TypeRefusal; readonly wrote: boolean; readonly erased: boolean };

export type PressResult =
  | { readonly outcome: "pressed"; readonly at: number }
  | { readonly outcome: "refused"; readonly reason: TypeRefusal; readonly stillShown?: number }
  /** The window did not answer: Enter may have gone out. */
  | { readonly outcome: "unknown" };

/** What happened. `attempt` names the question an answer belongs to; another attempt's answer is void. */
export type Event =
  | { readonly kind: "approved"; readonly at: number; readonly order: Order }
  | {
      readonly kind: "judged";
      readonly at: number;
      readonly attempt: number;
      readonly report: GateReport;
      readonly baseline: Baseline;
      /** Only the prompt box's visibility refused, and all that needs no screen passed. */
      readonly assisted: boolean;
    }
  | { readonly kind: "claim-answered"; readonly at: number; readonly attempt: number; readonly won: boolean }
  | { readonly kind: "typed"; readonly at: number; readonly attempt: number; readonly result: TypeResult }
  | { readonly kind: "pressed"; readonly at: number; readonly attempt: number; readonly result: PressResult }
  | {
      readonly kind: "looked";
      readonly at: number;
      readonly attempt: number;
      readonly shown: boolean;
      readonly sequence: number;
    }
  | { readonly kind: "erased"; readonly at: number; readonly attempt: number; readonly erased: boolean }
  | { readonly kind: "handed"; readonly at: number; readonly attempt: number; readonly pasted: boolean }
  | { readonly kind: "observed"; readonly at: number; readonly evidence: Evidence; readonly compactions: number }
  | { readonly kind: "cancelled"; readonly at: number }
  | { readonly kind: "agent-gone"; readonly at: number }
  | { readonly kind: "closing"; readonly at: number }
  /** A worker took over this journal: its owner is dead. */
  | { readonly kind: "recovered"; readonly at: number }
  | { readonly kind: "tick"; readonly at: number };

/** What is to be done. Every effect but `end` has exactly one outcome event, failure included. */
export type Effect =
  | { readonly kind: "judge"; readonly attempt: number; readonly stage: "prepare" | "last-look" }
  | { readonly kind: "claim"; readonly attempt: number }
  | { readonly kind: "type"; readonly attempt: number }
  | { readonly kind: "press"; readonly attempt: number; readonly sequence: number }
  | { readonly kind: "look"; readonly attempt: number }
  | { readonly kind: "erase"; readonly attempt: number }
  | { readonly kind: "hand-over"; readonly attempt: number }
  | {
      readonly kind: "end";
      readonly outcome: ResetOutcome;
      readonly because: Because;
      readonly order: Order;
      readonly beforeTokens?: number;
      readonly afterTokens?: number;
    };

export type Step = { readonly state: Reset; readonly effects: readonly Effect[] };
