import type { Model } from "../../../extension/model.ts";
import type { AgentView, ResetView, View } from "../../../server/protocol/view.ts";

/** 09:12 on an ordinary day. */
export const now = new Date(2026, 10, 30, 9, 12).getTime();

export const agent = (part: Partial<AgentView> = {}): AgentView => ({
  instanceId: "i1",
  agent: "claude",
  version: "2.1.332",
  name: "api",
  terminalId: "t1",
  place: "terminal",
  pid: 100,
  conversationId: "c1",
  binding: "process",
  reading: { kind: "measured", tokens: 212_345, at: now - 12_000, estimate: false, suspect: false },
  window: { size: 1_000_000, basis: "model-suffix" },
  percent: 20.3,
  pressure: "none",
  breach: false,
  lines: { soft: 200_000, hard: 280_000, softPercent: 75, hardPercent: 90 },
  turn: { kind: "idle", since: now - 60_000 },
  queued: 0,
  subagents: [],
  backgroundShells: 0,
  observable: { kind: "yes" },
  saving: { kind: "free" },
  branch: "none",
  ...part,
});

/** The same agent without some of its optional facts. */
export function without(
  from: AgentView,
  ...keys: ("percent" | "window" | "terminalId" | "conversationId")[]
): AgentView {
  const copy = { ...from };
  for (const key of keys) delete copy[key];
  return copy;
}

export const over = (part: Partial<AgentView> = {}): AgentView =>
  agent({
    reading: { kind: "measured", tokens: 287_900, at: now, estimate: false, suspect: false },
    percent: 28.8,
    pressure: "full",
    decidedBy: "absolute",
    branch: "ask",
    ...part,
  });

export const view = (agents: readonly AgentView[], part: Partial<View> = {}): View => ({
  agents: [...agents],
  paused: false,
  problems: [],
  ...part,
});

export const model = (part: Partial<Model> = {}): Model => ({
  worker: { kind: "running", since: now },
  view: undefined,
  mode: "ask",
  paused: false,
  frontTerminalId: undefined,
  hasTerminals: true,
  ...part,
});

export const reset = (part: Partial<ResetView> = {}): ResetView => ({
  resetId: "r",
  goal: "reset",
  phase: "armed",
  since: now,
  startedAt: now,
  cancellable: true,
  ...part,
});
