import { readClaudeBox } from "../../server/agents/claude/composer.ts";
import { readCodexBox } from "../../server/agents/codex/composer.ts";
import { type BoxReading, type ReadBox, showsExactly } from "../../server/agents/composer.ts";
import type { AgentId } from "../../server/protocol/agents.ts";
import type { Mirror } from "./mirror.ts";

const readers: Readonly<Record<AgentId, ReadBox>> = { claude: readClaudeBox, codex: readCodexBox };

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

/** The number of the screen that shows exactly our line now; undefined where it does not. */
export function exactlyShownAt(mirror: Mirror, agent: AgentId, line: string): number | undefined {
  const look = lookAtBox(mirror, agent);
  return look.kind === "read" && showsExactly(look.box, line) ? mirror.sequence() : undefined;
}
