import type { Settings } from "../../server/protocol/settings.ts";
import type { AgentView, View } from "../../server/protocol/view.ts";
import type { WorkerState } from "../supervisor.ts";
import { goalTitle } from "./choices.ts";
import { figure, shortFigure, spokenFigure } from "./figure.ts";
import { chosenAgent, findAgent, glyph, isOver, nameOf, productOf } from "./fullness.ts";
import { canSave } from "./saving.ts";
import { isPersons, isRunning, longStep, shortStep } from "./steps.ts";

export type StatusInput = {
  readonly worker: WorkerState;
  readonly view: View | undefined;
  readonly frontTerminalId: string | undefined;
  readonly hasTerminals: boolean;
  readonly mode: Settings["mode"];
};

export type Status = {
  readonly text: string;
  /** Read aloud. */
  readonly label: string;
  readonly colour: "plain" | "warning" | "error";
};

/** What the status bar says; undefined: it is hidden. */
export function statusOf({ worker, view, frontTerminalId, hasTerminals, mode }: StatusInput): Status | undefined {
  if (worker.kind !== "running") {
    if (!hasTerminals || (worker.kind === "starting" && !worker.again)) return undefined;
    return worker.kind === "down"
      ? { text: "$(warning) Plimsoll stopped", label: "Plimsoll stopped. It is started again.", colour: "warning" }
      : { text: "$(sync~spin) Plimsoll starting…", label: "Plimsoll is starting again.", colour: "warning" };
  }
  if (view === undefined || view.agents.length === 0) return undefined;
  const urgent = view.agents.find(({ reset }) => reset && (isRunning(reset) || isPersons(reset)));
  const asked = view.question && findAgent(view, view.question.instanceId);
  const agent = urgent ?? asked ?? chosenAgent(view.agents, frontTerminalId);
  if (agent === undefined) return undefined;
  const others = view.agents.filter((other) => other !== agent && isOver(other)).length;
  const main = agent === asked && agent !== urgent ? askedStatus(agent, mode) : plainStatus(agent);
  return {
    text: [view.paused ? "$(debug-pause)" : "", main.text, others === 0 ? "" : `+${others}`].filter(Boolean).join(" "),
    label: [
      `Plimsoll: ${main.label}.`,
      others === 0 ? "" : `${others} more over the line.`,
      view.paused ? "Typing is paused." : "",
    ]
      .filter(Boolean)
      .join(" "),
    colour: main.colour,
  };
}

function askedStatus(agent: AgentView, mode: Settings["mode"]): Status {
  const name = nameOf(agent, 20);
  const isOffered = mode !== "gauge" && canSave(agent);
  return {
    text: `$(bell-dot) ${name} ${shortFigure(agent)} · ${isOffered ? "Save & Clear?" : "over the line"}`,
    label: `${isOffered ? `Save and clear ${name}?` : `${name} is over the line.`} It has ${spokenFigure(agent)}`,
    colour: colourOf(agent),
  };
}

function plainStatus(agent: AgentView): Status {
  const name = nameOf(agent, 20);
  const spoken = `${name}, ${productOf(agent)}, ${spokenFigure(agent)}${lineWords(agent)}`;
  const { reset } = agent;
  if (reset !== undefined) {
    const { icon, text } = shortStep(reset);
    return {
      text: `${icon} ${name}: ${text}`,
      label: `${spoken}. ${goalTitle[reset.goal]}: ${longStep(reset)}`,
      colour: colourOf(agent),
    };
  }
  return { text: `${symbolOf(agent)} ${name} ${figure(agent)}`, label: spoken, colour: colourOf(agent) };
}

function symbolOf(agent: AgentView): string {
  if (agent.reading.kind === "none-yet") return "○";
  if (agent.reading.kind === "compacted-unknown") return "$(fold)";
  // Measured, but without any line to measure it by: a dash.
  return glyph(agent) ?? (agent.reading.kind === "unmeasured" ? "$(question)" : "$(dash)");
}

function colourOf({ pressure, breach }: AgentView): Status["colour"] {
  if (pressure === "full" || breach) return "error";
  return pressure === "selective" ? "warning" : "plain";
}

function lineWords({ pressure, breach }: AgentView): string {
  if (breach) return ", far over the line";
  if (pressure === "full") return ", over the line";
  return pressure === "selective" ? ", near the line" : "";
}
