import type { CommandId } from "../../server/protocol/agents.ts";
import type { AgentView } from "../../server/protocol/view.ts";
import type { Model } from "../model.ts";
import { clock } from "./amounts.ts";
import { canAct, typingFor } from "./can.ts";
import { figure } from "./figure.ts";
import { byFullness, nameOf, productOf, symbol } from "./fullness.ts";
import { plain } from "./plain.ts";
import { longStep } from "./steps.ts";

export type MenuAction =
  | { readonly kind: "act"; readonly instanceId: string; readonly command: CommandId }
  | {
      readonly kind: "show" | "check" | "not-now" | "reconnect" | "bind" | "cancel" | "why";
      readonly instanceId: string;
    }
  | { readonly kind: "pause" | "resume" | "change-line" | "doctor" | "log" | "restart" };

export type MenuRow =
  | { readonly kind: "heading"; readonly label: string }
  | {
      readonly kind: "row";
      readonly label: string;
      readonly description?: string;
      readonly detail?: string;
      readonly action: MenuAction;
    };

/** The menu behind the status bar. Who waits for the person comes first. */
export function menuOf(model: Model, now: number): readonly MenuRow[] {
  const agents = byFullness(model.view?.agents ?? []);
  const waiting = agents.filter(({ turn }) => turn.kind === "waiting");
  const others = agents.filter((agent) => !waiting.includes(agent));
  return [
    ...(waiting.length === 0 ? [] : [{ kind: "heading", label: "waiting for you" } as const]),
    ...waiting.map((agent) => waitingRow(agent, now)),
    ...[...waiting, ...others].flatMap((agent) => agentRows(agent, model)),
    ...generalRows(model),
  ];
}

/** The question's *More…*. */
export function moreOf(agent: AgentView, model: Model): readonly MenuRow[] {
  const { instanceId } = agent;
  const row = (label: string, action: MenuAction, description?: string): MenuRow => ({
    kind: "row",
    label,
    action,
    ...(description === undefined ? {} : { description }),
  });
  const canReset = canAct(typingFor(agent, model.mode, model.paused)) && agent.reset === undefined;
  return [
    ...(agent.terminalId === undefined ? [] : [row("$(terminal) Show Terminal", { kind: "show", instanceId })]),
    row("$(bell-slash) Not Now", { kind: "not-now", instanceId }, "quiet until it has grown by a quarter"),
    ...(canReset
      ? [
          row("$(clear-all) Clear…", { kind: "act", instanceId, command: "clear" }),
          row("$(fold) Compact…", { kind: "act", instanceId, command: "compact" }),
        ]
      : []),
    row("$(settings) Change Line…", { kind: "change-line" }),
    row("$(checklist) Check", { kind: "check", instanceId }),
    row("$(info) Why?", { kind: "why", instanceId }),
  ];
}

function waitingRow(agent: AgentView, now: number): MenuRow {
  const { waitingFor, since } = agent.turn;
  return {
    kind: "row",
    label: `$(bell) ${nameOf(agent)}`,
    description: [
      waitingFor === undefined ? "" : plain(waitingFor, 60),
      since === undefined ? "" : `since ${clock(since, now)}`,
    ]
      .filter(Boolean)
      .join(", "),
    action: { kind: "show", instanceId: agent.instanceId },
  };
}

function agentRows(agent: AgentView, { view, mode, paused }: Model): readonly MenuRow[] {
  const { instanceId, reset } = agent;
  const name = nameOf(agent);
  const typing = typingFor(agent, mode, paused);
  const row = (label: string, action: MenuAction, detail?: string): MenuRow => ({
    kind: "row",
    label,
    description: name,
    action,
    ...(detail === undefined ? {} : { detail }),
  });
  const when = (shown: boolean, ...rows: readonly MenuRow[]) => (shown ? rows : []);
  const isAsked = view?.question?.instanceId === instanceId;
  const canReset = canAct(typing) && reset === undefined;
  return [
    {
      kind: "heading",
      label: `${symbol(agent)} ${name} · ${figure(agent)} · ${productOf(agent)}`,
    },
    ...when(
      reset?.cancellable === true || reset?.phase === "handed-over",
      row(
        reset?.phase === "needs-reconcile" ? "$(check) Done, I Have Looked" : "$(close) Cancel",
        { kind: "cancel", instanceId },
        reset && longStep(reset),
      ),
    ),
    ...when(agent.terminalId !== undefined, row("$(terminal) Show Terminal", { kind: "show", instanceId })),
    ...when(
      canReset,
      row("$(clear-all) Clear…", { kind: "act", instanceId, command: "clear" }),
      row("$(fold) Compact…", { kind: "act", instanceId, command: "compact" }),
    ),
    ...when(
      isAsked,
      row("$(bell-slash) Not Now", { kind: "not-now", instanceId }),
      row("$(info) Why?", { kind: "why", instanceId }),
    ),
    // For every agent: a heading without a row is not shown.
    row("$(checklist) Check", { kind: "check", instanceId }),
    ...when(
      typing === "pastes" && reset === undefined,
      row("$(debug-restart) Reconnect…", { kind: "reconnect", instanceId }),
    ),
    ...when(
      agent.binding === "none" || agent.binding === "ambiguous",
      row("$(link) Bind Terminal to Conversation…", { kind: "bind", instanceId }),
    ),
  ];
}

function generalRows({ worker, view, paused, mode }: Model): readonly MenuRow[] {
  const row = (
    label: string,
    kind: "pause" | "resume" | "change-line" | "doctor" | "log" | "restart",
    detail?: string,
  ) => ({ kind: "row", label, action: { kind }, ...(detail === undefined ? {} : { detail }) }) as const;
  const problems = view?.problems.length ?? 0;
  return [
    { kind: "heading", label: "Plimsoll" },
    ...(worker.kind === "running"
      ? []
      : [row("$(refresh) Restart Worker", "restart", "It stopped; nothing is measured.")]),
    ...(mode === "gauge"
      ? []
      : [paused ? row("$(debug-continue) Resume Typing", "resume") : row("$(debug-pause) Pause Typing", "pause")]),
    row("$(settings) Change Line…", "change-line"),
    row("$(pulse) Doctor", "doctor", problems === 0 ? undefined : plain(view?.problems[0] ?? "", 120)),
    row("$(output) Show Log", "log"),
  ];
}
