import { ProgressLocation, window } from "vscode";
import type { AgentView, ResetView } from "../server/protocol/view.ts";
import type { Acts } from "./act.ts";
import { commandId } from "./commandIds.ts";
import type { Model, ModelStore } from "./model.ts";
import { span } from "./words/amounts.ts";
import { nameOf } from "./words/fullness.ts";
import { armedWords, isRunning, longStep, Verb } from "./words/steps.ts";

/** A compaction may take ten minutes; nothing turns for longer than this. */
const boundMs = 11 * 60_000;
/** The screen settles within seconds: until then waiting looks like checking. */
const settleMs = 4000;

type Followed = { readonly agent: AgentView; readonly reset: ResetView };

/** Shows each reset while it goes on: with Cancel as long as it can be cancelled, then without. */
export function createProgress(model: ModelStore, acts: Acts): void {
  const shown = new Map<string, "turning" | "armed">();

  const look = (now: Model) => {
    for (const { agent, reset } of resetsIn(now)) {
      if (isShown(reset)) turn(agent, reset);
      else if (reset.phase === "armed") notice(agent, reset);
    }
    const open = new Set(resetsIn(now).map(({ reset }) => reset.resetId));
    for (const resetId of shown.keys()) if (!open.has(resetId)) shown.delete(resetId);
  };

  /** Waiting for a turn's end may take an hour: said once, then the status bar shows it. */
  function notice(agent: AgentView, reset: ResetView) {
    if (shown.get(reset.resetId) === "armed") return;
    shown.set(reset.resetId, "armed");
    // Fire and forget: an information message can only be answered or closed.
    void window.showInformationMessage(armedWords(nameOf(agent), reset), "Cancel").then((answer) => {
      const still = resetsIn(model.current()).some(({ reset: { resetId } }) => resetId === reset.resetId);
      return answer === "Cancel" && still ? acts.cancel(agent.instanceId) : undefined;
    });
  }

  function turn(agent: AgentView, reset: ResetView) {
    if (shown.get(reset.resetId) === "turning") return;
    shown.set(reset.resetId, "turning");
    void part(agent.instanceId, reset, Date.now());
  }

  /** One notification; when Cancel has to come or go, another one takes over. */
  async function part(instanceId: string, first: ResetView, startedAt: number): Promise<void> {
    const { resetId } = first;
    const current = () => resetsIn(model.current()).find(({ reset }) => reset.resetId === resetId);
    const agent = current()?.agent;
    if (agent === undefined) return;
    const cancellable = canCancel(first);
    const title = `${nameOf(agent)}: ${Verb(first.command)}`;
    await window.withProgress({ location: ProgressLocation.Notification, title, cancellable }, (progress, token) => {
      return new Promise<void>((resolve) => {
        const step = () => {
          const now = current()?.reset;
          if (now === undefined || isLate(startedAt) || !isShown(now) || canCancel(now) !== cancellable) end();
          else progress.report(report(now, startedAt));
        };
        const watch = model.watch(step);
        const timer = setInterval(step, 1000);
        const cancel = token.onCancellationRequested(() => void acts.cancel(instanceId));
        function end() {
          clearInterval(timer);
          watch.dispose();
          cancel.dispose();
          resolve();
        }
        step();
      });
    });
    const next = current()?.reset;
    if (next === undefined || isLate(startedAt)) return;
    if (isShown(next)) await part(instanceId, next, startedAt);
    else {
      shown.delete(resetId);
      look(model.current());
    }
  }

  model.watch(look);
}

const resetsIn = ({ view }: Model): readonly Followed[] =>
  (view?.agents ?? []).flatMap((agent) => (agent.reset === undefined ? [] : [{ agent, reset: agent.reset }]));

const isShown = (reset: ResetView): boolean =>
  isRunning(reset) || reset.phase === "handed-over" || (reset.phase === "armed" && Date.now() - reset.since < settleMs);

const canCancel = ({ cancellable, phase }: ResetView): boolean => cancellable || phase === "handed-over";

const isLate = (startedAt: number): boolean => Date.now() - startedAt > boundMs;

function report(reset: ResetView, startedAt: number): { message: string; increment?: number } {
  const log = `[Show Log](command:${commandId("showLog")})`;
  const message = `${longStep(reset)} · ${span(Date.now() - startedAt)} · ${log}`;
  // An increment of nothing stops the bar: here it is the person's turn.
  return reset.phase === "handed-over" ? { message, increment: 0 } : { message };
}
