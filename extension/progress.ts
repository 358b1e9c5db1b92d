import { ProgressLocation, window } from "vscode";
import type { AgentView, ResetView } from "../server/protocol/view.ts";
import type { Acts } from "./act.ts";
import { commandId } from "./commandIds.ts";
import type { Model, ModelStore } from "./model.ts";
import { span } from "./words/amounts.ts";
import { nameOf } from "./words/fullness.ts";
import { isRunning, longStep, Verb } from "./words/steps.ts";

/** A compaction may take ten minutes; nothing turns for longer than this. */
const boundMs = 11 * 60_000;
/** Waiting for a turn's end may take an hour: after this long only the status bar shows it. */
const waitingShownMs = 20_000;
/** VS Code keeps a notification of progress for 800 ms, even where its work is done at once. */
const leastShownMs = 900;

type Followed = { readonly agent: AgentView; readonly reset: ResetView };

export type Progress = {
  /** Settles when nothing of this reset's progress is on the screen any more. */
  readonly gone: (resetId: string) => Promise<void>;
};

/** Shows each reset while it goes on: with Cancel as long as it can be cancelled, then without. */
export function createProgress(model: ModelStore, acts: Acts): Progress {
  const shown = new Map<string, Promise<void>>();

  const look = (now: Model) => {
    for (const { agent, reset } of resetsIn(now))
      if (isShown(reset) && !shown.has(reset.resetId)) {
        const { resetId } = reset;
        shown.set(
          resetId,
          follow(agent.instanceId, reset).finally(() => {
            shown.delete(resetId);
            if (resetsIn(model.current()).some((followed) => followed.reset.resetId === resetId)) look(model.current());
          }),
        );
      }
  };

  /** One notification; when Cancel has to come or go, another one takes over, and never before the first is gone. */
  async function follow(instanceId: string, first: ResetView): Promise<void> {
    const startedAt = Date.now();
    const current = () => followedIn(model.current(), first.resetId);
    for (let now = current(); now !== undefined && isShown(now.reset); now = current()) {
      if (isLate(startedAt)) return;
      const partAt = Date.now();
      await part(instanceId, now, startedAt);
      await new Promise((resolve) => setTimeout(resolve, partAt + leastShownMs - Date.now()));
    }
  }

  function part(instanceId: string, { agent, reset: first }: Followed, startedAt: number): Thenable<void> {
    const cancellable = canCancel(first);
    const title = `${nameOf(agent)}: ${Verb(first.command)}`;
    return window.withProgress({ location: ProgressLocation.Notification, title, cancellable }, (progress, token) => {
      return new Promise<void>((resolve) => {
        const step = () => {
          const now = followedIn(model.current(), first.resetId)?.reset;
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
  }

  model.watch(look);
  return { gone: (resetId) => shown.get(resetId) ?? Promise.resolve() };
}

const resetsIn = ({ view }: Model): readonly Followed[] =>
  (view?.agents ?? []).flatMap((agent) => (agent.reset === undefined ? [] : [{ agent, reset: agent.reset }]));

const followedIn = (model: Model, resetId: string): Followed | undefined =>
  resetsIn(model).find(({ reset }) => reset.resetId === resetId);

const isShown = (reset: ResetView): boolean =>
  isRunning(reset) ||
  reset.phase === "handed-over" ||
  (reset.phase === "armed" && Date.now() - reset.since < waitingShownMs);

const canCancel = ({ cancellable, phase }: ResetView): boolean => cancellable || phase === "handed-over";

const isLate = (startedAt: number): boolean => Date.now() - startedAt > boundMs;

function report(reset: ResetView, startedAt: number): { message: string; increment?: number } {
  const log = `[Show Log](command:${commandId("showLog")})`;
  const message = `${longStep(reset)} · ${span(Date.now() - startedAt)} · ${log}`;
  // An increment of nothing stops the bar: here it is the person's turn.
  return reset.phase === "handed-over" ? { message, increment: 0 } : { message };
}
