import { join } from "node:path";
import { threadOfLock } from "../../agents/codex/sessions.ts";
import { fileFacts, ifKnown, names, real } from "../files.ts";
import type { Rollouts } from "./rollouts.ts";

/** Codex makes one empty file a conversation here and keeps it locked while the conversation is loaded. */
export const locksOf = (root: string): string => join(root, "thread-writer-locks");

/** Locks of a home, held or left over. */
export async function locksIn(
  root: string,
): Promise<readonly { conversationId: string; path: string; bornAt: number }[]> {
  const ids = (ifKnown(await names(locksOf(root))) ?? []).flatMap((name) => threadOfLock(name) ?? []);
  const locks = await Promise.all(
    ids.map(async (conversationId) => {
      const path = join(locksOf(root), `${conversationId}.lock`);
      const facts = ifKnown(await fileFacts(path));
      return facts === undefined ? [] : [{ conversationId, path, bornAt: facts.bornAt }];
    }),
  );
  return locks.flat();
}

/** Its rollout names another folder than the process works in. Without rollout nothing is known against it. */
export async function livesElsewhere(
  rollouts: Rollouts,
  root: string,
  id: string,
  cwd: string | undefined,
  now: number,
): Promise<boolean> {
  const [rollout] = await rollouts.find(root, id, now);
  const head = rollout === undefined ? undefined : await rollouts.head(rollout.path);
  if (head?.cwd === undefined || cwd === undefined) return false;
  return (ifKnown(await real(head.cwd)) ?? head.cwd) !== cwd;
}
