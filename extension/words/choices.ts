import type { Goal } from "../../server/protocol/agents.ts";
import type { AfterBrief, FixedLine } from "../../server/protocol/lines.ts";
import type { Act, HeldText } from "../../server/protocol/messages.ts";

/** What a person can choose for an agent; each is a command of the palette too. */
export type Choice = "reset" | "resetContinue" | "resetStop" | "resetThen" | "review" | "compact" | "save";

/** As a button says it. */
export const choiceTitles: Readonly<Record<Choice, string>> = {
  reset: "Save & Clear",
  resetContinue: "Save, Clear & Continue",
  resetStop: "Save, Clear & Stop",
  resetThen: "Save, Clear, Then…",
  review: "Review First",
  compact: "Compact",
  save: "Save Now",
};

/** `carry`: what the person wrote for the new conversation. */
export function actOf(choice: Choice, carry: readonly HeldText[] = []): Act {
  switch (choice) {
    case "reset":
      return reset("wait", false);
    case "resetContinue":
      return reset("continue", false);
    case "resetStop":
      return reset("stop", false);
    case "resetThen":
      return { ...reset("continue", false), carry: [...carry] };
    case "review":
      return reset("wait", true);
    case "compact":
    case "save":
      return { kind: choice };
  }
}

type ResetAct = Extract<Act, { kind: "reset" }>;

const reset = (then: ResetAct["then"], review: boolean): ResetAct => ({ kind: "reset", then, review, carry: [] });

/** Whether an act begins with a save, so that it can't be done where saving is impossible. */
export const savesFirst = ({ kind }: Act): boolean => kind === "reset" || kind === "save";

/** The name of what is done, as a title. */
export function titleOf(act: Act): string {
  switch (act.kind) {
    case "compact":
    case "save":
      return choiceTitles[act.kind];
    case "undo":
      return "Undo Clear";
    case "reset":
      if (act.review) return choiceTitles.review;
      if (act.carry.length > 0) return "Save, Clear, Then";
      return choiceTitles[byThen[act.then]];
  }
}

const byThen: Readonly<Record<ResetAct["then"], Choice>> = {
  wait: "reset",
  continue: "resetContinue",
  stop: "resetStop",
};

/** As a sentence says it: "can't … now". */
export const goalVerb: Readonly<Record<Goal, string>> = {
  reset: "save and clear",
  compact: "compact",
  save: "save",
  undo: "undo the clear",
};

/** As a heading says it. */
export const goalTitle: Readonly<Record<Goal, string>> = {
  reset: "Save & Clear",
  compact: "Compact",
  save: "Save",
  undo: "Undo Clear",
};

/** The id that stands in the lines shown before there is one. */
const exampleResetId = "0123456789ab";

const exampleTask = "ABC-12";

/** How the workflows that are built in save and go on, where it is not the usual way (the README has the same table). */
const ownLines: Readonly<Record<string, { readonly save: readonly FixedLine[]; readonly brief?: FixedLine }>> = {
  stow: {
    save: [
      { kind: "command", name: "stow" },
      { kind: "receipt", resetId: exampleResetId },
    ],
  },
  snapshot: { save: [], brief: { kind: "command", name: "dr-next", taskId: exampleTask } },
};

/** Whether the lines of this workflow are known here; one of the person's own may have others. */
export const knowsLinesOf = (workflow: string | undefined): boolean =>
  workflow === undefined || Object.hasOwn(ownLines, workflow);

/** What in these lines is only an example. */
export const examplesIn = (texts: readonly string[]): readonly string[] =>
  [exampleResetId, exampleTask].filter((example) => texts.some((text) => text.includes(example)));

/** The lines that an act types, in their order, with examples of ids. */
export function linesOf(act: Act, workflow?: string): readonly FixedLine[] {
  const own = workflow !== undefined && Object.hasOwn(ownLines, workflow) ? ownLines[workflow] : undefined;
  const save: readonly FixedLine[] = own?.save ?? [{ kind: "save", resetId: exampleResetId }];
  switch (act.kind) {
    case "compact":
      return [{ kind: "compact", sentence: workflow === "snapshot" ? "snapshot" : "default" }];
    case "save":
      return save;
    case "undo":
      return [{ kind: "resume", conversationId: act.conversationId }];
    case "reset": {
      const isBare = act.then === "stop" && act.carry.length === 0;
      return [...save, { kind: "clear" }, ...(isBare ? [] : [own?.brief ?? brief(act)])];
    }
  }
}

const brief = ({ then, carry }: ResetAct): FixedLine => ({
  kind: "brief",
  resetId: exampleResetId,
  then: carry.length > 0 ? "next" : afterBrief[then],
});

const afterBrief: Readonly<Record<ResetAct["then"], AfterBrief>> = { wait: "wait", continue: "continue", stop: "wait" };
