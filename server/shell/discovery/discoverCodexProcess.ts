import { type CodexCommand, recogniseCodex } from "../../agents/codex/sessions.ts";
import type { ProcessDetails, ProcessFacts } from "../processes/process.ts";

export type TerminalCommand = Extract<CodexCommand, { kind: "terminal" }>;
export type CodexProcess = {
  readonly facts: ProcessFacts;
  readonly details: ProcessDetails;
  readonly roots: readonly string[];
  /** Start of the conversation's id in the title of its terminal, live. */
  readonly titleId?: string;
  /** Epoch ms of our own clear in its terminal. */
  readonly since?: number;
  /** The person pressed Enter at `since`, as far as is known. */
  readonly pressedByPerson?: boolean;
  readonly now: number;
};

export const commandOf = ({ argv }: ProcessFacts): CodexCommand | undefined => recogniseCodex(argv);
