import { join } from "node:path";
import { dayFolders, parseRolloutHead, type RolloutHead, threadOfRollout } from "../../agents/codex/sessions.ts";
import { threadTime } from "../../core/threadTime.ts";
import { bytesOf, ifKnown, names } from "../files.ts";
import type { Lookup } from "../processes/process.ts";

/** Most day folders looked into for a thread that does not lie where its id says. */
const searchLimit = 400;
/** A first line carries the agent's own instructions: some 25 KB (measured). */
const headLimit = 512 * 1024;
/** A negative wide search is not repeated for this long (ms). */
const negativeMs = 60_000;

export type Rollouts = {
  /** Path and id of the rollouts whose id begins so. */
  readonly find: (
    home: string,
    idPrefix: string,
    now: number,
  ) => Promise<readonly { path: string; conversationId: string }[]>;
  readonly head: (path: string) => Promise<RolloutHead | undefined>;
};

/** Finds rollouts by id and remembers where they are: neither the path nor the first line of one ever changes. */
export function createRollouts(): Rollouts {
  const paths = new Map<string, string>();
  const heads = new Map<string, RolloutHead>();
  const searched = new Map<string, number>();
  /** Folders listed in the look of this time (ms): all searches of one look share them. */
  let listed: { readonly at: number; readonly folders: Map<string, Promise<Lookup<readonly string[]>>> } | undefined;

  function list(folder: string, now: number): Promise<Lookup<readonly string[]>> {
    if (listed?.at !== now) listed = { at: now, folders: new Map() };
    const listing = listed.folders.get(folder) ?? names(folder);
    listed.folders.set(folder, listing);
    return listing;
  }

  async function inFolder(folder: string, prefix: string, now: number) {
    const found = [];
    for (const name of ifKnown(await list(folder, now)) ?? []) {
      const conversationId = threadOfRollout(name);
      if (conversationId?.startsWith(prefix)) found.push({ path: join(folder, name), conversationId });
    }
    return found;
  }

  async function find(home: string, idPrefix: string, now: number) {
    const key = `${home}\0${idPrefix}`;
    const path = paths.get(key);
    if (path !== undefined) return [{ path, conversationId: idPrefix }];
    const at = threadTime(idPrefix);
    const likely = at === undefined ? [] : dayFolders(at).map((day) => join(home, "sessions", day));
    let found = (await Promise.all(likely.map((folder) => inFolder(folder, idPrefix, now)))).flat();
    const isOld = at === undefined || now - at > 2 * 86_400_000;
    if (found.length === 0 && isOld && now - (searched.get(key) ?? Number.NEGATIVE_INFINITY) > negativeMs) {
      searched.set(key, now);
      for (const folder of await allDays(join(home, "sessions"))) {
        found = await inFolder(folder, idPrefix, now);
        if (found.length > 0) break;
      }
    }
    const [only] = found;
    if (found.length === 1 && only?.conversationId === idPrefix) paths.set(key, only.path);
    return found;
  }

  async function head(path: string) {
    const remembered = heads.get(path);
    if (remembered !== undefined) return remembered;
    const bytes = ifKnown(await bytesOf(path, headLimit));
    const end = bytes?.indexOf(0x0a) ?? -1;
    const parsed = bytes === undefined || end < 0 ? undefined : parseRolloutHead(bytes.toString("utf8", 0, end));
    if (parsed !== undefined) heads.set(path, parsed);
    return parsed;
  }

  return { find, head };
}

/** Day folders, newest first, up to the limit. */
async function allDays(root: string): Promise<readonly string[]> {
  let level = [root];
  for (let depth = 0; depth < 3; depth++) {
    const below = [];
    for (const folder of level) {
      const numbered = (ifKnown(await names(folder)) ?? [])
        .filter((name) => /^\d+$/.test(name))
        .toSorted()
        .toReversed();
      below.push(...numbered.map((name) => join(folder, name)));
      if (below.length >= searchLimit) break;
    }
    level = below.slice(0, searchLimit);
  }
  return level;
}
