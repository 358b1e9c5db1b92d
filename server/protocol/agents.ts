import * as z from "zod";

/** A kind of coding agent. One folder under `server/agents` each. */
export const AgentId = z.enum(["claude", "codex"]);
export type AgentId = z.infer<typeof AgentId>;

/** The only commands Plimsoll types: `compact` keeps the conversation, `clear` starts a new one. */
export const CommandId = z.enum(["compact", "clear"]);
export type CommandId = z.infer<typeof CommandId>;
