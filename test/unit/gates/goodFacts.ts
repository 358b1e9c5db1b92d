import type { Conversation } from "../../../server/core/conversation.ts";
import type { Facts } from "../../../server/core/gates/gate.ts";
import type { Instance } from "../../../server/core/instance.ts";

export const instance: Instance = {
  instanceId: "claude-7-1",
  agent: "claude",
  pid: 7,
  birth: "1",
  terminalId: "t1",
  place: "terminal",
  foreground: true,
  conversationId: "c1",
  binding: "process",
  candidates: [],
  daemon: false,
  windowEnv: { disable1m: false },
};

export const conversation: Conversation = {
  agent: "claude",
  conversationId: "c1",
  bornOfClear: false,
  subAgent: false,
  reading: { kind: "measured", tokens: 287_000, at: 1, estimate: false, suspect: false, sole: false },
  turn: { kind: "idle", since: 1 },
  lastHuman: { kind: "known", at: 1, recordId: "h1" },
  queued: 0,
  compactions: 0,
  backgroundShells: [],
  records: 10,
  badLines: 0,
};

export const screen: NonNullable<Facts["screen"]> = {
  observable: true,
  box: "empty",
  sequence: 3,
  quietForMs: 5000,
  freshSinceOwnWrite: true,
  terminalOpen: true,
  connected: true,
};

/** A moment at which every gate says yes. */
export const goodFacts: Facts = {
  now: 100_000,
  command: "clear",
  mode: "ask",
  settingProblems: [],
  trusted: true,
  paused: false,
  platformMeasured: true,
  expected: { instanceId: "claude-7-1", terminalId: "t1" },
  instance,
  terminal: { terminalId: "t1", name: "api", shellPid: 6, stream: { kind: "held", since: 1 } },
  screen,
  conversation,
  turn: { kind: "idle", since: 1 },
  subagents: [],
  approval: { approvalId: "a1", at: 99_000, conversationId: "c1", lastHumanId: "h1" },
  approvalUsed: false,
  armed: false,
  otherReset: false,
  quietMs: 1500,
};
