import type { PermissionState } from "./conversation.ts";

/**
 * What every agent's transcript lines are translated into. A fact carries ids, times and numbers, never text: what a
 * prompt said survives only as the digest of its white-space-free form, so that our own typing can be recognised (R50).
 * Times are epoch milliseconds; `undefined` where the record states none. Facts stand in file order.
 */
export type TranscriptFact =
  /** What a record says of its conversation. The first of a file tells where it was made; later ones refine it. */
  | {
      readonly kind: "opened";
      readonly at: number | undefined;
      readonly conversationId?: string;
      readonly cwd?: string;
      readonly version?: string;
      /** The conversation this one was forked from. */
      readonly forkedFrom?: string;
      /** The file begins with a replay of the conversation it was forked from (Codex before paginated history). */
      readonly replaysParent?: boolean;
      /** Claude: uuid of the record this one hangs on; of a file's first record it ties a clear to its predecessor. */
      readonly parentRecord?: string;
      /** The file belongs to a sub-agent of another conversation. */
      readonly subAgent?: boolean;
    }
  /** One model response's usage. `tokens` is the context it was made with; the same response may be reported again. */
  | {
      readonly kind: "usage";
      readonly at: number | undefined;
      readonly responseId: string;
      readonly tokens: number;
      readonly output: number;
      readonly model?: string;
      /** Window reported by the agent itself (Codex). */
      readonly windowSize?: number;
      /** The agent's own estimate, not what a response was billed for (Codex after a compaction). */
      readonly estimate?: boolean;
    }
  /** A complete response without any figure for its input: the context is as large as it was, or unknown. */
  | { readonly kind: "unmetered"; readonly at: number | undefined; readonly responseId?: string }
  /** The response that is being written sums up for a compaction: it answers nobody (Codex). */
  | { readonly kind: "summarising"; readonly at: number | undefined }
  /** The model said something to the person; whether it ends with a question. */
  | { readonly kind: "said"; readonly at: number | undefined; readonly isQuestion: boolean }
  /** What the agent may do from here on without asking. */
  | { readonly kind: "permission"; readonly at: number | undefined; readonly state: PermissionState }
  /** The model in use from here on, `[1m]` suffix kept where the agent writes it. */
  | { readonly kind: "model"; readonly at: number | undefined; readonly model: string }
  /** The window the agent itself reports from here on (Codex). */
  | { readonly kind: "window"; readonly at: number | undefined; readonly windowSize: number }
  /** A genuine or seeming prompt. `digest`: sha-256 hex of the text without white space. */
  | {
      readonly kind: "prompt";
      readonly at: number | undefined;
      readonly recordId: string;
      readonly digest: string;
      /** Provenance as the agent states it; absent where the agent does not say. */
      readonly source?: "typed" | "queued" | "sdk" | "system";
      /** Claude's id of the submission: all records of one share it. */
      readonly promptId?: string;
      /** Given to a running turn: it starts none. */
      readonly midTurn?: boolean;
      /** It is what this slash command, without its slash, stands for. */
      readonly command?: string;
      /** Which of the two records it is that some versions of Codex write of one prompt. */
      readonly record?: "message" | "item";
    }
  /** A local slash command ran (or was refused) in the agent: no prompt to the model. `name` without the slash. */
  | {
      readonly kind: "command";
      readonly at: number | undefined;
      readonly recordId: string;
      readonly name: string;
      readonly promptId?: string;
    }
  | {
      readonly kind: "command-failed";
      readonly at: number | undefined;
      readonly reason: "error" | "too-little" | "canceled";
    }
  | {
      readonly kind: "turn-started";
      readonly at: number | undefined;
      readonly turnId?: string;
      /** Whether the agent names what triggered it; absent where its version never says (older Codex). */
      readonly attributed?: boolean;
    }
  /** The model is at work: a response that has not ended its turn. */
  | { readonly kind: "working"; readonly at: number | undefined }
  | {
      readonly kind: "turn-ended";
      readonly at: number | undefined;
      readonly turnId?: string;
      /** Sub-agents that still run; each will start a turn when it ends. */
      readonly pendingAgents?: number;
    }
  /** The person (or our ESC) broke the turn off. */
  | { readonly kind: "interrupted"; readonly at: number | undefined; readonly turnId?: string }
  | {
      readonly kind: "tool-called";
      readonly at: number | undefined;
      readonly callId: string;
      readonly responseId?: string;
      /** The tool asks the person something. */
      readonly waitsFor?: string;
    }
  | { readonly kind: "tool-returned"; readonly at: number | undefined; readonly callId: string }
  /** The agent shows a failure of the model API. `overflow`: the prompt no longer fits the window. */
  | { readonly kind: "api-error"; readonly at: number | undefined; readonly overflow: boolean }
  | { readonly kind: "queued"; readonly at: number | undefined; readonly digest?: string }
  | { readonly kind: "dequeued"; readonly at: number | undefined; readonly all: boolean; readonly digest?: string }
  | {
      readonly kind: "compacted";
      readonly at: number | undefined;
      readonly trigger: "manual" | "auto" | "unknown";
      /** Of the boundary's record: one that is written again is no second compaction. */
      readonly recordId?: string;
      /** Only tells of a compaction that has a record of its own, before or after it (Codex). */
      readonly announced?: boolean;
      readonly preTokens?: number;
      readonly postTokens?: number;
    }
  | { readonly kind: "shell-started"; readonly at: number | undefined; readonly shellId: string }
  /** The end of a background job was announced; `taskId` where the announcement names it. */
  | { readonly kind: "task-ended"; readonly at: number | undefined; readonly taskId: string }
  /** A sub-agent record inside the main file: counted, never measured. */
  | { readonly kind: "sidechain"; readonly at: number | undefined }
  /** The conversation's own first response, found when later ones were known already. */
  | { readonly kind: "first-response"; readonly at: undefined; readonly responseId: string; readonly tokens: number }
  /** Records in between were not read: what follows is not next to what came before. */
  | { readonly kind: "gap"; readonly at: undefined };
