import { dirname, join } from "node:path";
import { orProblem, type Problem, problem } from "./inside.ts";
import { chainOf, fileNames, metaOf, savesIn, stateWrittenAt, writeMeta } from "./saves.ts";

export type LastSavedState = {
  readonly path: string;
  /** When the file was last written, epoch ms. */
  readonly at: number;
};

/** The newest saved state of a conversation's chain; without one, the newest in this folder. Undefined: none, or unreadable. */
export function lastSavedState(where: {
  readonly cwd: string;
  readonly conversationId?: string;
}): LastSavedState | undefined {
  try {
    const saves = savesIn(where.cwd).flatMap(({ dir, meta }) => {
      const at = stateWrittenAt(where.cwd, dir);
      return at === undefined ? [] : [{ chain: meta.chain, found: { path: join(dir, fileNames.state), at } }];
    });
    const chain = where.conversationId === undefined ? undefined : chainOf(savesIn(where.cwd), where.conversationId);
    return (saves.find((save) => save.chain === chain) ?? saves[0])?.found;
  } catch {
    return undefined;
  }
}

/** Writes down which conversation followed the clear: the next save of the same task then finds its chain. */
export function noteNextConversation(
  dir: string,
  nextConversationId: string,
  stateDigest?: string,
): { readonly kind: "noted" } | Problem {
  return orProblem("the saved state's record could not be written", "Nothing is lost: the saved state stays.", () => {
    const cwd = dirname(dirname(dir));
    const meta = metaOf(cwd, dir);
    if (meta === undefined)
      return problem("the saved state's record cannot be read", "Nothing is lost: the saved state stays.");
    writeMeta(cwd, dir, { ...meta, nextConversationId, ...(stateDigest === undefined ? {} : { stateDigest }) });
    return { kind: "noted" };
  });
}
