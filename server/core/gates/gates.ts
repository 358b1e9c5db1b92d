import { type Facts, type Gate, no, notYet, yes } from "./gate.ts";
import { boxProblem, promptGone, turnProblem, unobservableBecause } from "./reasons.ts";
import * as save from "./saveGates.ts";

/** A turn must have been over this long before it counts (DESIGN §6), ms. */
const stableIdleMs = 1000;

const isSettled = ({ screen, quietMs }: Facts): boolean =>
  screen?.quietForMs !== undefined && screen.quietForMs >= quietMs && screen.freshSinceOwnWrite;

/**
 * THE list, in the order of DESIGN §10: cheapest and most certain first. The order is the contract, the log shows the
 * first refusal. None can be overruled: there is no force flag (R196).
 */
export const gates: readonly Gate[] = [
  {
    id: "settings-sane",
    question: "Can every setting be used?",
    check: ({ settingProblems }) =>
      settingProblems.length === 0 ? yes : no(settingProblems.join(" "), "Nothing is typed until then."),
  },
  {
    id: "mode-allows",
    question: "Does the mode allow typing?",
    check: ({ mode }) =>
      mode === "ask"
        ? yes
        : no("the mode is *gauge*: nothing is typed", "Set plimsoll.mode to ask in your user settings."),
  },
  {
    id: "workspace-trusted",
    question: "Is this workspace trusted?",
    check: ({ trusted }) => (trusted ? yes : no("this workspace is not trusted", "Trust the workspace first.")),
  },
  {
    id: "platform-measured",
    question: "Was typing measured on this system?",
    check: ({ platformMeasured }) =>
      platformMeasured
        ? yes
        : no("typing was measured on Linux only", "Type the command yourself; the gauge works here."),
  },
  {
    id: "terminal-open",
    question: "Is the agent's terminal open in this window?",
    check: ({ terminal, instance, expected, screen }) =>
      instance?.place === "terminal" &&
      terminal !== undefined &&
      terminal.terminalId === expected.terminalId &&
      (screen === undefined || screen.terminalOpen)
        ? yes
        : no(
            "the agent does not run in an integrated terminal of this window",
            "Use the window whose terminal it is in.",
          ),
  },
  {
    id: "agent-running",
    question: "Is it still the same agent process?",
    check: ({ instance, expected }) =>
      instance !== undefined && instance.instanceId === expected.instanceId
        ? yes
        : no("the agent has ended or was started anew", "Look at the terminal, then ask again."),
  },
  {
    id: "agent-in-foreground",
    question: "Is the agent in the foreground of its terminal?",
    check: ({ instance }) =>
      instance?.foreground === true
        ? yes
        : no("another program has the terminal's keyboard", "Bring the agent to the foreground (fg), then ask again."),
  },
  {
    id: "conversation-known",
    question: "Is it known for certain which conversation this is?",
    check: ({ instance }) => {
      switch (instance?.binding) {
        case "process":
        case "title":
        case "birth":
        case "picked":
          return yes;
        case "ambiguous":
          return no(
            "more than one conversation may be the one in this terminal",
            "Run *Plimsoll: Bind Terminal to Conversation…*.",
          );
        default:
          return no(
            "nothing on disk names this terminal's conversation yet",
            "Send a first prompt, or run *Plimsoll: Bind Terminal to Conversation…*.",
          );
      }
    },
  },
  {
    id: "prompt-box-visible",
    question: "Can its prompt box be seen?",
    check: ({ screen }) => {
      if (screen === undefined) return no("the window did not answer", "Try again.");
      return screen.observable
        ? yes
        : no(
            unobservableBecause(screen.why),
            "Plimsoll pastes the line and you press Enter, or run *Plimsoll: Reconnect…*.",
          );
    },
  },
  {
    id: "log-writable",
    question: "Can the step be written down first?",
    check: ({ journalProblem }) =>
      journalProblem === undefined
        ? yes
        : no(journalProblem, "See *Plimsoll: Doctor*; nothing is typed without a record."),
  },
  {
    id: "transcript-readable",
    question: "Can its transcript be read?",
    check: ({ transcriptProblem, conversation }) => {
      if (transcriptProblem !== undefined) return no(transcriptProblem, "See *Plimsoll: Doctor*.");
      return conversation?.turn.kind === "gone"
        ? no("its transcript was deleted", "Send a prompt; the agent writes a new one.")
        : yes;
    },
  },
  {
    id: "no-other-reset",
    question: "Is no other reset of this agent open?",
    check: ({ otherReset }) =>
      otherReset ? no("another reset of this agent is open", "Wait for it, or cancel it in the menu.") : yes,
  },
  save.savePossible,
  save.workflowUsable,
  save.savedWell,
  {
    id: "approved-for-this",
    question: "Was this conversation approved, and is the click unused?",
    check: ({ approval, approvalUsed, instance, conversationId, question }) => {
      if (question.before === "brief")
        return conversationId === instance?.conversationId
          ? yes
          : no("it is in another conversation by now", "Nothing more is typed; look at the terminal.");
      if (approval === undefined) return no("nobody approved it", "Click *Save & Clear* or *Compact*.");
      if (approvalUsed) return no("this click was used already", "Click again.");
      return approval.conversationId === instance?.conversationId
        ? yes
        : no("the click was about an earlier conversation", "Look at the gauge, then click again.");
    },
  },
  save.savedAfterClick,
  save.grownLittle,
  save.noWorkSince,
  {
    id: "last-prompt-known",
    question: "Is your last prompt known?",
    check: ({ conversation }) =>
      conversation?.lastHuman.kind === "unknown"
        ? no("your last prompt could not be found in the transcript", "See *Plimsoll: Doctor*.")
        : yes,
  },
  {
    id: "nothing-said-since",
    question: "Has nothing been said since the click?",
    check: ({ approval, conversation, question }) => {
      if (question.before === "brief") return yes;
      const human = conversation?.lastHuman ?? { kind: "none" };
      const lastId = human.kind === "known" ? human.recordId : undefined;
      if (approval === undefined || lastId === approval.lastHumanId) return yes;
      // As after the transcript was deleted: the agent writes on in a new file.
      return lastId === undefined
        ? promptGone
        : no("a prompt was sent after the click", "Click again when the agent is done.");
    },
  },
  save.silentSinceSave,
  {
    id: "not-paused",
    question: "Is typing not paused?",
    check: ({ paused }) => (paused ? no("typing is paused", "Run *Plimsoll: Resume Typing*.") : yes),
  },
  save.briefComplete,
  save.briefDeliverable,
  save.workerHealthy,
  {
    id: "turn-ended",
    question: "Has the agent's turn ended?",
    check: ({ turn, now, armed, forced }) => {
      if (forced && turn.kind === "error" && turn.overflow) return yes;
      const problem = turnProblem(turn, armed);
      if (problem !== undefined) return problem;
      return turn.kind === "idle" && turn.since !== undefined && now - turn.since < stableIdleMs
        ? notYet("the turn has only just ended", "It goes on by itself.")
        : yes;
    },
  },
  {
    id: "nothing-pending",
    question: "Is nothing of this agent pending?",
    check: ({ conversation, subagents }) => {
      // Once such a prompt is sent on, it is younger than the click: to wait for that would be in vain.
      if ((conversation?.queued ?? 0) > 0)
        return no("a prompt waits in its queue", "Click again when it is answered, or take it out of the queue.");
      return subagents.length > 0
        ? notYet(
            `sub-agents are running (${subagents.map(({ name }) => name).join(", ")})`,
            "It goes on when they are done.",
          )
        : yes;
    },
  },
  {
    id: "screen-settled",
    question: "Has its screen settled?",
    check: (facts) => (isSettled(facts) ? yes : notYet("its screen is still changing", "It goes on by itself.")),
  },
  {
    id: "window-connected",
    question: "Does the window answer?",
    check: ({ screen }) =>
      screen?.connected === true
        ? yes
        : notYet(
            "the window did not answer in time: keys would arrive late",
            "It goes on when the window is connected.",
          ),
  },
  {
    id: "prompt-box-empty",
    question: "Is the prompt box empty?",
    // What a moving screen shows is no answer yet, in either direction.
    check: (facts) =>
      isSettled(facts)
        ? (boxProblem(facts.screen?.box) ?? yes)
        : notYet("its screen is still changing", "It goes on by itself."),
  },
];

const screenGates: readonly string[] = ["prompt-box-visible", "screen-settled", "window-connected", "prompt-box-empty"];

/** What disk alone answers: all there is to ask while a turn goes on, and where the person is to press Enter. */
export const diskGates = (list: readonly Gate[]): readonly Gate[] => list.filter(({ id }) => !screenGates.includes(id));

/** Asked once more when the line stands in the box, right before Enter: all but what our own line has changed. */
export const lastLookOf = (list: readonly Gate[]): readonly Gate[] =>
  list.filter(({ id }) => !["prompt-box-empty", "screen-settled", "window-connected", "no-other-reset"].includes(id));

/** In the fresh conversation nothing is to be saved, and the click was about the old one. */
const notForBrief: readonly string[] = [
  "no-other-reset",
  "save-possible",
  "workflow-usable",
  "saved-well",
  "saved-after-click",
  "grown-little",
  "no-work-since",
  "last-prompt-known",
  "nothing-said-since",
  "silent-since-save",
  "brief-complete",
];

/** Asked before something is said in the fresh conversation. */
export const briefGates: readonly Gate[] = gates.filter(({ id }) => !notForBrief.includes(id));
