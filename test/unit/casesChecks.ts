import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Conversation } from "../../server/core/conversation.ts";
import { digestOf } from "../../server/core/digest.ts";
import { conversationOf, createFold, foldOn } from "../../server/core/fold.ts";
import { askAll, type Facts } from "../../server/core/gates/gate.ts";
import { gates } from "../../server/core/gates/gates.ts";
import { isHuman } from "../../server/core/humanPrompts.ts";
import { evidenceOf } from "../../server/core/reset/evidence.ts";
import type { Evidence } from "../../server/core/reset/types.ts";
import type { TranscriptFact } from "../../server/core/transcript.ts";
import { type Case, conversationUntil, type Seen, timeIn } from "./casesInput.ts";
import { goodFacts, instance } from "./gates/goodFacts.ts";

type Check = (expected: unknown, about: Case) => void;

/** The conversation a case speaks of: the live one, else the only one or the last. */
function subject({ seen, expect, folder }: Case): Seen {
  const live = expect["liveSession"];
  const workspace = join(folder, "workspace.json");
  const cwd = existsSync(workspace) ? /"folder":\s*"([^"]+)"/.exec(readFileSync(workspace, "utf8"))?.[1] : undefined;
  const wanted = seen.filter(
    ({ conversation }) =>
      (typeof live !== "string" || conversation.conversationId === live) &&
      (cwd === undefined || conversation.cwd === cwd),
  );
  const found = wanted.at(-1);
  assert.ok(found !== undefined, "the case's conversation was not found");
  return found;
}

const conversation = (about: Case): Conversation => subject(about).conversation;
const tokensOf = ({ reading }: Conversation): number | null => (reading.kind === "measured" ? reading.tokens : null);
const iso = (at: number | undefined): string | null => (at === undefined ? null : new Date(at).toISOString());
const lastHumanAt = ({ lastHuman }: Conversation): number | undefined =>
  lastHuman.kind === "known" ? lastHuman.at : undefined;
const words = { none: "ok", selective: "soft", full: "hard" } as const;

const is =
  (actual: (about: Case) => unknown): Check =>
  (expected, about) =>
    assert.deepEqual(actual(about), expected);

const isOneOf =
  (actual: (about: Case) => unknown): Check =>
  (expected, about) =>
    assert.ok(Array.isArray(expected) && expected.includes(actual(about)), `${String(actual(about))} is none of these`);

/** What the gates say where all but the transcript is well. */
function refused(about: Case): string | undefined {
  const { seen, expect } = about;
  const sameCwd = seen.length > 1 && expect["liveSession"] === undefined;
  const known = seen.length === 0 ? undefined : conversation(about);
  const facts: Facts = {
    ...goodFacts,
    now: about.now ?? (known?.lastRecordAt ?? 0) + 60_000,
    instance: {
      ...instance,
      agent: about.agent,
      binding: known === undefined ? "none" : sameCwd ? "ambiguous" : "process",
    },
    ...(known === undefined ? {} : { conversation: known }),
    turn: known?.turn ?? { kind: "no-transcript" },
  };
  return askAll(gates, facts).find(({ gate, verdict }) => verdict !== "yes" && mapped[gate] !== undefined)?.gate;
}

/** The cases' words for the gates. */
const mapped: Readonly<Record<string, string>> = {
  "conversation-known": "ambiguous-session",
  "turn-ended": "tool-pending-or-menu",
  "nothing-pending": "queue-not-empty",
};

/** What disk proves of the command that the case is about. */
function evidence(about: Case): Evidence {
  const { facts, conversation: after } = subject(about);
  const typedAt = about.typed[0]?.at;
  const ran = facts.find((fact) => fact.kind === "command" || fact.kind === "compacted");
  const at = typedAt ?? ran?.at ?? 0;
  const command = after.bornOfClear ? "clear" : "compact";
  const previous = about.seen.find(
    ({ conversation }) => conversation.conversationId === about.expect["previousSession"],
  );
  const before = previous?.conversation ?? conversationUntil(after.agent, facts, at);
  const tokens = tokensOf(before);
  return evidenceOf(
    {
      line: command === "clear" ? { kind: "clear" } : { kind: "compact", sentence: "default" },
      before: {
        compactions: before.compactions,
        ...(before.conversationId === undefined ? {} : { conversationId: before.conversationId }),
        ...(tokens === null ? {} : { tokens }),
        ...(before.lastPrompt === undefined ? {} : { lastPromptId: before.lastPrompt.recordId }),
      },
      since: at,
      enterAt: at,
      digest: digestOf(`/${command}`),
    },
    {
      ...(after.conversationId === undefined ? {} : { conversationId: after.conversationId }),
      conversation: after,
      turn: after.turn,
    },
  );
}

const failWords: Readonly<Record<string, string>> = { error: "command-error", "not-a-command": "not-a-command" };
/** It ran, whether or not it helped. */
const isConfirmed = (proof: Evidence): boolean =>
  proof.kind === "confirmed" || (proof.kind === "failed" && proof.outcome === "not-smaller");

function usages(about: Case): readonly Extract<TranscriptFact, { kind: "usage" }>[] {
  const last = new Map<string, Extract<TranscriptFact, { kind: "usage" }>>();
  for (const fact of subject(about).facts) if (fact.kind === "usage") last.set(fact.responseId, fact);
  return [...last.values()];
}

/** The conversation as it stood at its fullest: a single leap must not be believed. */
function atPeak(about: Case): Conversation {
  const { facts } = subject(about);
  const peak = usages(about).reduce((most, usage) => (usage.tokens > most.tokens ? usage : most));
  return conversationOf(foldOn(createFold(about.agent), facts.slice(0, facts.indexOf(peak) + 1)), {
    humanSearchComplete: true,
  });
}

function plan(about: Case, key: string): number {
  const at = timeIn(join(about.folder, "plan.json"), key);
  assert.ok(at !== undefined);
  return at;
}

const isVoid = (about: Case): boolean => (conversation(about).lastCompaction?.at ?? 0) > plan(about, "triggerSampleAt");

/** Fields that only say what a person reading the case should know. */
const remarks: Check = () => undefined;

export const checks: Readonly<Record<string, Check>> = {
  why: remarks,
  note: remarks,
  agent: is(({ agent }) => agent),
  tokens: is((about) => tokensOf(conversation(about))),
  tokensPlusOutput: is((about) => {
    const { reading } = conversation(about);
    return reading.kind === "measured" ? reading.tokens + (reading.output ?? 0) : null;
  }),
  tokensInputOnly: is((about) => {
    const { reading } = conversation(about);
    return reading.kind === "measured" ? reading.tokens - (reading.output ?? 0) : null;
  }),
  tokensAtLeast: (expected, about) => assert.ok((tokensOf(conversation(about)) ?? 0) >= Number(expected)),
  tokensIsEstimate: is((about) => {
    const { reading } = conversation(about);
    return reading.kind === "compacted-unknown" || (reading.kind === "measured" && reading.estimate);
  }),
  baselineTokens: is((about) => conversation(about).firstReading),
  windowSize: is((about) => conversation(about).window?.size ?? null),
  windowSizeAnyOf: isOneOf((about) => conversation(about).window?.size ?? null),
  windowBasis: (expected, about) => {
    const basis = conversation(about).window?.basis ?? "unknown";
    assert.ok(String(expected).split("-or-").includes(basis), `${basis} is not ${String(expected)}`);
  },
  percent: is((about) => subject(about).judgement.percent ?? null),
  pressure: is((about) => words[subject(about).judgement.pressure]),
  decidedBy: is((about) => subject(about).judgement.decidedBy),
  model: is((about) => conversation(about).model),
  state: is((about) => (about.seen.length === 0 ? "no-transcript-yet" : conversation(about).turn.kind)),
  stateAnyOf: isOneOf((about) => conversation(about).turn.kind),
  lastHumanPromptAt: is((about) => iso(lastHumanAt(conversation(about)))),
  lastHumanActivityAt: is((about) => iso(conversation(about).lastHumanActivityAt)),
  humanAwaySeconds: is((about) => {
    const { lastRecordAt } = conversation(about);
    return ((lastRecordAt ?? 0) - (lastHumanAt(conversation(about)) ?? 0)) / 1000;
  }),
  humanPrompts: is((about) => subject(about).facts.filter((fact) => fact.kind === "prompt" && isHuman(fact)).length),
  humanPromptExcludesOurs: is((about) => (lastHumanAt(conversation(about)) ?? 0) < (about.typed[0]?.at ?? 0)),
  responses: is((about) => usages(about).length),
  totalOutput: is((about) => usages(about).reduce((sum, { output }) => sum + output, 0)),
  ownTotalTokens: is((about) => {
    const inherited = new Set(
      about.seen
        .flatMap((other) => (other === subject(about) ? [] : other.facts))
        .flatMap((fact) => (fact.kind === "usage" ? fact.responseId : [])),
    );
    return usages(about).reduce((sum, { responseId, tokens }) => (inherited.has(responseId) ? sum : sum + tokens), 0);
  }),
  unmeasured: is((about) => conversation(about).reading.kind === "unmeasured"),
  suspect: is((about) => {
    const { reading } = conversation(about);
    return reading.kind === "measured" && reading.suspect;
  }),
  peakTokens: is((about) => tokensOf(atPeak(about))),
  actionsAllowedAtPeak: is((about) => {
    const { reading } = atPeak(about);
    return reading.kind === "measured" && reading.suspect ? 0 : 1;
  }),
  badLines: is((about) => conversation(about).badLines),
  records: is((about) => conversation(about).records),
  compactions: is((about) => conversation(about).compactions),
  lastCompactTrigger: is((about) => conversation(about).lastCompaction?.trigger),
  queued: is((about) => conversation(about).queued),
  sessions: is(({ seen }) => seen.length),
  liveSession: is((about) => conversation(about).conversationId),
  previousSession: (expected, { seen }) =>
    assert.ok(seen.some(({ conversation }) => conversation.conversationId === expected)),
  previousTokens: is(({ seen, expect }) => {
    const previous = seen.find(({ conversation }) => conversation.conversationId === expect["previousSession"]);
    return previous && tokensOf(previous.conversation);
  }),
  gaugeShows: is(() => "worst"),
  worstTokens: is(({ seen }) => Math.max(...seen.map(({ conversation }) => tokensOf(conversation) ?? 0))),
  mayType: is((about) => refused(about) === undefined),
  mayAct: is((about) => subject(about).judgement.pressure !== "none"),
  refusal: is((about) => mapped[refused(about) ?? ""]),
  resetConfirmed: is((about) => isConfirmed(evidence(about))),
  resetKind: is((about) => (conversation(about).bornOfClear ? "clear" : "compact")),
  failReason: is((about) => {
    const proof = evidence(about);
    return proof.kind === "failed" ? failWords[proof.outcome] : undefined;
  }),
  resetEffective: is((about) => evidence(about).kind === "confirmed"),
  // Nothing is repeated or followed up by itself unless disk proves that it ran and helped.
  repeatAutomatically: is((about) => evidence(about).kind === "nothing"),
  reorientSent: is((about) => isConfirmed(evidence(about))),
  planVoid: is(isVoid),
  voidReason: is((about) => (isVoid(about) ? "already-compacted" : undefined)),
  typed: is((about) => (isVoid(about) ? 0 : about.typed.length)),
  crash: is(() => false),
  firstGaugeMs: (expected, { took }) =>
    assert.ok(took <= Number(expected), `the first reading took ${Math.round(took)} ms`),
  // The test's own process is large already: what the reading adds is held to the case's figure for a whole process.
  maxRssMB: (expected, { grewMb }) =>
    assert.ok(grewMb <= Number(expected) / 2, `memory grew by ${Math.round(grewMb)} MB`),
};
