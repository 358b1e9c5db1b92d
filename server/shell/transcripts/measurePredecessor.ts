import { basename, dirname, join } from "node:path";
import * as z from "zod";
import type { Conversation } from "../../core/conversation.ts";
import { bytesOf, fileFacts, ifKnown, names } from "../files.ts";

/** Bytes of the end of a file in which its last record is looked for. */
const endLength = 256 * 1024;
/** Bytes of the end of `history.jsonl`; a clear is among its newest lines. */
const historyLength = 1024 * 1024;
/** Files of the folder looked into, newest first. */
const filesMost = 200;
/** The command is in the history this much before or after it is in the new file, ms. */
const skewMs = 5000;

const HistoryLine = z.object({ display: z.string(), timestamp: z.number(), sessionId: z.string() });

/**
 * Transcript of the conversation that was cleared into this one (R10): the file that holds the record this one begins
 * under, else what the history names. Undefined: nothing names it, and the newest file is no evidence (R13).
 */
export async function predecessorOf(path: string, conversation: Conversation): Promise<string | undefined> {
  if (conversation.agent !== "claude" || !conversation.bornOfClear) return undefined;
  return (await byRecord(path, conversation.parentRecord)) ?? (await byHistory(path, conversation));
}

async function byRecord(path: string, recordId: string | undefined): Promise<string | undefined> {
  if (recordId === undefined) return undefined;
  const own = ifKnown(await bytesOf(path, endLength));
  // The record may be one of its own: a caveat comes before the command.
  if (own?.includes(`"uuid":"${recordId}"`) !== false) return undefined;
  for (const sibling of await siblingsOf(path)) {
    const end = ifKnown(await bytesOf(sibling, endLength, "end"));
    if (end?.includes(`"uuid":"${recordId}"`) === true) return sibling;
  }
  return undefined;
}

async function siblingsOf(path: string): Promise<readonly string[]> {
  const folder = dirname(path);
  const others = (ifKnown(await names(folder)) ?? []).filter(
    (name) => name.endsWith(".jsonl") && name !== basename(path),
  );
  const dated = await Promise.all(
    others.map(async (name) => ({
      path: join(folder, name),
      at: ifKnown(await fileFacts(join(folder, name)))?.writtenAt ?? 0,
    })),
  );
  return dated
    .toSorted((a, b) => b.at - a.at)
    .slice(0, filesMost)
    .map((file) => file.path);
}

async function byHistory(path: string, { lastCommand, conversationId }: Conversation): Promise<string | undefined> {
  const bytes = ifKnown(await bytesOf(join(dirname(dirname(dirname(path))), "history.jsonl"), historyLength, "end"));
  if (bytes === undefined || lastCommand === undefined) return undefined;
  const clears = bytes
    .toString("utf8")
    .split("\n")
    .flatMap((line) => clearIn(line, conversationId));
  const before = clears.filter(
    ({ timestamp }) => timestamp <= lastCommand.at + skewMs && timestamp >= lastCommand.at - skewMs,
  );
  const id = before.at(-1)?.sessionId;
  if (id === undefined) return undefined;
  const sibling = join(dirname(path), `${id}.jsonl`);
  return ifKnown(await fileFacts(sibling)) === undefined ? undefined : sibling;
}

function clearIn(line: string, ownId: string | undefined): readonly z.infer<typeof HistoryLine>[] {
  if (!/"display":"\/(clear|reset|new)\b/.test(line)) return [];
  try {
    const parsed = HistoryLine.safeParse(JSON.parse(line));
    return parsed.success && parsed.data.sessionId !== ownId && /^[\w-]+$/.test(parsed.data.sessionId)
      ? [parsed.data]
      : [];
  } catch {
    return [];
  }
}
