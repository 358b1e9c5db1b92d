/** Commands people see, in the palette's order; `contributes.commands` says the same. */
export const shownCommands = {
  showAgents: "Show Agents",
  compact: "Compact Context…",
  clear: "Clear Context…",
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

/** Commands that only links of ours run; they are not in the palette. */
const linkCommands = { showTerminal: "Show Terminal", cancel: "Cancel" } as const;

export const titles = { ...shownCommands, ...linkCommands };

export type CommandName = keyof typeof titles;

const isCommandName = (name: string): name is CommandName => Object.hasOwn(titles, name);

export const commandNames: readonly CommandName[] = Object.keys(titles).filter(isCommandName);

export const commandId = (name: CommandName): string => `plimsoll.${name}`;

export const pausedKey = "plimsoll.paused";
