import type { AgentId } from "../protocol/agents.ts";

/** Context size of a conversation. Unknown stays unknown: never 0, never stale (R25). */
export type Reading =
  | { readonly kind: "none-yet" }
  | { readonly kind: "unmeasured"; readonly why: string }
  /** Compacted, and the agent gave no figure: unknown until the next answer. */
  | { readonly kind: "compacted-unknown"; readonly at: number }
  | {
      readonly kind: "measured";
      readonly tokens: number;
      /** Output tokens of the same response, where it is one. */
      readonly output?: number;
      readonly responseId?: string;
      readonly at: number;
      /** Taken from a compaction boundary, not from a response. */
      readonly estimate: boolean;
      /** Above the window, or more than 1.6 times the previous reading of the conversation (DESIGN §4). */
      readonly suspect: boolean;
      /** No other response of this conversation was seen. */
      readonly sole: boolean;
    };

export type WindowBasis = "event" | "user-setting" | "model-table" | "model-suffix" | "settings" | "observed";
export type WindowSize = { readonly size: number; readonly basis: WindowBasis };

/** Where the turn stands on disk. Only `idle` is a good moment. */
export type TurnState =
  | { readonly kind: "idle"; readonly since?: number }
  | { readonly kind: "working"; readonly since?: number }
  | { readonly kind: "tool-pending"; readonly since?: number }
  | { readonly kind: "waiting"; readonly since?: number; readonly waitingFor: string }
  | { readonly kind: "stalled"; readonly since?: number }
  | { readonly kind: "error"; readonly since?: number; readonly overflow: boolean }
  | { readonly kind: "no-transcript" }
  | { readonly kind: "gone" }
  | { readonly kind: "unknown" };

export type LastHuman =
  | { readonly kind: "known"; readonly at: number; readonly recordId: string }
  /** The whole conversation was read and holds no human prompt. */
  | { readonly kind: "none" }
  /** Not all of it was read: no evidence of absence (R55). */
  | { readonly kind: "unknown" };

export type Compaction = {
  readonly at: number;
  readonly trigger: "manual" | "auto" | "unknown";
  readonly preTokens?: number;
  readonly postTokens?: number;
};

/** What the agent may do without asking, as far as its records say. */
export type PermissionState =
  | {
      readonly agent: "claude";
      readonly mode: "default" | "acceptEdits" | "auto" | "plan" | "bypassPermissions" | "dontAsk" | "other";
    }
  | {
      readonly agent: "codex";
      readonly sandbox: "read-only" | "workspace-write" | "danger-full-access" | "other";
      readonly approval: "never" | "on-request" | "other";
      readonly plan: boolean;
    };

/** All that is known of one conversation; folded from its facts, oldest first. */
export type Conversation = {
  readonly agent: AgentId;
  readonly conversationId?: string;
  readonly cwd?: string;
  readonly version?: string;
  readonly forkedFrom?: string;
  readonly parentRecord?: string;
  /** The file is a sub-agent's: shown nowhere, measured nowhere. */
  readonly subAgent: boolean;
  /** Begins with a `/clear` command: it was made by a clear (Claude). */
  readonly bornOfClear: boolean;
  readonly reading: Reading;
  readonly firstReading?: number;
  readonly model?: string;
  readonly window?: WindowSize;
  readonly turn: TurnState;
  readonly lastHuman: LastHuman;
  /** Last sign of the person that is no prompt: an interrupt marker or a command that we did not type. */
  readonly lastHumanActivityAt?: number;
  /** Inputs waiting in the agent's own queue. */
  readonly queued: number;
  readonly compactions: number;
  readonly lastCompaction?: Compaction;
  readonly lastCommand?: { readonly at: number; readonly name: string; readonly failed?: string };
  /** Digest and time of the last prompt whoever wrote it: tells a command that arrived as a prompt. */
  readonly lastPrompt?: { readonly at: number; readonly recordId: string; readonly digest: string };
  readonly lastRecordAt?: number;
  /** The newest that was read; a change is written down with the next prompt only. */
  readonly permission?: PermissionState;
  /** Tool calls and answers of the model since this reader began: only their growth means something. */
  readonly toolCalls: number;
  readonly answers: number;
  /** The last that the model said ends with a question, and no prompt came after it. */
  readonly endsWithQuestion: boolean;
  /** Shells started in the background whose end was not announced. */
  readonly backgroundShells: readonly string[];
  readonly records: number;
  readonly badLines: number;
};
