import type { Instance } from "../../core/instance.ts";
import * as rule from "../save/allowRule.ts";
import { lastSavedState } from "../save/lastSaved.ts";

/** Where the newest saved state of an agent lies; empty: there is none. */
export function lastSaved(instance: Instance | undefined): { path?: string; at?: number } {
  if (instance?.cwd === undefined) return {};
  const { cwd, conversationId } = instance;
  const found = lastSavedState({ cwd, ...(conversationId === undefined ? {} : { conversationId }) });
  return found === undefined ? {} : { path: found.path, at: found.at };
}

/** *Allow Always*: the one rule that lets Claude write its saved state without asking. */
export function allowSaving(instance: Instance | undefined): { allowed: boolean; path?: string; reason?: string } {
  if (instance?.cwd === undefined) return { allowed: false, reason: "the agent's folder is not known" };
  if (instance.agent !== "claude") return { allowed: false, reason: "only Claude Code has such a rule" };
  const result = rule.allowSaving(instance.cwd);
  return result.kind === "allowed" ? { allowed: true, path: result.path } : { allowed: false, reason: result.reason };
}
