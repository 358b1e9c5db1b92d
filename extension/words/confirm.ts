import type { CommandId } from "../../server/protocol/agents.ts";
import { lineText } from "../../server/protocol/lines.ts";
import type { AgentView } from "../../server/protocol/view.ts";
import { count } from "./amounts.ts";
import { isBusy, type Typing } from "./can.ts";
import { shortFigure } from "./figure.ts";
import { nameOf } from "./fullness.ts";
import { plain } from "./plain.ts";
import { Verb } from "./steps.ts";

/** The dialog before anything is typed: word for word what, what is lost, what stays, how to undo. */
export function confirmation(
  agent: AgentView,
  command: CommandId,
  typing: Typing,
): { readonly message: string; readonly detail: string; readonly button: string } {
  const line = lineText(agent.agent, command);
  const assisted = typing === "pastes";
  const enter = assisted
    ? "You look at it and press Enter: Plimsoll can't see the prompt box there."
    : "Then it looks whether the prompt box shows exactly this, and presses Enter.";
  const after = isBusy(agent) && !assisted ? "It waits until the turn has ended. " : "";
  const detail = [
    `${after}Plimsoll pastes into the terminal of ${nameOf(agent)}, word for word:\n\n    ${line}\n\n${enter}`,
    command === "clear" ? clearWipes(agent) : compactLoses,
    ...background(agent),
    "Nothing is saved by Plimsoll in this version.",
    command === "clear" ? undo(agent) : "A compaction can't be undone.",
  ].join("\n\n");
  return {
    message: `${Verb(command)} ${nameOf(agent)} (${shortFigure(agent)})?`,
    detail,
    button: assisted ? "Paste It" : "Type It",
  };
}

const clearWipes = ({ agent }: AgentView): string =>
  `/clear starts a new conversation. The old one leaves the window, with the terminal's scrollback${
    agent === "claude" ? ", the task list and the rewind points" : ""
  }. Files, permissions and the model stay.`;

const compactLoses =
  "/compact replaces the conversation by the agent's own summary. It is one long step of the agent, and details are lost.";

function background({ backgroundShells }: AgentView): readonly string[] {
  if (backgroundShells === 0) return [];
  const keep = backgroundShells === 1 ? "keeps" : "keep";
  return [`${count(backgroundShells, "background command")} ${keep} running.`];
}

const undo = ({ conversationId }: AgentView): string =>
  conversationId === undefined
    ? "To undo: type /resume there and pick the old conversation."
    : `To undo, type there: /resume ${plain(conversationId, 60)}`;
