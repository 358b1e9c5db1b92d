import { isFoldedByClaude, readClaudeBox } from "../../server/agents/claude/composer.ts";
import { isFoldedByCodex, readCodexBox } from "../../server/agents/codex/composer.ts";
import { type BoxReading, type IsFolded, type OurText, type ReadBox, showsOurs } from "../../server/agents/composer.ts";
import type { AgentId } from "../../server/protocol/agents.ts";
import type { Mirror } from "./mirror.ts";

const readers: Readonly<Record<AgentId, ReadBox>> = { claude: readClaudeBox, codex: readCodexBox };

/** What each agent shows instead of a long paste. */
export const folds: Readonly<Record<AgentId, IsFolded>> = { claude: isFoldedByClaude, codex: isFoldedByCodex };

export type BoxLook =
  | { readonly kind: "size-unknown" }
  /** Nothing to go by until the agent's next output is shown. */
  | { readonly kind: "unsettled" }
  | { readonly kind: "read"; readonly box: BoxReading };

/** What the mirror shows of the agent's prompt box, at this instant. */
export function lookAtBox(mirror: Mirror, agent: AgentId): BoxLook {
  const view = mirror.look();
  if (view.kind === "size-unknown") return view;
  if (view.kind !== "screen" || mirror.hasUnparsed()) return { kind: "unsettled" };
  return { kind: "read", box: readers[agent](view.grid) };
}

/** The number of the screen that shows exactly what we pasted now; undefined where it does not. */
export function exactlyShownAt(mirror: Mirror, agent: AgentId, ours: OurText): number | undefined {
  const look = lookAtBox(mirror, agent);
  return look.kind === "read" && showsOurs(look.box, ours, folds[agent]) ? mirror.sequence() : undefined;
}
