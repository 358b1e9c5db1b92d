import assert from "node:assert/strict";
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { adapters } from "../../server/agents/registry.ts";
import { readTyped } from "../../server/cli/measureTyped.ts";
import type { Conversation } from "../../server/core/conversation.ts";
import { conversationOf, createFold, foldOn } from "../../server/core/fold.ts";
import type { TypedEntry } from "../../server/core/humanPrompts.ts";
import { compactionPoint, type Judgement, judge, resolveLines } from "../../server/core/pressure.ts";
import type { TranscriptFact } from "../../server/core/transcript.ts";
import type { AgentId } from "../../server/protocol/agents.ts";
import { measureFile } from "../../server/shell/transcripts/measure.ts";
import { findTranscripts } from "../../server/shell/transcripts/measureFiles.ts";
import { createAgentSettings } from "../../server/shell/transcripts/measureSettings.ts";
import { createTail, type TailResult } from "../../server/shell/transcripts/tail.ts";

const casesFolder = join(import.meta.dirname, "..", "cases");

/** One conversation of a case, measured. */
export type Seen = {
  readonly path: string;
  readonly conversation: Conversation;
  readonly judgement: Judgement;
  /** Facts of all its lines, in file order. */
  readonly facts: readonly TranscriptFact[];
};

export type Case = {
  readonly name: string;
  readonly folder: string;
  readonly agent: AgentId;
  readonly expect: Readonly<Record<string, unknown>>;
  readonly typed: readonly TypedEntry[];
  readonly now: number | undefined;
  readonly seen: readonly Seen[];
  /** Time of the first reading, ms. */
  readonly took: number;
  /** What the readings added to the memory of the process, MB. */
  readonly grewMb: number;
};

export function expectationsOf(name: string): Readonly<Record<string, unknown>> {
  const parsed: unknown = JSON.parse(readFileSync(join(casesFolder, name, "expect.json"), "utf8"));
  assert.ok(typeof parsed === "object" && parsed !== null);
  return Object.fromEntries(Object.entries(parsed));
}

export const caseNames = (): readonly string[] => readdirSync(casesFolder).filter((name) => /^\d/.test(name));
export const hasSteps = (name: string): boolean => existsSync(join(casesFolder, name, "steps"));

const agentOfCase = (expect: Readonly<Record<string, unknown>>): AgentId =>
  expect["agent"] === "codex" ? "codex" : "claude";

/** Runs the work with a folder that is gone afterwards. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "plimsoll-cases-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function readCase(name: string, scratch: string): Promise<Case> {
  const folder = join(casesFolder, name);
  const expect = expectationsOf(name);
  const agent = agentOfCase(expect);
  const typedFile = join(folder, "typed.json");
  const typed = existsSync(typedFile) ? await readTyped(typedFile) : [];
  assert.ok(typeof typed !== "string");
  const now = timeIn(join(folder, "now.json"), "now");
  const path = await inputOf(folder, scratch);
  const search = await findTranscripts(path, { agent, home: path, environment: {} });
  assert.ok(search.kind === "found");
  const seen: Seen[] = [];
  const [first] = search.files;
  const took = first === undefined ? 0 : await firstGauge(first.path, agent);
  const rss = process.memoryUsage.rss();
  for (const found of search.files) {
    const measured = await measureFile(found, {
      home: path,
      environment: {},
      typed,
      now,
      settings: createAgentSettings(),
    });
    assert.ok(measured.kind === "measured");
    const { conversation, settings } = measured;
    const isBig = existsSync(join(folder, "make.mjs"));
    seen.push({
      path: found.path,
      conversation,
      judgement: judged(conversation, settings.compaction),
      facts: isBig ? [] : factsOf(agent, readFileSync(found.path)),
    });
  }
  return { name, folder, agent, expect, typed, now, seen, took, grewMb: (process.memoryUsage.rss() - rss) / 1024 ** 2 };
}

/** Time until a size can be shown, ms. */
async function firstGauge(path: string, agent: AgentId): Promise<number> {
  const started = performance.now();
  let took: number | undefined;
  await createTail({ adapter: adapters[agent], path }).read(() => {
    took ??= performance.now() - started;
  });
  return took ?? performance.now() - started;
}

function judged(conversation: Conversation, compaction: Parameters<typeof compactionPoint>[2]): Judgement {
  const { agent, reading, window } = conversation;
  const lines = resolveLines({}, {});
  assert.ok(lines.kind === "lines");
  return judge(
    {
      tokens: reading.kind === "measured" ? reading.tokens : undefined,
      windowSize: window?.size,
      compactionPoint: compactionPoint(agent, window?.size, compaction),
    },
    lines.lines,
  );
}

export const factsOf = (agent: AgentId, bytes: Buffer): readonly TranscriptFact[] =>
  bytes
    .toString("latin1")
    .split("\n")
    .flatMap((line) => {
      const parsed = adapters[agent].parseLine({ whole: true, bytes: Buffer.from(line, "latin1") });
      return parsed.kind === "record" ? parsed.facts : [];
    });

/** The conversation as it stood after the facts for which `until` holds. */
export function conversationUntil(agent: AgentId, facts: readonly TranscriptFact[], until: number): Conversation {
  const before = facts.filter(({ at }) => at === undefined || at < until);
  return conversationOf(foldOn(createFold(agent), before), { humanSearchComplete: true });
}

async function inputOf(folder: string, scratch: string): Promise<string> {
  if (existsSync(join(folder, "make.mjs"))) {
    copyFileSync(join(folder, "make.mjs"), join(scratch, "make.mjs"));
    await import(join(scratch, "make.mjs"));
    return join(scratch, "transcript.jsonl");
  }
  const input = ["transcript.jsonl", "rollout.jsonl", "home", "sessions"].find((name) =>
    existsSync(join(folder, name)),
  );
  assert.ok(input !== undefined, `${folder} has no input that is understood`);
  return join(folder, input);
}

export function timeIn(path: string, key: string): number | undefined {
  if (!existsSync(path)) return undefined;
  const parsed: unknown = JSON.parse(readFileSync(path, "utf8"));
  const value =
    typeof parsed === "object" && parsed !== null
      ? Object.entries(parsed).find(([name]) => name === key)?.[1]
      : undefined;
  return typeof value === "string" ? Date.parse(value) : undefined;
}

export type StepSeen = { readonly result: TailResult; readonly conversation: Conversation | undefined };

/** Applies the steps of a case one by one, reading after each. */
export async function readSteps(name: string, scratch: string): Promise<readonly StepSeen[]> {
  const folder = join(casesFolder, name, "steps");
  const agent = agentOfCase(expectationsOf(name));
  const path = join(scratch, "transcript.jsonl");
  const tail = createTail({ adapter: adapters[agent], path });
  const steps: StepSeen[] = [];
  for (const step of readdirSync(folder).toSorted()) {
    if (step.endsWith(".delete")) rmSync(path);
    else if (step.endsWith(".replace")) writeFileSync(path, readFileSync(join(folder, step)));
    else appendFileSync(path, readFileSync(join(folder, step)));
    const result = await tail.read();
    const state = result.kind === "read" ? result.state : undefined;
    steps.push({
      result,
      conversation:
        state &&
        conversationOf(state.fold, {
          humanSearchComplete: state.isWhole,
          records: state.records,
          badLines: state.badLines,
        }),
    });
  }
  return steps;
}
