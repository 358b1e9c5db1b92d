import type { CommandId } from "../../server/protocol/agents.ts";
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
      return { icon: "$(watch)", text: `waits to ${verb(command)}` };
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

/** The step in a few words, for progress and hover. */
export function longStep({ command, phase, waitsFor }: ResetView): string {
  switch (phase) {
    case "prepared":
      return "checking whether this is a good moment";
    case "armed":
      return waitsFor === undefined
        ? "waits for the turn to end; goes on by itself"
        : `waits because ${plain(waitsFor, 120)}; goes on by itself`;
    case "claimed":
      return "the prompt box is empty";
    case "dispatched":
      return "pasting the line, looking at the box";
    case "confirming":
      return command === "clear" ? "Enter pressed, looking for the new one" : "Enter pressed, the agent compacts";
    case "handed-over":
      return "the line is pasted. Look whether the prompt box holds it alone, then press Enter there";
    case "needs-reconcile":
      return "not known what happened: look at the terminal";
  }
}

/** Whether something happens by itself right now, so that progress may turn. */
export const isRunning = ({ phase }: ResetView): boolean =>
  phase === "prepared" || phase === "claimed" || phase === "dispatched" || phase === "confirming";

/** Said where the worker was started anew between the paste and the proof: only the person can tell what happened. */
export const undecidedWords = (name: string, command: CommandId): string =>
  `${name}: it is not known whether it was ${command === "clear" ? "cleared" : "compacted"}, because Plimsoll was started anew in the middle. Look at its terminal; nothing is typed again by itself.`;
