import type { TranscriptFact } from "../core/transcript.ts";
import type { AgentId } from "../protocol/agents.ts";

/** One line of a transcript. `whole: false` where it was too long to keep: the first and last bytes of it are there. */
export type TranscriptLine =
  | { readonly whole: true; readonly bytes: Uint8Array }
  | { readonly whole: false; readonly head: Uint8Array; readonly tail: Uint8Array; readonly length: number };

export type ParsedLine =
  /** A record; `facts` may be empty where it says nothing that we need. */
  | { readonly kind: "record"; readonly facts: readonly TranscriptFact[] }
  | { readonly kind: "blank" }
  | { readonly kind: "bad"; readonly problem: string };

/**
 * `lasting`: only what still matters of a line once the size and the turn are known from later ones: who spoke, what was
 * compacted, what was started. The rest is not parsed.
 */
export type Wanted = "all" | "lasting";

/** A prompt word for word: the one text that ever leaves a parser, and only to be typed again. */
export type RecordedPrompt = {
  readonly recordId: string;
  /** As in the fact of the same prompt. */
  readonly digest: string;
  readonly text: string;
  readonly images: number;
};

/** All that an agent has to tell about its transcripts. Pure and total: a line never throws. */
export type TranscriptAdapter = {
  readonly id: AgentId;
  /** Conversation id of a transcript's path, or undefined where the file is no conversation of this agent. */
  readonly conversationIdOf: (path: string) => string | undefined;
  /** Whether these first bytes of a file look like this agent's transcript, whatever it is called. */
  readonly recognises: (head: Uint8Array) => boolean;
  readonly parseLine: (line: TranscriptLine, wanted?: Wanted) => ParsedLine;
  /** What a whole line says as a prompt of the person; whether it is one is for its facts to say. Never throws. */
  readonly promptIn: (line: Uint8Array) => RecordedPrompt | undefined;
};
