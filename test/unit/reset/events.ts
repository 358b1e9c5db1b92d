import type { Baseline, Event, Order } from "../../../server/core/reset/types.ts";

/** Builders of events for the machine's tests: one good reset of a conversation of 287 000 tokens. */
export const order: Order = {
  resetId: "r1",
  instanceId: "claude-7-1",
  command: "clear",
  approvalId: "a1",
  at: 1000,
  conversationId: "old",
  lastHumanId: "h1",
};
export const before: Baseline = { conversationId: "old", tokens: 287_000, compactions: 0, lastPromptId: "h1" };
const passed = { passed: ["mode-allows"], waiting: [] };

export const approved = (command: Order["command"] = "clear"): Event => ({
  kind: "approved",
  at: 1000,
  order: { ...order, command },
});
export const judged = (attempt: number, extra: Partial<Extract<Event, { kind: "judged" }>> = {}): Event => ({
  kind: "judged",
  at: 1100,
  attempt,
  report: passed,
  baseline: before,
  assisted: false,
  ...extra,
});
export const refusing = (gate: string, passedGates: string[] = []) => ({
  passed: passedGates,
  waiting: [],
  refused: { gate, reason: `${gate} said no`, remedy: "Do something." },
});
export const waiting = (gate: string) => ({
  passed: [],
  waiting: [{ gate, reason: `${gate} is not there yet`, remedy: "Wait." }],
});
export const claimAnswered = (attempt: number, won = true): Event => ({
  kind: "claim-answered",
  at: 1150,
  attempt,
  won,
});
export const shown = (attempt: number, sequence = 5, at = 1300): Event => ({
  kind: "typed",
  at,
  attempt,
  result: { outcome: "shown", sequence },
});
export const pressed = (attempt: number, at = 1400): Event => ({
  kind: "pressed",
  at,
  attempt,
  result: { outcome: "pressed", at },
});
export const observed = (
  evidence: Extract<Event, { kind: "observed" }>["evidence"],
  at = 1500,
  compactions = 0,
): Event => ({
  kind: "observed",
  at,
  evidence,
  compactions,
});
export const tick = (at: number): Event => ({ kind: "tick", at });

/** approved → judged → claimed → typed → last look → pressed: Enter is out, attempt 2. */
export const untilPressed: readonly Event[] = [
  approved(),
  judged(1),
  claimAnswered(1),
  shown(1),
  judged(2),
  pressed(2),
];
