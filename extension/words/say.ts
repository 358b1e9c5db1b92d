/** Sentences without any parts. */
export const say = {
  agentGone: "This agent has ended.",
  noTerminal: "This agent doesn't run in a terminal of this window.",
  noAgents: "No Claude Code or Codex is running in a terminal of this window.",
  noneFits: "There is nothing to do: no agent here needs it.",
  whichAgent: "Which agent?",
  workerDown: "Plimsoll's worker isn't running; it is started again by itself. See Plimsoll: Show Log.",
  noAnswer: "Plimsoll's worker didn't answer. Try again; if it happens again, run Plimsoll: Restart Worker.",
  unknownStart: "Plimsoll's worker didn't answer: it is not known whether this was begun. Look at the terminal.",
  paused: "Typing is paused. Resume it first.",
  gauge: "Plimsoll only measures here (plimsoll.mode is gauge): it types nothing.",
  notHere: "This agent doesn't run in a terminal of this window: type the command there yourself.",
  busyReset: "Something is under way for this agent already. Wait for it, or cancel it in the menu.",
  lineNotMoved:
    "The line could not be changed: the settings file could not be written. Change it in the settings editor.",
  menuHint: "Nothing is typed before you are asked once more",
  changeLine: "Change Line…",
  checkHint: "Nothing was typed; Enter opens this as text",
  whichLine: "From which size on should Plimsoll ask?",
  commandFailed: "Plimsoll could not do this because of an error of its own. See Plimsoll: Show Log.",
  nothingToCancel: "There was nothing left to cancel.",
} as const;
