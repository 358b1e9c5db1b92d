import type { Conversation } from "../../../server/core/conversation.ts";
import type { Facts } from "../../../server/core/gates/gate.ts";
import type { Instance } from "../../../server/core/instance.ts";
import type { Question } from "../../../server/core/reset/types.ts";
import type { Receipt } from "../../../server/protocol/save.ts";

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
  toolCalls: 4,
  answers: 7,
  endsWithQuestion: false,
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

const digest = (letter: string): string => letter.repeat(64);

export const receipt: Receipt = {
  digest: digest("a"),
  size: 4200,
  at: 95_000,
  instanceId: "claude-7-1",
  conversationId: "c1",
  transcriptBytes: 900_000,
  toolCalls: 4,
  answersAtEnd: 7,
  lastHumanId: "h1",
};
export const saved: NonNullable<Facts["saved"]> = {
  receipt,
  stateDigest: digest("a"),
  transcriptBytes: 900_400,
};

/** A moment at which every gate says yes, except that nothing is saved yet: a click on *Save & Clear*. */
export const goodFacts: Facts = {
  now: 100_000,
  goal: "reset",
  question: { before: "save", look: "first" },
  savesFirst: true,
  forced: false,
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
  approval: { approvalId: "a1", at: 90_000, conversationId: "c1", lastHumanId: "h1" },
  approvalUsed: false,
  armed: false,
  conversationId: "c1",
  ability: { kind: "free" },
  carries: 2,
  textsHeld: true,
  hostSilentMs: 500,
  otherReset: false,
  quietMs: 1500,
};

/** The same when it has saved and is to be cleared. */
export const readyToClear: Facts = {
  ...goodFacts,
  question: { before: "act", look: "again" },
  armed: true,
  saved,
  brief: { digest: digest("b"), digestNow: digest("b") },
};

/** The same in the fresh conversation: the person's last prompt and the save are of the old one. */
export const readyToBrief: Facts = {
  ...readyToClear,
  question: { before: "brief", look: "again" },
  instance: { ...instance, conversationId: "c2" },
  conversation: {
    ...conversation,
    conversationId: "c2",
    lastHuman: { kind: "none" },
    toolCalls: 0,
    answers: 0,
  },
  conversationId: "c2",
};

/** A click on *Compact*: nothing is saved before. */
export const readyToCompact: Facts = {
  ...goodFacts,
  goal: "compact",
  question: { before: "act", look: "first" },
  savesFirst: false,
  carries: 0,
};

export const looks: readonly Question["look"][] = ["first", "again", "last"];
export const at = (facts: Facts, look: Question["look"]): Facts => ({
  ...facts,
  question: { ...facts.question, look },
  armed: look === "again",
});
