/**
 * What every agent's transcript lines are translated into. A fact carries ids, times and numbers, never text: what a
 * prompt said survives only as the digest of its white-space-free form, so that our own typing can be recognised (R50).
 * Times are epoch milliseconds. Facts stand in file order.
 */
export type TranscriptFact =
  /** The conversation's own head: who it is and where it lives. Later facts of the same kind refine it. */
  | {
      readonly kind: "opened";
      readonly at?: number;
      readonly conversationId?: string;
      readonly cwd?: string;
      readonly version?: string;
      /** The conversation this one was forked from (Codex `forked_from_id`). */
      readonly forkedFrom?: string;
      /** Claude: uuid of the record the file's first record hangs on; ties a cleared conversation to its predecessor. */
      readonly parentRecord?: string;
    }
  /** One model response's usage. `tokens` is the context it was made with; the same response may be reported again. */
  | {
      readonly kind: "usage";
      readonly at: number;
      readonly responseId: string;
      readonly tokens: number;
      readonly output: number;
      readonly model?: string;
      /** Window reported by the agent itself (Codex). */
      readonly windowSize?: number;
    }
  /** The model in use from here on, `[1m]` suffix kept where the agent writes it. */
  | { readonly kind: "model"; readonly at?: number; readonly model: string }
  /** A genuine or seeming prompt. `digest`: sha-256 hex of the text without white space. */
  | {
      readonly kind: "prompt";
      readonly at: number;
      readonly recordId: string;
      readonly digest: string;
      /** Provenance as the agent states it; absent where the agent does not say. */
      readonly source?: "typed" | "queued" | "sdk" | "system";
    }
  /** A local slash command ran (or was refused) in the agent: no prompt to the model. */
  | { readonly kind: "command"; readonly at: number; readonly recordId: string; readonly name: string }
  | { readonly kind: "command-failed"; readonly at: number; readonly reason: "error" | "too-little" | "canceled" }
  | { readonly kind: "turn-started"; readonly at: number; readonly turnId?: string; readonly byHuman: boolean }
  | { readonly kind: "turn-ended"; readonly at: number; readonly turnId?: string }
  | { readonly kind: "interrupted"; readonly at: number }
  | { readonly kind: "tool-called"; readonly at: number; readonly callId: string }
  | { readonly kind: "tool-returned"; readonly at: number; readonly callId: string }
  /** The agent shows a failure of the model API. `overflow`: the prompt no longer fits the window. */
  | { readonly kind: "api-error"; readonly at: number; readonly overflow: boolean }
  | { readonly kind: "queued"; readonly at: number; readonly digest?: string }
  | { readonly kind: "dequeued"; readonly at: number; readonly all: boolean }
  | {
      readonly kind: "compacted";
      readonly at: number;
      readonly trigger: "manual" | "auto" | "unknown";
      readonly preTokens?: number;
      readonly postTokens?: number;
    }
  | { readonly kind: "shell-started"; readonly at: number; readonly shellId: string }
  /** A sub-agent record inside the main file: counted, never measured. */
  | { readonly kind: "sidechain"; readonly at: number };
