import { ProgressLocation, window } from "vscode";
import type { Goal } from "../server/protocol/agents.ts";
import type { AgentView, ResetView } from "../server/protocol/view.ts";
import type { Acts } from "./act.ts";
import { commandId } from "./commandIds.ts";
import type { Model, ModelStore } from "./model.ts";
import { span } from "./words/amounts.ts";
import { goalTitle } from "./words/choices.ts";
import { nameOf } from "./words/fullness.ts";
import { isPersons, isRunning, longStep } from "./words/steps.ts";

/**
 * Nothing turns for longer than this: a save may take five minutes and half an hour of waiting for a permission, a turn two
 * minutes to end, a compaction ten.
 */
const boundMs: Readonly<Record<Goal, number>> = {
  reset: 45 * 60_000,
  save: 37 * 60_000,
  compact: 11 * 60_000,
  undo: 3 * 60_000,
};
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
  /** Those that took too long: only the status bar shows them. */
  const late = new Set<string>();

  const look = (now: Model) => {
    for (const { agent, reset } of resetsIn(now)) {
      const { resetId } = reset;
      if (!isShown(reset) || shown.has(resetId) || late.has(resetId)) continue;
      const following = follow(agent.instanceId, reset).finally(() => {
        shown.delete(resetId);
        look(model.current());
      });
      shown.set(resetId, following);
    }
  };

  /** One notification; when Cancel has to come or go, another one takes over, and never before the first is gone. */
  async function follow(instanceId: string, { resetId, goal }: ResetView): Promise<void> {
    const endsAt = Date.now() + boundMs[goal];
    const current = () => followedIn(model.current(), resetId);
    for (let now = current(); now !== undefined && isShown(now.reset); now = current()) {
      if (Date.now() > endsAt) {
        late.add(resetId);
        return;
      }
      const partAt = Date.now();
      await part(instanceId, now, endsAt);
      await new Promise((resolve) => setTimeout(resolve, partAt + leastShownMs - Date.now()));
    }
  }

  function part(instanceId: string, { agent, reset: first }: Followed, endsAt: number): Thenable<void> {
    const { cancellable } = first;
    const title = `${nameOf(agent)}: ${goalTitle[first.goal]}`;
    return window.withProgress({ location: ProgressLocation.Notification, title, cancellable }, (progress, token) => {
      return new Promise<void>((resolve) => {
        const step = () => {
          const now = followedIn(model.current(), first.resetId)?.reset;
          if (now === undefined || Date.now() > endsAt || !isShown(now) || !isSamePart(now, first)) end();
          else progress.report(report(now, instanceId));
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

/** While the person reviews, a notice of its own asks. */
const isShown = (reset: ResetView): boolean =>
  isRunning(reset) ||
  (isPersons(reset) && reset.step !== "reviewing") ||
  (reset.phase === "armed" && Date.now() - reset.since < waitingShownMs);

/** A bar that was stopped does not turn again. */
const isSamePart = (now: ResetView, first: ResetView): boolean =>
  now.cancellable === first.cancellable && isPersons(now) === isPersons(first);

function report(reset: ResetView, instanceId: string): { message: string; increment?: number } {
  const argument = encodeURIComponent(JSON.stringify([instanceId]));
  const terminal = isPersons(reset) ? ` · [Show Terminal](command:${commandId("showTerminal")}?${argument})` : "";
  const log = ` · [Show Log](command:${commandId("showLog")})`;
  const message = `${longStep(reset)} · ${span(Date.now() - reset.startedAt)}${terminal}${log}`;
  // An increment of nothing stops the bar: here it is the person's turn.
  return isPersons(reset) ? { message, increment: 0 } : { message };
}
