import { join } from "node:path";
import { parseSubagent } from "../../agents/claude/sessions.ts";
import type { Instance } from "../../core/instance.ts";
import { bytesOf, fileFacts, ifKnown, names } from "../files.ts";
import { known, type Lookup } from "../processes/process.ts";

export type Subagent = { readonly name: string /** Epoch ms. */; readonly startedAt: number };

/** The record of a sub-agent holds names and flags only. */
const recordLimit = 64 * 1024;
/** The file system's clock is coarser than that of the process table (ms). */
const clockSlackMs = 1000;

/**
 * Running sub-agents of a Claude conversation, oldest first: their records beside the transcript that are not finished.
 * One from before the process started ended with an earlier process. `unknown`: could not be read, which is not "none".
 */
export async function subagents({ agent, transcript, startedAt }: Instance): Promise<Lookup<readonly Subagent[]>> {
  if (agent !== "claude" || transcript === undefined) return known([]);
  const folder = join(transcript.replace(/\.jsonl$/, ""), "subagents");
  const files = await names(folder);
  if (files.kind !== "known") return files.kind === "gone" ? known([]) : files;
  const records = files.value.filter((name) => /^agent-[\w-]+\.meta\.json$/.test(name));
  const found = await Promise.all(records.map((name) => running(join(folder, name), (startedAt ?? 0) - clockSlackMs)));
  const failed = found.find((lookup) => lookup.kind === "unknown");
  if (failed !== undefined) return failed;
  return known(found.flatMap((one) => ifKnown(one) ?? []).toSorted((a, b) => a.startedAt - b.startedAt));
}

async function running(path: string, since: number): Promise<Lookup<Subagent | undefined>> {
  const facts = await fileFacts(path);
  if (facts.kind !== "known") return facts;
  if (facts.value.bornAt < since) return known(undefined);
  const bytes = await bytesOf(path, recordLimit);
  if (bytes.kind !== "known") return bytes;
  const record = parseSubagent(bytes.value.toString("utf8"));
  if (record === undefined) return { kind: "unknown", why: "unreadable sub-agent record" };
  return known(record.running ? { name: record.name, startedAt: facts.value.bornAt } : undefined);
}
