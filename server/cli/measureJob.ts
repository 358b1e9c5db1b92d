import type { Conversation } from "../core/conversation.ts";
import type { Lines } from "../core/pressure.ts";
import type { MeasureOptions } from "../shell/transcripts/measure.ts";

/** What both ways of the command, once and followed, need. */
export type Job = {
  readonly options: MeasureOptions;
  readonly lines: Lines;
  /** Whether a conversation is among those asked for. */
  readonly isWanted: (conversation: Conversation) => boolean;
  readonly print: (record: Readonly<Record<string, unknown>>) => void;
};
