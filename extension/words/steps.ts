import type { Goal } from "../../server/protocol/agents.ts";
import type { ResetView } from "../../server/protocol/view.ts";
import { bytes } from "./amounts.ts";
import { goalVerb } from "./choices.ts";
import { plain } from "./plain.ts";

const turning = "$(loading~spin)";
const person = "$(bell-dot)";

type Short = { readonly icon: string; readonly text: string };

/** The step of a reset, as the status bar shows it after the agent's name. */
export function shortStep(reset: ResetView): Short {
  const { goal, phase, step } = reset;
  if (step === "handed") return { icon: person, text: "press Enter there" };
  switch (phase) {
    case "prepared":
      return { icon: turning, text: `${goalVerb[goal]}: checking…` };
    case "armed":
      return { icon: "$(watch)", text: `waits to ${goalVerb[goal]}` };
    case "saving":
      if (step === "permission") return { icon: person, text: "asks you to allow a file" };
      return { icon: turning, text: step === "typing" ? "asking it to save…" : "saving…" };
    case "saved":
      if (step === "reviewing") return { icon: person, text: "look at what it saved" };
      return { icon: turning, text: "saved, turn ends…" };
    case "claimed":
    case "dispatched":
      return {
        icon: turning,
        text: { reset: "clearing…", compact: "compacting…", save: "saving…", undo: "going back…" }[goal],
      };
    case "confirmed":
      return {
        icon: turning,
        text: { reset: "cleared", compact: "compacted", save: "saved", undo: "went back" }[goal],
      };
    case "resuming":
      return { icon: turning, text: step === "carrying" ? "delivering your words…" : "briefing…" };
    case "needs-reconcile":
      return { icon: "$(warning)", text: "look at its terminal" };
  }
}

/** The step in a few words, for progress and hover. */
export function longStep(reset: ResetView): string {
  const { goal, phase, step, waitsFor } = reset;
  switch (phase) {
    case "prepared":
      return "checking whether this is a good moment";
    case "armed":
      return waitsFor === undefined
        ? "waits for the turn to end; goes on by itself"
        : `waits because ${plain(waitsFor, 120)}; goes on by itself`;
    case "saving":
      return savingStep(step);
    case "saved":
      if (step === "reviewing") return `${savedWords(reset)}; you look at what it saved`;
      return waitsFor === undefined
        ? `${savedWords(reset)}, waiting for the turn to end`
        : `${savedWords(reset)}, waits because ${plain(waitsFor, 120)}`;
    case "claimed":
      return `${afterSave(reset)}the prompt box is empty`;
    case "dispatched":
      return `${afterSave(reset)}${dispatchedStep(goal, step)}`;
    case "confirmed":
      return `${afterSave(reset)}${confirmedWords[goal]}`;
    case "resuming":
      return resumingStep(step);
    case "needs-reconcile":
      return "not known what happened: look at the terminal";
  }
}

const pastedFor = (what: string): string =>
  `${what} is pasted. Look whether the prompt box holds it alone, then press Enter there`;

function savingStep(step: ResetView["step"]): string {
  switch (step) {
    case "typing":
      return "asking it to save";
    case "pressed":
      return "asked to save, looking whether it arrived";
    case "handed":
      return pastedFor("the request to save");
    case "permission":
      return "waiting for your permission: it asks whether it may write one file";
    default:
      return "asked to save; it writes its state";
  }
}

function dispatchedStep(goal: Goal, step: ResetView["step"]): string {
  if (step === "handed") return pastedFor("the line");
  if (step !== "pressed") return "pasting the line, looking at the box";
  return {
    reset: "/clear sent, looking for the new conversation",
    compact: "Enter pressed, the agent compacts",
    save: "Enter pressed",
    undo: "Enter pressed, looking for the old conversation",
  }[goal];
}

const confirmedWords: Readonly<Record<Goal, string>> = {
  reset: "cleared (new conversation seen)",
  compact: "compacted",
  save: "saved",
  undo: "the old conversation is back",
};

function resumingStep(step: ResetView["step"]): string {
  if (step === "handed") return `cleared; ${pastedFor("the next line")}`;
  return step === "carrying"
    ? "cleared and briefed, delivering your own words"
    : "cleared (new conversation seen), briefing it";
}

/** The size is not known again after a restart of the worker in the middle. */
const savedWords = ({ savedBytes }: ResetView): string =>
  savedBytes === undefined ? "saved" : `saved (${bytes(savedBytes)}, check code right)`;

const afterSave = (reset: ResetView): string => (reset.savedBytes === undefined ? "" : `${savedWords(reset)}; `);

/** It is the person's turn: nothing goes on by itself. */
export const isPersons = ({ step }: ResetView): boolean =>
  step === "handed" || step === "permission" || step === "reviewing";

/** Whether it goes on by itself right now, so that progress may turn. */
export const isRunning = (reset: ResetView): boolean =>
  reset.phase !== "armed" && reset.phase !== "needs-reconcile" && !isPersons(reset);

/** Said where only the person can tell what happened. */
export const undecidedWords = (name: string, goal: Goal): string =>
  `${name}: it is not known whether it was ${doneWords[goal]}. Look at its terminal; nothing is typed again by itself. Abort only forgets it.`;

export const doneWords: Readonly<Record<Goal, string>> = {
  reset: "cleared",
  compact: "compacted",
  save: "saved",
  undo: "taken back to the old conversation",
};
