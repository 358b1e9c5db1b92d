import type { AgentView } from "../../server/protocol/view.ts";
import { list, share, size } from "./amounts.ts";
import { canAct, isBusy, type Typing } from "./can.ts";
import { type Choice, choiceTitles } from "./choices.ts";
import { shortFigure } from "./figure.ts";
import { nameOf } from "./fullness.ts";
import { lostAndKeptShort } from "./lostAndKept.ts";
import { canSave, isTooFull, savingWords, withoutSave, workflowWords } from "./saving.ts";

export type Answer =
  | { readonly kind: "act"; readonly choice: Choice }
  | { readonly kind: "show" | "not-now" | "resume" | "more" };

export type Asked = {
  readonly message: string;
  /** Far over the line: a stronger toast. */
  readonly severe: boolean;
  /** What closing it means: while typing is paused the question stays as it is. */
  readonly closing: "not-now" | "nothing";
  readonly buttons: readonly { readonly title: string; readonly answer: Answer }[];
};

const more = { title: "More…", answer: { kind: "more" } } as const;
const notNow = { title: "Not Now", answer: { kind: "not-now" } } as const;
const show = { title: "Show Terminal", answer: { kind: "show" } } as const;

/** The toast that announces the open question. */
export function askAbout(agent: AgentView, others: readonly AgentView[], typing: Typing): Asked {
  const message = [`${nameOf(agent)}: ${weight(agent)}.`, ...rest(agent, typing), ...also(others)].join(" ");
  const closing = typing === "paused" ? "nothing" : "not-now";
  return { message, severe: agent.breach, closing, buttons: buttons(agent, others, typing) };
}

function weight(agent: AgentView): string {
  const far = agent.breach ? ", far over the line" : "";
  if (agent.reading.kind === "measured") return `${shortFigure(agent)} tokens${far}, every further step re-reads them`;
  return agent.percent === undefined ? "over the line" : `${share(agent.percent)} of its window is used${far}`;
}

function rest(agent: AgentView, typing: Typing): readonly string[] {
  switch (typing) {
    case "types":
    case "pastes":
      return canSave(agent) ? offer(agent, typing) : [...savingWords(agent), ...workflowWords(agent)];
    case "paused":
      return ["Typing is paused."];
    case "gauge":
      return ["Plimsoll only measures (mode gauge): type /clear or /compact there yourself."];
    case "not-here":
      return ["It doesn't run in a terminal of this window: type /clear or /compact there yourself."];
  }
}

const offer = (agent: AgentView, typing: Typing): readonly string[] => [
  isTooFull(agent)
    ? `${withoutSave}?`
    : `${isBusy(agent) ? "Save and clear when the turn has ended?" : "Save and clear?"} (about a minute).`,
  ...(typing === "pastes" ? ["Its prompt box can't be seen, so Plimsoll pastes each line and you press Enter."] : []),
  ...savingWords(agent),
  ...workflowWords(agent),
  lostAndKeptShort(agent),
];

const also = (others: readonly AgentView[]): readonly string[] =>
  others.length === 0
    ? []
    : [`Also over the line: ${list(others.map((other) => `${nameOf(other)} (${shortFigure(other)})`))}.`];

function buttons(agent: AgentView, others: readonly AgentView[], typing: Typing): Asked["buttons"] {
  const terminal = agent.terminalId === undefined ? [] : [show];
  if (typing === "paused") return [{ title: "Resume Typing", answer: { kind: "resume" } }, ...terminal, more];
  if (!canAct(typing) || !canSave(agent)) return [...terminal, notNow, more];
  const of = others.length === 0 ? "" : ` ${nameOf(agent, 16)}`;
  const title = isTooFull(agent) ? withoutSave : choiceTitles.reset;
  return [{ title: `${title}${of}`, answer: { kind: "act", choice: "reset" } }, ...terminal, more];
}

export const staleAnswer = "This was about an earlier state; nothing was done.";

/** *Why?*: which line asks, and what it is for. */
export function why(agent: AgentView): string {
  const name = nameOf(agent);
  const { hard, hardPercent } = agent.lines;
  const line = {
    absolute: hard === undefined ? "the line in tokens" : `the line of ${size(hard)} tokens`,
    percent: `the line of ${hardPercent}% of its window`,
    "own-compaction": "the point shortly before it compacts by itself",
  }[agent.decidedBy ?? "absolute"];
  return `${name} is over ${line}. Each step sends the whole conversation again: that costs time and money, and answers get worse. Save & Clear has it write down where it stands, starts a new conversation and lets it read that; Compact keeps a summary.`;
}
