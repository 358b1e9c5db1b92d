import {
  endsWithEndOfOurs,
  endsWithOurs,
  type OurText,
  type PromptBox,
  textBeforeCursor,
  withoutSpace,
} from "../../server/agents/composer.ts";
import type { AgentId } from "../../server/protocol/agents.ts";
import { folds, lookAtBox } from "../screen/box.ts";
import type { Clock } from "../screen/clock.ts";
import type { Mirror } from "../screen/mirror.ts";
import { watch } from "./watch.ts";

/** How long a screen is watched for our line to turn up before it is given up; Claude's is never that old. */
const settleMs = { claude: 1000, codex: 15_000 } as const satisfies Record<AgentId, number>;

const quietMs = 250;

/** Codex deletes slowly: 40 of 209 characters were still there after 0.9 s. */
const goneMs = 3000;
const goneMsPerKey = 10;

/**
 * Waits until the screen can be believed, or as long as it makes sense. A busy Codex writes without a pause, and VS Code
 * hands output on only in a pause: until its turn ends, the mirror may be seconds old and show nothing of our line.
 */
export async function settled(clock: Clock, mirror: Mirror, agent: AgentId): Promise<void> {
  await watch(clock, mirror, { limitMs: settleMs[agent], quietMs }, () => {
    const quietSince = mirror.lastChunkAt();
    const isQuiet = quietSince === undefined || clock.now() - quietSince >= quietMs;
    return isQuiet && !mirror.hasUnparsed() && isCurrent(mirror, agent) ? true : undefined;
  });
}

function isCurrent(mirror: Mirror, agent: AgentId): boolean {
  if (agent === "claude") return true;
  if (mirror.reported() === "working") return false;
  const look = lookAtBox(mirror, agent);
  const isInDialog = look.kind === "read" && look.box.kind === "none"; // it swallowed the line and paints nothing
  return mirror.freshSinceOwnWrite() || isInDialog;
}

/** How to take something back, and what the box has to show afterwards. */
export type TakeBack = { readonly deletes: number; readonly rest: string };

/** Undefined where what we pasted must not be taken back. */
export function takeBackOf(mirror: Mirror, agent: AgentId, ours: OurText): TakeBack | undefined {
  const look = lookAtBox(mirror, agent);
  if (look.kind !== "read" || look.box.kind === "none") return undefined;
  return ours.kind === "line" ? ofLine(look.box, ours.text) : ofText(look.box, agent, ours.text);
}

/** Our lines are ASCII: one key takes one character, and what stands before the line stays. */
function ofLine(box: PromptBox, line: string): TakeBack | undefined {
  if (endsWithEndOfOurs(box, line)) return { deletes: line.length, rest: "" };
  if (!endsWithOurs(box, line)) return undefined;
  return { deletes: line.length, rest: box.beforeCursor.slice(0, -withoutSpace(line).length) + box.afterCursor };
}

/** What a tab may have been turned into. */
const tabColumns = 4;

/**
 * A person's text is taken back only where nothing stands before it: how many keys an emoji takes is not known, and one too
 * many finds nothing to delete. A folded paste goes with one key.
 */
function ofText(box: PromptBox, agent: AgentId, text: string): TakeBack | undefined {
  const found = textBeforeCursor(box, text, folds[agent]);
  if (found === undefined) return undefined;
  const most = [...text.replaceAll("\t", " ".repeat(tabColumns))].length;
  return { deletes: found === "folded" ? 1 : most, rest: box.afterCursor };
}

/** Whether the screen came to show the rest alone. */
export async function seenGone(clock: Clock, mirror: Mirror, agent: AgentId, wanted: TakeBack): Promise<boolean> {
  const limitMs = goneMs + goneMsPerKey * wanted.deletes;
  const gone = await watch(clock, mirror, { limitMs }, () => {
    const look = lookAtBox(mirror, agent);
    if (look.kind !== "read" || look.box.kind === "none") return undefined;
    const isRest = wanted.rest === "" ? look.box.empty : look.box.text === wanted.rest;
    return mirror.freshSinceOwnWrite() && look.box.partial !== true && isRest ? true : undefined;
  });
  return gone === true;
}
