import { join } from "node:path";
import {
  isClaude,
  parseSessionRecord,
  projectSlug,
  type SessionRecord,
  versionInPath,
} from "../../agents/claude/sessions.ts";
import { bindClaude, type Verdict } from "../../core/binding.ts";
import type { Instance } from "../../core/instance.ts";
import { bytesOf, fileFacts, ifKnown, names, real } from "../files.ts";
import {
  known,
  type Lookup,
  type ProcessDetails,
  type Processes,
  type ProcessFacts,
  unknown,
} from "../processes/process.ts";
import { settled } from "../processes/settled.ts";

/** Most bytes of a session record; a real one has about 700. */
const recordLimit = 256 * 1024;

export type Bound = { readonly verdict: Verdict; readonly about: Partial<Instance> };
export type ClaudeProcess = {
  readonly facts: ProcessFacts;
  readonly details: ProcessDetails;
  readonly roots: readonly string[];
};

/** What a Claude process is in. Undefined: it holds no conversation with a person in a terminal or panel. */
export async function lookAtClaude(processes: Processes, process: ClaudeProcess): Promise<Bound | undefined> {
  const { facts, details } = process;
  const found = details.foreignNamespace || !details.own ? undefined : await ownRecord(process);
  if (found !== undefined && !found.record.inTerminal && !found.record.inPanel) return undefined;
  const record = found?.record;
  const rivals = found === undefined ? 0 : await rivalsOf(processes, found.root, found.record);
  const verdict = bindClaude({
    foreignNamespace: details.foreignNamespace,
    pid: facts.pid,
    birth: facts.birth,
    ...(record === undefined ? {} : { record }),
    rivals,
  });
  const configDir = found?.root ?? (process.roots.length === 1 ? process.roots[0] : undefined);
  const cwd = ifKnown(await real(record?.cwd ?? details.cwd ?? "")) ?? record?.cwd ?? details.cwd;
  const version = record?.version ?? versionInPath(details.executable ?? "");
  const id = verdict.conversationId;
  const transcript = id === undefined || configDir === undefined ? undefined : await transcriptOf(configDir, cwd, id);
  return {
    verdict,
    about: {
      ...(configDir === undefined ? {} : { configDir }),
      ...(cwd === undefined ? {} : { cwd }),
      ...(version === undefined ? {} : { version }),
      ...(transcript === undefined ? {} : { transcript }),
      ...(record?.inPanel === true ? { place: "panel" as const } : {}),
      ...(record?.name === undefined ? {} : { sessionName: record.name }),
      ...(record?.state === undefined
        ? {}
        : {
            reported: {
              state: record.state,
              ...(record.waitingFor === undefined ? {} : { waitingFor: record.waitingFor }),
              ...(record.since === undefined ? {} : { since: record.since }),
            },
          }),
    },
  };
}

export const isClaudeProcess = ({ name, argv }: ProcessFacts): boolean => isClaude(name, argv);

/** The record that is this process's own. A file left by a dead process of the same pid has another birth. */
async function ownRecord({
  facts,
  roots,
}: ClaudeProcess): Promise<{ root: string; record: SessionRecord } | undefined> {
  for (const root of roots) {
    const record = ifKnown(await settled(() => recordAt(join(root, "sessions", `${facts.pid}.json`))));
    if (record !== undefined && record.pid === facts.pid && record.birth === facts.birth) return { root, record };
  }
  return undefined;
}

/** Half a record (it is rewritten in place) is `unknown`, to be looked at again. */
async function recordAt(path: string): Promise<Lookup<SessionRecord>> {
  const bytes = await bytesOf(path, recordLimit);
  if (bytes.kind !== "known") return bytes;
  const record = parseSessionRecord(bytes.value.toString("utf8"));
  return "problem" in record ? unknown(record.problem) : known(record);
}

/** Other live processes that name the same conversation: Claude lets two of them write one file without a word. */
async function rivalsOf(processes: Processes, root: string, own: SessionRecord): Promise<number> {
  const others = (ifKnown(await names(join(root, "sessions"))) ?? []).filter(
    (name) => /^\d+\.json$/.test(name) && name !== `${own.pid}.json`,
  );
  const records = await Promise.all(others.map((name) => recordAt(join(root, "sessions", name))));
  let rivals = 0;
  for (const lookup of records) {
    if (lookup.kind !== "known" || lookup.value.conversationId !== own.conversationId) continue;
    const process = await processes.one(lookup.value.pid);
    const isDead = process.kind === "gone" || (process.kind === "known" && process.value.birth !== lookup.value.birth);
    if (!isDead) rivals++;
  }
  return rivals;
}

/** The slug is not injective and a session may have moved: where the file is not in its place, any project may hold it. */
async function transcriptOf(root: string, cwd: string | undefined, id: string): Promise<string | undefined> {
  const projects = join(root, "projects");
  const expected = cwd === undefined ? undefined : join(projects, projectSlug(cwd), `${id}.jsonl`);
  if (expected !== undefined && (await isThere(expected))) return expected;
  const folders = ifKnown(await names(projects)) ?? [];
  for (const folder of folders) {
    const path = join(projects, folder, `${id}.jsonl`);
    if (await isThere(path)) return path;
  }
  return undefined;
}

const isThere = async (path: string): Promise<boolean> => (await fileFacts(path)).kind === "known";
