import type { AgentView } from "../../server/protocol/view.ts";
import { ago, clock, count, list, share, size, span } from "./amounts.ts";
import { goalTitle } from "./choices.ts";
import { shortFigure } from "./figure.ts";
import { productOf } from "./fullness.ts";
import { plain } from "./plain.ts";
import { canAllow, canSave, savingWords, workflowWords } from "./saving.ts";
import { longStep } from "./steps.ts";

/** One line of the hover; `link` goes behind it. */
export type Detail = {
  readonly text: string;
  readonly link?: "reconnect" | "bind" | "cancel" | "report" | "clearNow" | "allowSaving";
};

/** Everything there is to say about one agent, most pressing first. */
export function detailsOf(agent: AgentView, now: number): readonly Detail[] {
  return [
    { text: readingWords(agent, now) },
    ...resetDetail(agent),
    { text: turnWords(agent, now) },
    ...pendingDetail(agent, now),
    { text: linesWords(agent) },
    ...ownCompactionDetail(agent),
    { text: windowWords(agent) },
    ...savingDetail(agent),
    ...quietDetail(agent),
    ...screenDetail(agent, now),
    ...placeDetail(agent),
    bindingDetail(agent),
  ];
}

function readingWords(agent: AgentView, now: number): string {
  const { reading } = agent;
  switch (reading.kind) {
    case "none-yet":
      return "No reading yet: it comes with the first answer";
    case "unmeasured": {
      const gap = `Tokens not measured: ${plain(reading.why, 160)}`;
      return agent.percent === undefined ? gap : `${share(agent.percent)} of its window · ${gap}`;
    }
    case "compacted-unknown":
      return `Compacted at ${clock(reading.at, now)}, no figure yet: it comes with the next answer`;
    case "measured": {
      const doubt = [
        reading.estimate ? "an estimate until the next answer" : "",
        reading.suspect ? "unusual: not sure until the next answer" : "",
        agent.binding === "ambiguous" ? "the largest of the conversations it may be" : "",
      ].filter(Boolean);
      const far = agent.breach ? " · far over the line" : "";
      const part = agent.percent === undefined ? "" : ` · ${share(agent.percent)} of its window`;
      return `${shortFigure(agent)} tokens${part}${far} · read ${ago(now - reading.at)}${doubt.length === 0 ? "" : ` (${doubt.join("; ")})`}`;
    }
  }
}

function linesWords({ lines, decidedBy, pressure }: AgentView): string {
  const byPercent = `${lines.softPercent}% and ${lines.hardPercent}%`;
  const { soft, hard } = lines;
  const both =
    hard === undefined
      ? `Lines: ${byPercent}`
      : `Lines: ${soft === undefined ? "" : `${size(soft)} and `}${size(hard)} tokens, ${byPercent}`;
  if (pressure === "none" || decidedBy === undefined) return both;
  const decided = {
    absolute: "the tokens decided",
    percent: "the percentage decided",
    "own-compaction": "its own compaction decided",
  }[decidedBy];
  return `${both} · ${decided}`;
}

function ownCompactionDetail(agent: AgentView): readonly Detail[] {
  const own = agent.ownCompaction;
  if (own === undefined) return [];
  const left = Math.max(0, own.remaining);
  return [{ text: `${size(left)} before ${productOf(agent)} compacts by itself (at ${size(own.point)})` }];
}

function windowWords({ window, model }: AgentView): string {
  const of = model === undefined ? "" : ` (${plain(model, 40)})`;
  if (window === undefined) return `Window size not known${of}: its percentage can't be told`;
  const basis = {
    event: "reported by the agent",
    "user-setting": "from your setting plimsoll.windowTokens",
    "model-table": "known for this model",
    "model-suffix": "from the model's name",
    settings: "from the agent's settings",
    observed: "because more than the usual window was used",
  }[window.basis];
  return `Window ${size(window.size)} tokens, ${basis}${of}`;
}

function turnWords({ turn }: AgentView, now: number): string {
  const lasting = turn.since === undefined ? "" : ` for ${span(now - turn.since)}`;
  const since = turn.since === undefined ? "" : ` since ${clock(turn.since, now)}`;
  switch (turn.kind) {
    case "idle":
      return `Idle${lasting}`;
    case "working":
      return `Working${lasting}`;
    case "tool-pending":
      return `Working${lasting}, or asking you to allow a step`;
    case "waiting":
      return `Waiting for you${since}${turn.waitingFor === undefined ? "" : `: ${plain(turn.waitingFor, 80)}`}`;
    case "stalled":
      return `In a turn, but silent${since}`;
    case "error":
      return `Its last answer failed${since}`;
    case "no-transcript":
      return "No conversation yet";
    case "gone":
      return "Its conversation file was deleted";
    case "unknown":
      return "Not known whether it works or waits";
  }
}

function pendingDetail({ queued, subagents, backgroundShells }: AgentView, now: number): readonly Detail[] {
  const named = subagents.map(({ name, since }) =>
    since === undefined ? plain(name, 30) : `${plain(name, 30)} (${span(now - since)})`,
  );
  const parts = [
    queued === 0 ? "" : `${count(queued, "prompt")} queued`,
    named.length === 0 ? "" : `${count(named.length, "sub-agent")}: ${list(named)}`,
    backgroundShells === 0 ? "" : `${count(backgroundShells, "background command")} running`,
  ].filter(Boolean);
  return parts.length === 0 ? [] : [{ text: parts.join(" · ") }];
}

const resetDetail = ({ reset }: AgentView): readonly Detail[] => {
  if (reset === undefined) return [];
  const text = `${goalTitle[reset.goal]}: ${longStep(reset)}`;
  if (reset.phase === "needs-reconcile") return [{ text, link: "report" }];
  if (reset.step === "reviewing") return [{ text, link: "clearNow" }];
  return [reset.cancellable ? { text, link: "cancel" } : { text }];
};

/** Whether a click would meet a question of the agent, or a wall. */
function savingDetail(agent: AgentView): readonly Detail[] {
  if (agent.place !== "terminal") return [];
  const text = [...workflowWords(agent), ...savingWords(agent)].join(" ");
  if (text === "") return [];
  return [canSave(agent) && canAllow(agent) ? { text, link: "allowSaving" } : { text }];
}

const quietDetail = ({ quietUntilTokens }: AgentView): readonly Detail[] =>
  quietUntilTokens === undefined ? [] : [{ text: `Not asked again before ${size(quietUntilTokens)} (Not Now)` }];

function screenDetail({ observable, place }: AgentView, now: number): readonly Detail[] {
  if (observable.kind === "yes" || place !== "terminal") return [];
  const since = observable.since === undefined ? "" : ` since ${clock(observable.since, now)}`;
  return [{ text: `Can't see its prompt box${since}: ${plain(observable.why, 200)}`, link: "reconnect" }];
}

function placeDetail({ place }: AgentView): readonly Detail[] {
  switch (place) {
    case "terminal":
      return [];
    case "multiplexer":
      return [{ text: "Runs in tmux or screen: measured, never typed into" }];
    case "panel":
      return [{ text: "Runs in the agent's own panel: measured, never typed into" }];
    case "elsewhere":
      return [{ text: "Runs outside this window's terminals: measured, never typed into" }];
  }
}

function bindingDetail({ binding, conversationId }: AgentView): Detail {
  const id = conversationId === undefined ? "" : ` ${plain(conversationId, 9).replace("…", "")}…`;
  switch (binding) {
    case "process":
      return { text: `Conversation${id}, named by the running process` };
    case "title":
      return { text: `Conversation${id}, named in the terminal's title` };
    case "birth":
      return { text: `Conversation${id}, the only one begun since it started` };
    case "picked":
      return { text: `Conversation${id}, picked by you` };
    case "ambiguous":
      return { text: "More than one conversation may be the one in this terminal", link: "bind" };
    case "none":
      return { text: "Not known yet which conversation this is", link: "bind" };
  }
}
