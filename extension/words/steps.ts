import type { AgentId, CommandId } from "../../server/protocol/agents.ts";
import { lineText } from "../../server/protocol/lines.ts";
import type { ResetView } from "../../server/protocol/view.ts";
import { plain } from "./plain.ts";

export const verb = (command: CommandId): string => (command === "clear" ? "clear" : "compact");
export const Verb = (command: CommandId): string => (command === "clear" ? "Clear" : "Compact");

/** The step of a reset, as the status bar shows it after the agent's name. */
export function shortStep({ command, phase }: ResetView): { readonly icon: string; readonly text: string } {
  const doing = command === "clear" ? "clearing…" : "compacting…";
  switch (phase) {
    case "prepared":
      return { icon: "$(loading~spin)", text: `${verb(command)}: checking…` };
    case "armed":
      return { icon: "$(clock)", text: `${verb(command)}s at the turn's end` };
    case "claimed":
    case "dispatched":
      return { icon: "$(loading~spin)", text: doing };
    case "confirming":
      return { icon: "$(loading~spin)", text: command === "clear" ? "looking for the new conversation…" : doing };
    case "handed-over":
      return { icon: "$(bell-dot)", text: "press Enter there" };
    case "needs-reconcile":
      return { icon: "$(warning)", text: "look at its terminal" };
  }
}

/** The step in a sentence's words, for progress and hover. */
export function longStep({ command, phase, waitsFor }: ResetView): string {
  switch (phase) {
    case "prepared":
      return "Checking whether this is a good moment";
    case "armed":
      return waitsFor === undefined ? "Waiting for the turn to end" : `Waiting: ${plain(waitsFor, 120)}`;
    case "claimed":
      return "The prompt box is empty";
    case "dispatched":
      return "Pasting the line, and looking whether the box shows exactly it";
    case "confirming":
      return command === "clear"
        ? "Enter is pressed; looking for the new conversation"
        : "Enter is pressed; waiting until the agent has compacted";
    case "handed-over":
      return "The line stands in the terminal: look at it, then press Enter there";
    case "needs-reconcile":
      return "It is not known what happened: look at the terminal";
  }
}

/** Whether something happens by itself right now, so that progress may turn. */
export const isRunning = ({ phase }: ResetView): boolean =>
  phase === "prepared" || phase === "claimed" || phase === "dispatched" || phase === "confirming";

/** Said once, when a reset has to wait for the turn's end. */
export const armedWords = (name: string, { command, waitsFor }: ResetView): string =>
  `${name}: will ${verb(command)} when the turn has ended${waitsFor === undefined ? "" : ` (now: ${plain(waitsFor, 120)})`}.`;

/** Said once, when the person has to press Enter. */
export const handedOverWords = (name: string, agent: AgentId, { command }: ResetView): string =>
  `${name}: ${lineText(agent, command).split(" ")[0]} is pasted into its terminal. Look whether the prompt box holds it alone, then press Enter there.`;
