import type { Facts } from "../../../server/core/gates/gate.ts";
import { conversation, goodFacts, instance, readyToBrief, readyToClear, receipt, saved, screen } from "./goodFacts.ts";

/** One row breaks exactly one thing of a good moment. `verdict`: what the gate says then. */
export type Broken = {
  readonly gate: string;
  readonly because: RegExp;
  readonly change: Partial<Facts>;
  readonly from?: Facts;
  readonly verdict?: "not-yet";
};

/** These are undefined. */
const without = (facts: Facts, key: "terminal" | "screen" | "approval" | "brief" | "saved"): Facts => {
  const { [key]: _gone, ...rest } = facts;
  return rest;
};
const seen = (change: Partial<NonNullable<Facts["screen"]>>): Partial<Facts> => ({ screen: { ...screen, ...change } });
const said = (recordId: string) => ({ ...conversation, lastHuman: { kind: "known", at: 2, recordId } }) as const;

export const broken: readonly Broken[] = [
  {
    gate: "settings-sane",
    because: /soft line/,
    change: { settingProblems: ["the soft line is above the hard line"] },
  },
  { gate: "mode-allows", because: /gauge/, change: { mode: "gauge" } },
  { gate: "workspace-trusted", because: /trusted/, change: { trusted: false } },
  { gate: "platform-measured", because: /Linux/, change: { platformMeasured: false } },
  { gate: "terminal-open", because: /integrated terminal/, change: seen({ terminalOpen: false }) },
  {
    gate: "terminal-open",
    because: /integrated terminal/,
    change: { instance: { ...instance, place: "multiplexer" } },
  },
  { gate: "terminal-open", because: /integrated terminal/, change: {}, from: without(goodFacts, "terminal") },
  {
    gate: "terminal-open",
    because: /integrated terminal/,
    change: { expected: { instanceId: "claude-7-1", terminalId: "t2" } },
  },
  { gate: "agent-running", because: /started anew/, change: { instance: { ...instance, instanceId: "claude-8-2" } } },
  { gate: "agent-in-foreground", because: /keyboard/, change: { instance: { ...instance, foreground: false } } },
  { gate: "conversation-known", because: /more than one/, change: { instance: { ...instance, binding: "ambiguous" } } },
  { gate: "conversation-known", because: /nothing on disk/, change: { instance: { ...instance, binding: "none" } } },
  { gate: "prompt-box-visible", because: /reloaded/, change: seen({ observable: false, why: "started-before" }) },
  {
    gate: "prompt-box-visible",
    because: /shell integration/,
    change: seen({ observable: false, why: "no-shell-integration" }),
  },
  { gate: "prompt-box-visible", because: /too much/, change: seen({ observable: false, why: "overflow" }) },
  { gate: "prompt-box-visible", because: /size/, change: seen({ observable: false, why: "size-unknown" }) },
  { gate: "prompt-box-visible", because: /Linux/, change: seen({ observable: false, why: "platform" }) },
  { gate: "prompt-box-visible", because: /not being watched/, change: seen({ observable: false }) },
  { gate: "log-writable", because: /disk full/, change: { journalProblem: "disk full" } },
  { gate: "transcript-readable", because: /permission/, change: { transcriptProblem: "no permission" } },
  {
    gate: "transcript-readable",
    because: /deleted/,
    change: { conversation: { ...conversation, turn: { kind: "gone" } } },
  },
  { gate: "no-other-reset", because: /another reset/, change: { otherReset: true } },
  {
    gate: "save-possible",
    because: /plan mode/,
    change: { ability: { kind: "impossible", why: "it is in plan mode", remedy: "Leave it." } },
  },
  { gate: "workflow-usable", because: /not defined/, change: { workflowProblem: "its workflow is not defined here" } },
  { gate: "saved-well", because: /nothing is saved/, change: {}, from: without(readyToClear, "saved") },
  {
    gate: "saved-well",
    because: /another run/,
    change: { saved: { ...saved, receipt: { ...receipt, instanceId: "claude-6-1" } } },
    from: readyToClear,
  },
  {
    gate: "saved-well",
    because: /another conversation/,
    change: { saved: { ...saved, receipt: { ...receipt, conversationId: "c0" } } },
    from: readyToClear,
  },
  {
    gate: "saved-well",
    because: /can't be read/,
    change: { saved: { ...saved, stateDigest: undefined } },
    from: readyToClear,
  },
  {
    gate: "saved-well",
    because: /changed after/,
    change: { saved: { ...saved, stateDigest: "0".repeat(64) } },
    from: readyToClear,
  },
  { gate: "approved-for-this", because: /nobody approved/, change: {}, from: without(goodFacts, "approval") },
  { gate: "approved-for-this", because: /used already/, change: { approvalUsed: true } },
  {
    gate: "approved-for-this",
    because: /earlier conversation/,
    change: { approval: { approvalId: "a1", at: 90_000, conversationId: "c0", lastHumanId: "h1" } },
  },
  { gate: "approved-for-this", because: /another conversation/, change: { conversationId: "c3" }, from: readyToBrief },
  {
    gate: "saved-after-click",
    because: /not saved after the click/,
    change: { saved: { ...saved, receipt: { ...receipt, at: 90_999 } } },
    from: readyToClear,
  },
  {
    gate: "grown-little",
    because: /went on for long/,
    change: { saved: { ...saved, transcriptBytes: 900_000 + 262_145 } },
    from: readyToClear,
  },
  {
    gate: "grown-little",
    because: /shorter/,
    change: { saved: { ...saved, transcriptBytes: 899_999 } },
    from: readyToClear,
  },
  {
    gate: "grown-little",
    because: /can't be read/,
    change: { saved: { ...saved, transcriptBytes: undefined } },
    from: readyToClear,
  },
  {
    gate: "no-work-since",
    because: /went on working/,
    change: { conversation: { ...conversation, toolCalls: 5 } },
    from: readyToClear,
  },
  {
    gate: "no-work-since",
    because: /went on working/,
    change: { conversation: { ...conversation, answers: 8 } },
    from: readyToClear,
  },
  {
    gate: "last-prompt-known",
    because: /could not be found/,
    change: { conversation: { ...conversation, lastHuman: { kind: "unknown" } } },
    from: { ...goodFacts, approval: { approvalId: "a1", at: 90_000, conversationId: "c1" } },
  },
  { gate: "nothing-said-since", because: /after the click/, change: { conversation: said("h2") } },
  {
    gate: "silent-since-save",
    because: /after the save/,
    change: { saved: { ...saved, receipt: { ...receipt, lastHumanId: "h0" } } },
    from: readyToClear,
  },
  { gate: "not-paused", because: /paused/, change: { paused: true } },
  { gate: "brief-complete", because: /no brief/, change: {}, from: without(readyToClear, "brief") },
  {
    gate: "brief-complete",
    because: /changed or removed/,
    change: { brief: { digest: "b".repeat(64), digestNow: "c".repeat(64) } },
    from: readyToClear,
  },
  {
    gate: "brief-complete",
    because: /changed or removed/,
    change: { brief: { digest: "b".repeat(64), digestNow: undefined } },
    from: readyToClear,
  },
  { gate: "brief-deliverable", because: /not held any more/, change: { textsHeld: false } },
  { gate: "worker-healthy", because: /not been heard/, change: { hostSilentMs: 30_001 }, verdict: "not-yet" },
  {
    gate: "turn-ended",
    because: /permission prompt/,
    change: { turn: { kind: "waiting", waitingFor: "permission prompt" } },
  },
  { gate: "turn-ended", because: /nothing for a long time/, change: { turn: { kind: "stalled" } } },
  { gate: "turn-ended", because: /failed/, change: { turn: { kind: "error", overflow: false } } },
  { gate: "turn-ended", because: /no longer fits/, change: { turn: { kind: "error", overflow: true } } },
  { gate: "turn-ended", because: /no transcript/, change: { turn: { kind: "no-transcript" } } },
  { gate: "turn-ended", because: /deleted/, change: { turn: { kind: "gone" } } },
  { gate: "turn-ended", because: /not known/, change: { turn: { kind: "unknown" } } },
  { gate: "turn-ended", because: /working/, change: { turn: { kind: "working" } }, verdict: "not-yet" },
  { gate: "turn-ended", because: /question/, change: { turn: { kind: "tool-pending" } }, verdict: "not-yet" },
  {
    gate: "turn-ended",
    because: /permission prompt/,
    change: { armed: true, turn: { kind: "waiting", waitingFor: "permission prompt" } },
    verdict: "not-yet",
  },
  { gate: "turn-ended", because: /only just/, change: { turn: { kind: "idle", since: 99_001 } }, verdict: "not-yet" },
  { gate: "nothing-pending", because: /queue/, change: { conversation: { ...conversation, queued: 1 } } },
  { gate: "nothing-pending", because: /Explore/, change: { subagents: [{ name: "Explore" }] }, verdict: "not-yet" },
  { gate: "screen-settled", because: /changing/, change: seen({ quietForMs: 1499 }), verdict: "not-yet" },
  { gate: "screen-settled", because: /changing/, change: seen({ freshSinceOwnWrite: false }), verdict: "not-yet" },
  { gate: "screen-settled", because: /changing/, change: seen({ box: "none", quietForMs: 10 }), verdict: "not-yet" },
  { gate: "window-connected", because: /did not answer/, change: seen({ connected: false }), verdict: "not-yet" },
  { gate: "prompt-box-empty", because: /draft/, change: seen({ box: "draft" }) },
  { gate: "prompt-box-empty", because: /shell mode/, change: seen({ box: "shell-mode" }) },
  { gate: "prompt-box-empty", because: /dialog/, change: seen({ box: "none" }) },
];

/** Facts that fail two gates at once by nature: a moving screen shows no box either. */
export const coupled: Readonly<Record<string, readonly string[]>> = {
  "screen-settled": ["prompt-box-empty"],
};

export const factsOf = ({ change, from = goodFacts }: Broken): Facts => ({ ...from, ...change });
