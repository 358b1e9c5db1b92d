import type * as z from "zod";
import type { ResetOutcome } from "../../protocol/messages.ts";
import type * as steps from "../../protocol/steps.ts";

/** The words of the journal (`protocol/steps.ts`) are the words of the machine. */
export type Order = z.infer<typeof steps.Order>;
export type Baseline = z.infer<typeof steps.Baseline>;
export type Evidence = z.infer<typeof steps.Evidence>;
export type Event = z.infer<typeof steps.ResetEvent>;

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

/** What is to be done. Every effect but `end` has exactly one outcome event, failure included. */
export type Effect =
  | { readonly kind: "judge"; readonly attempt: number; readonly stage: "prepare" | "armed" | "last-look" }
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
