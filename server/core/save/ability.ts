import type { PermissionState } from "../conversation.ts";

/** Whether the agent can write its state into its own folder, as far as its permissions are known. */
export type Ability =
  | { readonly kind: "free" | "asks" | "unknown" | "too-full" }
  | { readonly kind: "impossible"; readonly why: string; readonly remedy: string };

/**
 * From its permission mode (facts/reset §E). `isAllowed`: a rule of its settings lets it write there without asking; a
 * plan ignores that rule.
 */
export function abilityOf(permission: PermissionState | undefined, isAllowed: boolean): Ability {
  if (permission === undefined) return { kind: "unknown" };
  return permission.agent === "claude" ? claude(permission.mode, isAllowed) : codex(permission);
}

function claude(mode: Extract<PermissionState, { agent: "claude" }>["mode"], isAllowed: boolean): Ability {
  switch (mode) {
    case "plan":
      return {
        kind: "impossible",
        why: "it is in plan mode, in which it writes no files",
        remedy: "Leave plan mode (Shift+Tab), send a prompt, then ask again.",
      };
    case "acceptEdits":
    case "auto":
    case "bypassPermissions":
      return { kind: "free" };
    case "dontAsk":
      return isAllowed
        ? { kind: "free" }
        : {
            kind: "impossible",
            why: "it may write no file without being asked, and asks nothing (don't ask)",
            remedy: "Run *Plimsoll: Allow Saving Without Asking*, or change its permission mode.",
          };
    case "default":
      return { kind: isAllowed ? "free" : "asks" };
    default:
      return { kind: "unknown" };
  }
}

function codex({ sandbox, approval, plan }: Extract<PermissionState, { agent: "codex" }>): Ability {
  if (plan)
    return {
      kind: "impossible",
      why: "it is in plan mode, in which it writes no files",
      remedy: "Leave plan mode (/plan), send a prompt, then ask again.",
    };
  if (sandbox !== "read-only") return { kind: sandbox === "other" ? "unknown" : "free" };
  return approval === "never"
    ? {
        kind: "impossible",
        why: "its sandbox is read-only and it may not ask",
        remedy: "Change it with /permissions, send a prompt, then ask again.",
      }
    : { kind: "asks" };
}
