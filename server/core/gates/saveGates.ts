import { afterSave, type Facts, type Gate, no, notYet, yes } from "./gate.ts";
import { promptGone } from "./reasons.ts";

/** So many bytes the transcript may have grown since the save (R82). */
const growthBytes = 262_144;

/** A clear that is not forced needs a save; so does a compaction whose workflow says so. */
const needsSave = ({ goal, savesFirst, forced, question }: Facts): boolean =>
  (goal === "reset" || savesFirst) && !forced && question.before !== "brief";

/** Gates that only a save can answer. Before it they say so; after it they are asked like all others. */
const whenSaved =
  (check: (facts: Facts, saved: NonNullable<Facts["saved"]>) => ReturnType<Gate["check"]>) => (facts: Facts) => {
    if (!needsSave(facts)) return yes;
    if (facts.saved !== undefined) return check(facts, facts.saved);
    return facts.question.before === "save"
      ? afterSave("the agent has not saved yet", "The save answers it.")
      : no("nothing is saved", "Run *Plimsoll: Save and Clear…* again.");
  };

const again = "Ask again: it saves once more first.";

export const savePossible: Gate = {
  id: "save-possible",
  question: "Can the agent save?",
  check: (facts) => {
    if (!needsSave(facts)) return yes;
    const { ability } = facts;
    return ability.kind === "impossible" ? no(ability.why, ability.remedy) : yes;
  },
};

export const workflowUsable: Gate = {
  id: "workflow-usable",
  question: "Is the way of saving that this folder names known here?",
  check: ({ workflowProblem }) =>
    workflowProblem === undefined
      ? yes
      : no(workflowProblem, "Define it in plimsoll.workflows of your user settings, or empty plimsoll.workflow."),
};

/** Present, of this conversation and process, and on disk still what it was. */
export const savedWell: Gate = {
  id: "saved-well",
  question: "Is its state saved, for this conversation?",
  check: whenSaved(({ instance, expected, conversationId }, { receipt, stateDigest }) => {
    if (receipt.instanceId !== expected.instanceId || receipt.instanceId !== instance?.instanceId)
      return no("what is saved is of another run of the agent", again);
    if (receipt.conversationId !== conversationId) return no("what is saved is of another conversation", again);
    if (stateDigest === undefined) return no("the saved state can't be read any more", again);
    return stateDigest === receipt.digest ? yes : no("the saved state was changed after it was checked", again);
  }),
};

/** Same second counts as not after (R108). */
export const savedAfterClick: Gate = {
  id: "saved-after-click",
  question: "Was it saved after the click?",
  check: whenSaved(({ approval }, { receipt }) => {
    if (approval === undefined) return yes;
    return Math.floor(receipt.at / 1000) > Math.floor(approval.at / 1000)
      ? yes
      : no("it was not saved after the click", again);
  }),
};

export const grownLittle: Gate = {
  id: "grown-little",
  question: "Has the conversation hardly grown since the save?",
  check: whenSaved((_facts, { receipt, transcriptBytes }) => {
    if (transcriptBytes === undefined) return no("the size of its transcript can't be read", "See *Plimsoll: Doctor*.");
    if (transcriptBytes < receipt.transcriptBytes) return no("its transcript got shorter after the save", again);
    return transcriptBytes - receipt.transcriptBytes <= growthBytes
      ? yes
      : no("the conversation went on for long after the save", again);
  }),
};

export const noWorkSince: Gate = {
  id: "no-work-since",
  question: "Has the agent done nothing since the save?",
  check: whenSaved(({ conversation }, { receipt }) => {
    if (conversation === undefined) return no("its conversation can't be read", "See *Plimsoll: Doctor*.");
    const answered = receipt.answersAtEnd !== undefined && conversation.answers > receipt.answersAtEnd;
    return conversation.toolCalls > receipt.toolCalls || answered
      ? no("the agent went on working after it had saved", again)
      : yes;
  }),
};

export const silentSinceSave: Gate = {
  id: "silent-since-save",
  question: "Have you said nothing since the save?",
  check: whenSaved(({ conversation }, { receipt }) => {
    const human = conversation?.lastHuman ?? { kind: "none" };
    if (human.kind === "unknown")
      return no("your last prompt could not be found in the transcript", "See *Plimsoll: Doctor*.");
    const lastId = human.kind === "known" ? human.recordId : undefined;
    if (lastId === receipt.lastHumanId) return yes;
    return lastId === undefined ? promptGone : no("a prompt was sent after the save", again);
  }),
};

export const briefComplete: Gate = {
  id: "brief-complete",
  question: "Is the brief for the fresh conversation written, and unchanged?",
  check: (facts) => {
    const { goal, question, brief } = facts;
    if (goal !== "reset" || question.before === "brief") return yes;
    if (brief === undefined)
      return question.before === "save"
        ? afterSave("the brief is written after the save", "The save answers it.")
        : no("there is no brief", again);
    return brief.digest === brief.digestNow ? yes : no("the brief was changed or removed", again);
  },
};

/** What is held of the person's words has to be there still: without it the clear would lose it. */
export const briefDeliverable: Gate = {
  id: "brief-deliverable",
  question: "Can the fresh conversation be told what it has to know?",
  check: ({ textsHeld, carries }) =>
    carries === 0 || textsHeld
      ? yes
      : no("the text you gave is not held any more (the window was reloaded)", "Ask again and give it again."),
};

export const workerHealthy: Gate = {
  id: "worker-healthy",
  question: "Do window and worker hear each other?",
  check: ({ hostSilentMs }) =>
    hostSilentMs <= 30_000
      ? yes
      : notYet("the window has not been heard for a while", "It goes on when it is heard again."),
};
