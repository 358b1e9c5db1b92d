import type { TypeRefusal } from "../../protocol/terminals.ts";
import type { Because } from "./types.ts";

/** The host's own refusals, as a reason and a remedy. */
export function refusalWords(reason: TypeRefusal): Because {
  const again = "Look at the terminal, then ask again.";
  switch (reason) {
    case "terminal-closed":
      return { gate: "terminal-open", reason: "the terminal was closed", remedy: "Open the agent again." };
    case "not-observable":
      return {
        gate: "prompt-box-visible",
        reason: "its prompt box can no longer be seen",
        remedy: "Run *Plimsoll: Reconnect…*.",
      };
    case "box-not-empty":
      return {
        gate: "prompt-box-empty",
        reason: "a draft stands in its prompt box",
        remedy: "Send it or delete it; Plimsoll never touches a draft.",
      };
    case "box-not-found":
      return {
        gate: "prompt-box-empty",
        reason: "no prompt box can be seen (a dialog, a menu or another view is open)",
        remedy: "Close it in the terminal.",
      };
    case "shell-mode":
      return {
        gate: "prompt-box-empty",
        reason: "the prompt box is in shell mode (!)",
        remedy: "Leave it with Backspace.",
      };
    case "not-connected":
      return {
        gate: "window-connected",
        reason: "the window did not answer in time: keys would arrive late",
        remedy: "Try again when it is connected.",
      };
    case "not-shown":
      return { gate: "last-look", reason: "the prompt box did not show exactly our line", remedy: again };
    case "changed":
      return { gate: "last-look", reason: "the screen changed between the look and Enter", remedy: again };
    case "token":
      return { gate: "last-look", reason: "the last look took too long", remedy: again };
    case "agent-gone":
      return { gate: "agent-running", reason: "the agent has ended or lost the keyboard", remedy: again };
    case "paused":
      return { gate: "not-paused", reason: "typing was paused", remedy: "Run *Plimsoll: Resume Typing*." };
    case "mode":
      return { gate: "mode-allows", reason: "the mode no longer allows typing", remedy: "Set plimsoll.mode to ask." };
    case "trust":
      return {
        gate: "workspace-trusted",
        reason: "this workspace is not trusted",
        remedy: "Trust the workspace first.",
      };
    case "text-unknown":
      return {
        gate: "brief-deliverable",
        reason: "the text you gave is not held any more",
        remedy: "Give it to the agent yourself.",
      };
    case "text-command":
      return {
        gate: "brief-deliverable",
        reason: "a prompt from before the clear would now run as a command",
        remedy: "Give it to the agent yourself.",
      };
    case "busy":
      return {
        gate: "no-other-reset",
        reason: "something else is being typed into this terminal",
        remedy: "Wait for it.",
      };
  }
}
