import type { ScreenFacts, Unobservable } from "../../protocol/terminals.ts";
import type { TurnState } from "../conversation.ts";
import { no, notYet, type Verdict } from "./gate.ts";

/** Why its prompt box cannot be seen, as the second half of a sentence. */
export function unobservableBecause(why: Unobservable | undefined): string {
  switch (why) {
    case "started-before":
      return "the agent was started before this window could watch it (window reloaded, or Plimsoll was installed later)";
    case "no-shell-integration":
      return "the terminal has no shell integration";
    case "overflow":
      return "too much was printed before the agent started";
    case "size-unknown":
      return "the terminal's size cannot be read";
    case "platform":
      return "screens are read on Linux only";
    case undefined:
      return "its screen is not being watched";
  }
}

/** What the turn's state says against typing now; undefined: the turn is over. */
export function turnProblem(turn: TurnState, armed: boolean): Verdict | undefined {
  switch (turn.kind) {
    case "idle":
      return undefined;
    case "working":
      return notYet("the agent is working", "It goes on when the turn has ended.");
    case "tool-pending":
      return notYet("a tool call is open: it may be a question to you", "Answer it, or wait for the turn to end.");
    case "waiting":
      return (armed ? notYet : no)(`the agent waits for you (${turn.waitingFor})`, "Answer it in the terminal.");
    case "stalled":
      return no("the agent has written nothing for a long time in an open turn", "Look at the terminal.");
    case "error":
      return turn.overflow
        ? no(
            "the conversation no longer fits, so the last answer failed",
            "Run *Plimsoll: Save and Clear…*: it is cleared without a save, because nothing can be saved any more.",
          )
        : no("the last answer failed", "Look at the terminal; send a prompt or type the command yourself.");
    case "no-transcript":
      return no("there is no transcript yet", "Send a first prompt.");
    case "gone":
      return no("its transcript was deleted", "Send a prompt; the agent writes a new one.");
    case "unknown":
      return no("it is not known whether the turn has ended", "See *Plimsoll: Doctor*.");
  }
}

export function boxProblem(box: ScreenFacts["box"] | undefined): Verdict | undefined {
  switch (box) {
    case "empty":
      return undefined;
    case "draft":
      return no("a draft stands in its prompt box", "Send it or delete it; Plimsoll never touches a draft.");
    case "shell-mode":
      return no("the prompt box is in shell mode (!)", "Leave shell mode with Backspace.");
    default:
      return no("no prompt box can be seen (a dialog, a menu or another view is open)", "Close it in the terminal.");
  }
}

/** It was there when they clicked. */
export const promptGone: Verdict = no(
  "your last prompt is no longer in the transcript",
  "Look at the terminal, then ask again.",
);
