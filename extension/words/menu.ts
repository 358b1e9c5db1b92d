import type { AgentView } from "../../server/protocol/view.ts";
import type { Model } from "../model.ts";
import { clock, size } from "./amounts.ts";
import { canAct, isBusy, typingFor } from "./can.ts";
import type { Choice } from "./choices.ts";
import { figure } from "./figure.ts";
import { byFullness, nameOf, productOf, symbol } from "./fullness.ts";
import { plain } from "./plain.ts";
import { canAllow, canSave, savingWords } from "./saving.ts";
import { longStep } from "./steps.ts";
import { type Past, undoableIn } from "./undo.ts";

/** Those that run the command of the same name for one agent. */
export type CommandAction =
  | "showTerminal"
  | "check"
  | "reconnect"
  | "bind"
  | "cancel"
  | "report"
  | "clearNow"
  | "interrupt"
  | "openLastSaved"
  | "allowSaving";

export type MenuAction =
  | { readonly kind: "act"; readonly instanceId: string; readonly choice: Choice }
  | { readonly kind: CommandAction | "not-now" | "why" | "more"; readonly instanceId: string }
  | { readonly kind: "undo"; readonly resetId: string }
  | { readonly kind: "pause" | "resume" | "changeLine" | "doctor" | "showLog" | "restartWorker" };

export type MenuRow =
  | { readonly kind: "heading"; readonly label: string }
  | {
      readonly kind: "row";
      readonly label: string;
      readonly description?: string;
      readonly detail?: string;
      readonly action: MenuAction;
    };

/** The menu behind the status bar. Who waits for the person comes first. `clears`: past ones, newest first. */
export function menuOf(model: Model, now: number, clears: readonly Past[] = []): readonly MenuRow[] {
  const agents = byFullness(model.view?.agents ?? []);
  const waiting = agents.filter(({ turn }) => turn.kind === "waiting");
  const others = agents.filter((agent) => !waiting.includes(agent));
  return [
    ...(waiting.length === 0 ? [] : [{ kind: "heading", label: "waiting for you" } as const]),
    ...waiting.map((agent) => waitingRow(agent, now)),
    ...[...waiting, ...others].flatMap((agent) => agentRows(agent, model, now, clears)),
    ...generalRows(model),
  ];
}

const actRows = {
  reset: "$(clear-all) Save & Clear…",
  resetContinue: "$(debug-continue) Save, Clear & Continue…",
  resetStop: "$(debug-stop) Save, Clear & Stop…",
  resetThen: "$(edit) Save, Clear, Then…",
  review: "$(eye) Review First…",
  compact: "$(fold) Compact…",
  save: "$(save) Save Now…",
} as const satisfies Readonly<Record<Choice, string>>;

/** *More…*, of the question and of the menu. */
export function moreOf(agent: AgentView, model: Model): readonly MenuRow[] {
  const { instanceId } = agent;
  const row = (label: string, action: MenuAction, description?: string): MenuRow => ({
    kind: "row",
    label,
    action,
    ...(description === undefined ? {} : { description }),
  });
  const act = (choice: Choice, description?: string) =>
    row(actRows[choice], { kind: "act", instanceId, choice }, description);
  const canReset = canAct(typingFor(agent, model.mode, model.paused)) && agent.reset === undefined;
  const when = (shown: boolean, ...rows: readonly MenuRow[]) => (shown ? rows : []);
  return [
    ...when(
      canReset && canSave(agent),
      act("resetContinue", "the new conversation reads its saved state and goes on"),
      act("resetStop", "nothing is typed into the new conversation"),
      act("resetThen", "the new conversation begins with what you write"),
    ),
    ...when(canReset, act("compact", "the agent's own summary; details are lost")),
    ...when(
      canReset && canSave(agent),
      act("save", "nothing is cleared"),
      act("review", "you look at what it saved before the clear"),
    ),
    ...when(
      model.mode !== "gauge" && canAllow(agent),
      row("$(unlock) Allow Saving Without Asking…", { kind: "allowSaving", instanceId }),
    ),
    ...when(
      model.view?.question?.instanceId === instanceId,
      row("$(bell-slash) Not Now", { kind: "not-now", instanceId }, "quiet until it has grown by a quarter"),
    ),
    row("$(settings) Change Line…", { kind: "changeLine" }),
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
    action: { kind: "showTerminal", instanceId: agent.instanceId },
  };
}

function agentRows(
  agent: AgentView,
  { view, mode, paused }: Model,
  now: number,
  clears: readonly Past[],
): readonly MenuRow[] {
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
  const act = (choice: Choice, detail?: string) => row(actRows[choice], { kind: "act", instanceId, choice }, detail);
  const isAsked = view?.question?.instanceId === instanceId;
  const canReset = canAct(typing) && reset === undefined;
  const past = undoableIn(clears, instanceId);
  return [
    {
      kind: "heading",
      label: `${symbol(agent)} ${name} · ${figure(agent)} · ${productOf(agent)}`,
    },
    ...resetRows(agent, row),
    ...when(agent.terminalId !== undefined, row("$(terminal) Show Terminal", { kind: "showTerminal", instanceId })),
    ...when(canReset && canSave(agent), act("reset", savingWords(agent)[0])),
    ...when(
      canReset && !canSave(agent),
      row("$(warning) Can't Save Now", { kind: "check", instanceId }, savingWords(agent).join(" ")),
    ),
    ...when(canReset, act("compact")),
    ...when(canReset && canSave(agent), act("save")),
    ...when(canReset, row("$(ellipsis) More…", { kind: "more", instanceId })),
    ...when(
      canAct(typing) && isBusy(agent),
      row("$(debug-stop) Interrupt (Escape)", { kind: "interrupt", instanceId }),
    ),
    ...(past === undefined || !canReset
      ? []
      : [row("$(discard) Undo Last Clear…", { kind: "undo", resetId: past.resetId }, undoDetail(past, now))]),
    ...when(
      agent.place === "terminal",
      row("$(go-to-file) Open Last Saved State", { kind: "openLastSaved", instanceId }),
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

const undoDetail = ({ at, beforeTokens }: Past, now: number): string =>
  `Cleared ${clock(at, now)}${beforeTokens === undefined ? "" : `, ${size(beforeTokens)} tokens before`}`;

/** The reset that is under way: its step, and what can be done about it. */
function resetRows(
  { instanceId, reset }: AgentView,
  row: (label: string, action: MenuAction, detail?: string) => MenuRow,
): readonly MenuRow[] {
  if (reset === undefined) return [];
  const step = longStep(reset);
  if (reset.phase === "needs-reconcile")
    return [
      row("$(file-text) Report", { kind: "report", instanceId }, step),
      row("$(close) Abort", { kind: "cancel", instanceId }, "Forgets it; nothing more is typed."),
    ];
  const cancel = row("$(close) Cancel", { kind: "cancel", instanceId }, step);
  if (reset.step === "reviewing") return [row("$(check) Clear Now", { kind: "clearNow", instanceId }), cancel];
  return [reset.cancellable ? cancel : row("$(watch) Under Way", { kind: "showTerminal", instanceId }, step)];
}

function generalRows({ worker, view, paused, mode }: Model): readonly MenuRow[] {
  const row = (
    label: string,
    kind: "pause" | "resume" | "changeLine" | "doctor" | "showLog" | "restartWorker",
    detail?: string,
  ) => ({ kind: "row", label, action: { kind }, ...(detail === undefined ? {} : { detail }) }) as const;
  const problems = view?.problems.length ?? 0;
  return [
    { kind: "heading", label: "Plimsoll" },
    ...(worker.kind === "running"
      ? []
      : [row("$(refresh) Restart Worker", "restartWorker", "It stopped; nothing is measured.")]),
    ...(mode === "gauge"
      ? []
      : [paused ? row("$(debug-continue) Resume Typing", "resume") : row("$(debug-pause) Pause Typing", "pause")]),
    row("$(settings) Change Line…", "changeLine"),
    row("$(pulse) Doctor", "doctor", problems === 0 ? undefined : plain(view?.problems[0] ?? "", 120)),
    row("$(output) Show Log", "showLog"),
  ];
}
