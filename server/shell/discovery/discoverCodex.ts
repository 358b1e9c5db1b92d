import { dirname, join, resolve } from "node:path";
import * as z from "zod";
import { threadOfLock, versionInPath } from "../../agents/codex/sessions.ts";
import { bindCodex, type CodexEvidence, type HeldThread } from "../../core/binding.ts";
import { bytesOf, fileFacts, ifKnown, real } from "../files.ts";
import type { Processes } from "../processes/process.ts";
import { settled } from "../processes/settled.ts";
import { birthsOf } from "./discoverBirths.ts";
import type { Bound } from "./discoverClaude.ts";
import type { CodexProcess, TerminalCommand } from "./discoverCodexProcess.ts";
import { livesElsewhere, locksIn, locksOf } from "./discoverLocks.ts";
import type { Rollouts } from "./rollouts.ts";

/** What a Codex terminal process is in. */
export async function lookAtCodex(
  processes: Processes,
  rollouts: Rollouts,
  process: CodexProcess,
  command: TerminalCommand,
): Promise<Bound & { readonly daemon: boolean }> {
  const { details, facts } = process;
  const { root, held } = await heldBy(processes, rollouts, process);
  const cwd = await workingFolder(details.cwd, command.folder);
  const isDaemon = !command.embedded && (held === "unknown" || held.length === 0);
  const evidence: CodexEvidence = {
    foreignNamespace: details.foreignNamespace,
    held,
    ...(process.titleId === undefined ? {} : { titleId: process.titleId }),
    titled: [],
  };
  const isOpen = isDaemon && !command.remote && root !== undefined && details.own;
  const births = isOpen ? await birthsOf(processes, rollouts, process, command, root, cwd) : undefined;
  const titled =
    isOpen && process.titleId !== undefined ? await titledIn(rollouts, root, process.titleId, cwd, process.now) : [];
  const verdict = bindCodex({ ...evidence, titled, ...(births === undefined ? {} : { births }) });
  const id = verdict.conversationId;
  const [rollout] = id === undefined || root === undefined ? [] : await rollouts.find(root, id, process.now);
  const head = rollout === undefined ? undefined : await rollouts.head(rollout.path);
  const version = head?.version ?? (await installedVersion(details.executable ?? facts.argv[0] ?? ""));
  return {
    verdict,
    daemon: isDaemon,
    about: {
      ...(root === undefined ? {} : { configDir: root }),
      ...(cwd === undefined ? {} : { cwd }),
      ...(rollout === undefined ? {} : { transcript: rollout.path }),
      ...(version === undefined ? {} : { version }),
    },
  };
}

/** The locks this process holds, and the home they lie in: the one its environment names, or the one it holds locks in. */
async function heldBy(
  processes: Processes,
  rollouts: Rollouts,
  { facts, details, roots, now }: CodexProcess,
): Promise<{ root: string | undefined; held: CodexEvidence["held"] }> {
  const only = roots.length === 1 ? roots[0] : undefined;
  if (!details.own || details.foreignNamespace) return { root: only, held: [] };
  let isUnknown = false;
  for (const root of roots) {
    const held = await settled(() => processes.heldIn(facts.pid, locksOf(root)));
    if (held.kind === "unknown") isUnknown = true;
    const ids = (ifKnown(held) ?? []).flatMap((name) => threadOfLock(name) ?? []);
    const threads = await Promise.all(ids.map((id) => heldThread(rollouts, root, id, now)));
    const found = threads.flatMap((thread) => thread ?? []);
    if (found.length > 0) return { root, held: found };
  }
  return { root: only, held: isUnknown ? "unknown" : [] };
}

async function heldThread(rollouts: Rollouts, root: string, id: string, now: number): Promise<HeldThread | undefined> {
  const lock = ifKnown(await fileFacts(join(locksOf(root), `${id}.lock`)));
  if (lock === undefined) return undefined;
  const [rollout] = await rollouts.find(root, id, now);
  const head = rollout === undefined ? undefined : await rollouts.head(rollout.path);
  const written = rollout === undefined ? undefined : ifKnown(await fileFacts(rollout.path));
  return {
    conversationId: id,
    bornAt: lock.bornAt,
    subagent: head?.subagent ?? false,
    ...(written === undefined ? {} : { writtenAt: written.writtenAt }),
  };
}

/** Conversations whose id begins as the title says, in locks and rollouts of this home. */
async function titledIn(
  rollouts: Rollouts,
  root: string,
  titleId: string,
  cwd: string | undefined,
  now: number,
): Promise<CodexEvidence["titled"]> {
  const locks = (await locksIn(root)).map((lock) => lock.conversationId).filter((id) => id.startsWith(titleId));
  const found = (await rollouts.find(root, titleId, now)).map((rollout) => rollout.conversationId);
  const ids = [...new Set([...locks, ...found])];
  return Promise.all(
    ids.map(async (conversationId) => ({
      conversationId,
      elsewhere: await livesElsewhere(rollouts, root, conversationId, cwd, now),
    })),
  );
}

async function workingFolder(cwd: string | undefined, folder: string | undefined): Promise<string | undefined> {
  const path = folder === undefined ? cwd : resolve(cwd ?? "/", folder);
  return path === undefined ? undefined : (ifKnown(await real(path)) ?? path);
}

const Manifest = z.object({ name: z.string().regex(/^@openai\/codex/), version: z.string().max(64) });

/** From the package the program lies in (`<package>/vendor/<target>/bin/codex`), else from its path. */
async function installedVersion(executable: string): Promise<string | undefined> {
  const inPath = versionInPath(executable);
  if (inPath !== undefined || executable === "") return inPath;
  let folder = dirname(executable);
  for (let up = 0; up < 4; up++, folder = dirname(folder)) {
    const bytes = ifKnown(await bytesOf(join(folder, "package.json"), 64 * 1024));
    const manifest = bytes === undefined ? undefined : Manifest.safeParse(jsonOf(bytes.toString("utf8")));
    if (manifest?.success === true) return /^\d+\.\d+\.\d+/.exec(manifest.data.version)?.[0];
  }
  return undefined;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
