import type { Conversation, TurnState } from "../core/conversation.ts";
import type { Instance } from "../core/instance.ts";
import { turnOf } from "../core/turn.ts";
import type { Settings } from "../protocol/settings.ts";
import type { TerminalFacts } from "../protocol/terminals.ts";

/** One agent as it was last seen. */
export type Watched = {
  readonly instance: Instance;
  readonly conversation?: Conversation;
  /** Why its transcript cannot be read, where it cannot. */
  readonly transcriptProblem?: string;
  readonly subagents: readonly { readonly name: string; readonly since?: number }[];
  readonly terminal?: TerminalFacts;
};

/** What the host told of its window. */
export type WindowFacts = {
  readonly trusted: boolean;
  readonly paused: boolean;
};

/** Everything the host told, as of now. */
export type HostFacts = {
  readonly settings: Settings;
  readonly settingProblems: readonly string[];
  readonly window: WindowFacts;
  readonly terminals: readonly TerminalFacts[];
};

export const turnOfWatched = ({ instance, conversation, terminal }: Watched): TurnState =>
  turnOf(instance, conversation, terminal?.reported);
