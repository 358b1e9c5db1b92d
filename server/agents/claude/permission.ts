import type { PermissionState } from "../../core/conversation.ts";
import type { TranscriptFact } from "../../core/transcript.ts";

type Mode = Extract<PermissionState, { agent: "claude" }>["mode"];

/** Names of the modes as records give them; what the command line calls manual is recorded as default. */
const modes: ReadonlyMap<string, Mode> = new Map<string, Mode>([
  ["default", "default"],
  ["manual", "default"],
  ["acceptEdits", "acceptEdits"],
  ["auto", "auto"],
  ["plan", "plan"],
  ["bypassPermissions", "bypassPermissions"],
  ["dontAsk", "dontAsk"],
]);

/** The permission mode that a prompt was given in, or that a record of its own tells of (facts/reset B). */
export const permissionFacts = (mode: string | undefined, at: number | undefined): readonly TranscriptFact[] =>
  mode === undefined ? [] : [{ kind: "permission", at, state: { agent: "claude", mode: modes.get(mode) ?? "other" } }];
