import { endsWithOurs, withoutSpace } from "../../server/agents/composer.ts";
import type { AgentId } from "../../server/protocol/agents.ts";
import { lookAtBox } from "../screen/box.ts";
import type { Clock } from "../screen/clock.ts";
import type { Mirror } from "../screen/mirror.ts";
import { watch } from "./watch.ts";

/** How long a screen is watched for our line to turn up before it is given up; Claude's is never that old. */
const settleMs = { claude: 1000, codex: 15_000 } as const satisfies Record<AgentId, number>;

const quietMs = 250;

/** Codex deletes slowly: 40 of 209 characters were still there after 0.9 s. */
const goneMs = 3000;

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

/** What the box has to show once our line is gone; undefined where it must not be taken back. */
export function textWithoutOurs(mirror: Mirror, agent: AgentId, ours: string): string | undefined {
  const look = lookAtBox(mirror, agent);
  if (look.kind !== "read" || look.box.kind === "none" || !endsWithOurs(look.box, ours)) return undefined;
  return look.box.beforeCursor.slice(0, -withoutSpace(ours).length) + look.box.afterCursor;
}

/** Whether the screen came to show the rest alone. */
export async function seenGone(clock: Clock, mirror: Mirror, agent: AgentId, rest: string): Promise<boolean> {
  const gone = await watch(clock, mirror, { limitMs: goneMs }, () => {
    const look = lookAtBox(mirror, agent);
    if (look.kind !== "read" || look.box.kind === "none") return undefined;
    return mirror.freshSinceOwnWrite() && look.box.partial !== true && look.box.text === rest ? true : undefined;
  });
  return gone === true;
}
