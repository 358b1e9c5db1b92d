import { stat } from "node:fs/promises";
import { join } from "node:path";
import type * as z from "zod";
import type { Instance } from "../../core/instance.ts";
import type { ConversationChoice } from "../../protocol/messages.ts";
import { type MeasureOptions, measureFile } from "./measure.ts";
import { type Found, findTranscripts } from "./measureFiles.ts";

type Choice = z.output<typeof ConversationChoice>;

/** Transcripts measured for the choice, newest first: enough for a person to recognise theirs. */
const newestMost = 15;

/**
 * The conversations that an agent may be in, newest first: those of its config folder whose records lie in its folder.
 * For the person to pick from; nothing is ever picked for them.
 */
export async function conversationsOf(instance: Instance, options: MeasureOptions): Promise<Choice[]> {
  const { agent, configDir, cwd } = instance;
  if (configDir === undefined) return [];
  const tree = join(configDir, agent === "claude" ? "projects" : "sessions");
  const search = await findTranscripts(tree, { agent, home: options.home, environment: options.environment });
  if (search.kind === "failed") return [];
  const newest = (await Promise.all(search.files.map(withTime))).sort((a, b) => b.writtenAt - a.writtenAt);
  const choices: Choice[] = [];
  for (const { found } of newest) {
    if (choices.length >= newestMost) break;
    const measured = await measureFile(found, options);
    if (measured.kind !== "measured") continue;
    const { conversation } = measured;
    if (conversation.conversationId === undefined || conversation.subAgent) continue;
    if (cwd !== undefined && conversation.cwd !== undefined && conversation.cwd !== cwd) continue;
    const { reading, lastRecordAt } = conversation;
    choices.push({
      conversationId: conversation.conversationId,
      ...(lastRecordAt === undefined ? {} : { lastRecordAt }),
      ...(reading.kind === "measured" ? { tokens: reading.tokens } : {}),
      ...(conversation.cwd === undefined ? {} : { cwd: conversation.cwd }),
    });
  }
  return choices;
}

async function withTime(found: Found): Promise<{ found: Found; writtenAt: number }> {
  try {
    return { found, writtenAt: (await stat(found.path)).mtimeMs };
  } catch {
    return { found, writtenAt: 0 };
  }
}
