import type { AgentId } from "../protocol/agents.ts";
import type { TranscriptAdapter } from "./adapter.ts";
import { claude } from "./claude/adapter.ts";
import { codex } from "./codex/adapter.ts";

/** Every agent we can measure: one line each. */
export const adapters: Readonly<Record<AgentId, TranscriptAdapter>> = { claude, codex };

/** The agent whose transcript these first bytes are; undefined: a foreign file. */
export const agentOf = (head: Uint8Array): AgentId | undefined =>
  // Codex first: its record kinds are unmistakable.
  [codex, claude].find((adapter) => adapter.recognises(head))?.id;
