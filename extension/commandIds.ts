/** Commands people see, in the palette's order; `contributes.commands` says the same. */
export const shownCommands = {
  showAgents: "Show Agents",
  reset: "Save and Clear…",
  resetContinue: "Save, Clear & Continue…",
  resetStop: "Save, Clear & Stop…",
  resetThen: "Save, Clear, Then…",
  review: "Review First…",
  compact: "Compact Context…",
  save: "Save Now",
  openLastSaved: "Open Last Saved State",
  undo: "Undo Clear…",
  interrupt: "Interrupt Agent (Escape)",
  allowSaving: "Allow Saving Without Asking",
  check: "Check",
  bind: "Bind Terminal to Conversation…",
  reconnect: "Reconnect…",
  pause: "Pause Typing",
  resume: "Resume Typing",
  changeLine: "Change Line…",
  doctor: "Doctor",
  showLog: "Show Log",
  restartWorker: "Restart Worker",
} as const;

/** Commands of the document in which a person writes what comes after the clear; only there. */
export const editorCommands = { sendThen: "Send With Save & Clear", discardThen: "Discard" } as const;

/** Commands that only links of ours run; they are not in the palette. */
const linkCommands = {
  showTerminal: "Show Terminal",
  cancel: "Cancel",
  report: "Report",
  clearNow: "Clear Now",
} as const;

export const titles = { ...shownCommands, ...editorCommands, ...linkCommands };

export type CommandName = keyof typeof titles;

const isCommandName = (name: string): name is CommandName => Object.hasOwn(titles, name);

export const commandNames: readonly CommandName[] = Object.keys(titles).filter(isCommandName);

export const commandId = (name: CommandName): string => `plimsoll.${name}`;

export const pausedKey = "plimsoll.paused";

/** Scheme of that document: it lives in memory. `contributes` names it too. */
export const thenScheme = "plimsoll-then";
