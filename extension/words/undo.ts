import type * as z from "zod";
import type { PastClear } from "../../server/protocol/messages.ts";
import type { AgentView } from "../../server/protocol/view.ts";
import { clock, size } from "./amounts.ts";
import { nameOf, productOf } from "./fullness.ts";
import { plain } from "./plain.ts";
import { commandText, resumeCommand } from "./reconnect.ts";

export type Past = z.output<typeof PastClear>;

export const undoWords = {
  title: "Back to which conversation?",
  hint: "Files changed since are not undone",
  nothing: "There is no clear to undo: Plimsoll has cleared nothing yet.",
  gone: "This clear is not in the log any more, so it can't be undone from here. Type /resume in the agent.",
  stillRuns:
    "The agent it happened in still runs, but can't go back by itself from here. Type /resume in its terminal, or end it first.",
  noShell: (command: string) =>
    `The new terminal has no shell integration, so nothing was run there. Run it yourself: ${command}`,
  copy: "Copy Command",
};

/** One past clear of the list. `agent`: the one it happened in, where it still runs. */
export function clearRow(
  past: Past,
  agent: AgentView | undefined,
  now: number,
): { readonly label: string; readonly description: string; readonly detail: string } {
  const { at, beforeTokens, cwd, conversationId, inPlace } = past;
  const name = agent === undefined ? productOf(past) : `${nameOf(agent)} (${productOf(past)})`;
  const folder = cwd === undefined ? "" : ` in ${plain(cwd, 80)}`;
  return {
    label: `${clock(at, now)} · ${name}`,
    description: beforeTokens === undefined ? "" : `${size(beforeTokens)} tokens before`,
    detail:
      inPlace && agent !== undefined
        ? `In the same agent${folder}: /resume ${plain(conversationId, 40)}`
        : `In a new terminal${folder}: ${plain(commandText(resumeCommand(past.agent, conversationId, [])), 80)}`,
  };
}

/** The newest clear of each agent that can be undone where it is. */
export const undoableIn = (clears: readonly Past[], instanceId: string): Past | undefined =>
  clears.find((past) => past.instanceId === instanceId && past.inPlace);
