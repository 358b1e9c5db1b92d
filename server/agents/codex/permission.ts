import type { PermissionState } from "../../core/conversation.ts";
import type { TranscriptFact } from "../../core/transcript.ts";
import type { TurnContext } from "./records.ts";

type Permission = Extract<PermissionState, { agent: "codex" }>;

const sandboxes: ReadonlyMap<unknown, Permission["sandbox"]> = new Map<unknown, Permission["sandbox"]>([
  ["read-only", "read-only"],
  ["workspace-write", "workspace-write"],
  ["danger-full-access", "danger-full-access"],
]);

/** What a turn was allowed. Codex says so with every turn, and at no other time (facts/reset B). */
export function permissionFacts(context: TurnContext, at: number | undefined): readonly TranscriptFact[] {
  const { approval_policy: approval, sandbox_policy: policy, collaboration_mode } = context;
  if (approval === undefined && policy === undefined) return [];
  const sandbox = typeof policy === "object" ? (policy.type ?? policy.mode) : policy;
  const state: Permission = {
    agent: "codex",
    sandbox: sandboxes.get(sandbox) ?? "other",
    approval: approval === "never" || approval === "on-request" ? approval : "other",
    plan: collaboration_mode?.mode === "plan",
  };
  return [{ kind: "permission", at, state }];
}
