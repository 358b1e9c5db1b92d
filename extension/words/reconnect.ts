import { lineText } from "../../server/protocol/lines.ts";
import type { AgentView } from "../../server/protocol/view.ts";
import { nameOf, productOf } from "./fullness.ts";

/** The command that resumes a conversation, as the shell gets it. */
export function resumeCommand(
  agent: AgentView["agent"],
  conversationId: string,
  args: readonly string[],
): { readonly executable: string; readonly args: readonly string[] } {
  return agent === "claude"
    ? { executable: "claude", args: ["--resume", conversationId, ...args] }
    : { executable: "codex", args: ["resume", conversationId, ...args] };
}

type Command = ReturnType<typeof resumeCommand>;

export const commandText = ({ executable, args }: Command): string => [executable, ...args].join(" ");

export const reconnectWords = {
  ask: (agent: AgentView) => `Reconnect ${nameOf(agent)}?`,
  askDetail: (agent: AgentView, command: Command) =>
    [
      `Plimsoll can't see the prompt box there, so it never presses Enter there. It pastes ${lineText(agent.agent, { kind: "exit" })}; you look whether the box holds it alone, and press Enter.`,
      `When ${productOf(agent)} has ended, Plimsoll runs in the same terminal:\n\n    ${commandText(command)}`,
      "The conversation goes on where it is. Background commands of the agent end.",
    ].join("\n\n"),
  button: "Paste It",
  progress: (agent: AgentView) => `${nameOf(agent)}: reconnect`,
  waiting: (agent: AgentView) => `Press Enter in the terminal to send ${lineText(agent.agent, { kind: "exit" })}`,
  resuming: "The agent has ended; resuming the conversation",
  notPasted: (agent: AgentView) =>
    `${nameOf(agent)}: nothing was pasted, because the terminal, the window or the agent changed. Try again.`,
  late: (agent: AgentView) =>
    `${nameOf(agent)}: it did not end within two minutes; nothing more is done. If ${lineText(agent.agent, { kind: "exit" })} still stands in its prompt box, delete it there.`,
  cancelled: (agent: AgentView) =>
    `${nameOf(agent)}: reconnect was cancelled. If ${lineText(agent.agent, { kind: "exit" })} still stands in its prompt box, delete it there.`,
  workerDown: (agent: AgentView, command: Command) =>
    `${nameOf(agent)}: Plimsoll's worker stopped meanwhile. When the agent has ended, resume it yourself: ${commandText(command)}`,
  byHand: (agent: AgentView, command: Command) =>
    `${nameOf(agent)}: the agent has ended, but its terminal has no shell integration. Resume it yourself: ${commandText(command)}`,
  done: (agent: AgentView) => `${nameOf(agent)}: reconnected, its prompt box can be seen.`,
  notSeen: (agent: AgentView, command: Command) =>
    `${nameOf(agent)}: the command was run, but its prompt box can't be seen yet. Look at the terminal; the command was: ${commandText(command)}`,
};
