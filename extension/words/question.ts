import type { CommandId } from "../../server/protocol/agents.ts";
import type { AgentView } from "../../server/protocol/view.ts";
import { count, list, share, size } from "./amounts.ts";
import { canAct, isBusy, type Typing } from "./can.ts";
import { shortFigure } from "./figure.ts";
import { nameOf } from "./fullness.ts";
import { Verb } from "./steps.ts";

export type Answer =
  | { readonly kind: "act"; readonly command: CommandId }
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
  const shells = agent.backgroundShells;
  const running =
    shells === 0 ? [] : [`${count(shells, "background command")} ${shells === 1 ? "keeps" : "keep"} running.`];
  const lost = "Nothing is saved in this version: the conversation leaves the window. To undo, type /resume.";
  switch (typing) {
    case "types":
      return [isBusy(agent) ? "Clear it when the turn has ended?" : "Clear it?", lost, ...running];
    case "pastes":
      return [
        "Clear it? Its prompt box can't be seen, so Plimsoll pastes the line and you press Enter.",
        lost,
        ...running,
      ];
    case "paused":
      return ["Typing is paused."];
    case "gauge":
      return ["Plimsoll only measures (mode gauge): type /clear or /compact there yourself."];
    case "not-here":
      return ["It doesn't run in a terminal of this window: type /clear or /compact there yourself."];
  }
}

const also = (others: readonly AgentView[]): readonly string[] =>
  others.length === 0
    ? []
    : [`Also over the line: ${list(others.map((other) => `${nameOf(other)} (${shortFigure(other)})`))}.`];

function buttons(agent: AgentView, others: readonly AgentView[], typing: Typing): Asked["buttons"] {
  const terminal = agent.terminalId === undefined ? [] : [show];
  if (typing === "paused") return [{ title: "Resume Typing", answer: { kind: "resume" } }, ...terminal, more];
  if (!canAct(typing)) return [...terminal, notNow, more];
  const of = others.length === 0 ? "" : ` ${nameOf(agent, 16)}`;
  const act = (command: CommandId) => ({ title: `${Verb(command)}${of}`, answer: { kind: "act", command } }) as const;
  return [act("clear"), act("compact"), more];
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
  return `${name} is over ${line}. Each step sends the whole conversation again: that costs time and money, and answers get worse. Clear starts a new conversation; Compact keeps a summary.`;
}
