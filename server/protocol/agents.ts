import * as z from "zod";

/** A kind of coding agent. One folder under `server/agents` each. */
export const AgentId = z.enum(["claude", "codex"]);
export type AgentId = z.infer<typeof AgentId>;

/**
 * What a reset is for. `reset`: save, clear, brief. `compact`: the agent's own summary, same conversation. `save`: the
 * save alone. `undo`: back to the conversation before a clear.
 */
export const Goal = z.enum(["reset", "compact", "save", "undo"]);
export type Goal = z.infer<typeof Goal>;

/** What happens after a clear. `stop`: the bare form, nothing is typed into the fresh conversation. */
export const Then = z.enum(["wait", "continue", "stop"]);
export type Then = z.infer<typeof Then>;
