import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readFileSync, watch } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isAlive } from "../support/processes.ts";
import { until } from "../support/until.ts";
import { type Act, held, openRig, type Rig, type RigOptions } from "./rig.ts";
import { type Ending, type Host, resetOf } from "./support.ts";
import { together } from "./together.ts";
import { type Asked, createWindow, type Request } from "./window.ts";

/** A full reset that carries a text, so that every kind of line is on its way at some moment. */
const texts = { x1: "Then look at the tests." };
const act: Act = { kind: "reset", then: "wait", review: false, carry: [held("x1", texts.x1)] };

/** Steps that the journal of such a reset has at least. */
const steps = 30;

/** How long a moment of a reset may be waited for, ms. */
const momentMs = 30_000;

/** Nobody answers any more. */
const never = new Promise<never>(() => undefined);

type Result = {
  readonly rig: Rig;
  /** Ends told by the worker that died, and by the next one. */
  readonly told: readonly Ending[];
  readonly isUndecided: boolean;
};

/** Runs until the worker dies; the next one goes on with the same window and the same agent. */
async function crash(
  options: RigOptions,
  dies: (rig: Rig, first: Host) => Promise<void>,
  check: (result: Result) => Promise<void> | void,
  { isWindowNew = false } = {},
): Promise<void> {
  const rig = await openRig({ ...options, window: options.window ?? { texts } });
  try {
    const first = await rig.start();
    await rig.ready();
    const death = dies(rig, first);
    // One that is dead answers no click.
    await Promise.race([rig.click(act), death]);
    await death;
    const before = [...first.endings];
    const window = isWindowNew ? createWindow(rig.agent) : rig.window;
    const second = await rig.start(window);
    if (before.length === 0) await end(rig, second);
    await pause(500);
    const view = await second.viewWhere("a view", () => true);
    const isUndecided = resetOf(view)?.phase === "needs-reconcile";
    await check({ rig, told: [...before, ...second.endings], isUndecided });
  } finally {
    await rig.dispose();
  }
}

/** It ended, or cannot be decided; where its end stood in the journal already, there is no more to come. */
async function end(rig: Rig, second: Host): Promise<void> {
  if (!existsSync(rig.journalFile)) return;
  await until(
    "the end",
    () => {
      if (second.endings.length > 0) return true;
      const last = readFileSync(rig.journalFile, "utf8").trim().split("\n").at(-1) ?? "";
      return last.includes('"ended":') || last.includes('"to":"needs-reconcile"');
    },
    40_000,
  );
}

function assertSafe({ rig, told, isUndecided }: Result): void {
  const { agent, window } = rig;
  const count = (start: string) => agent.submitted.filter((text) => text.startsWith(start)).length;
  const all = rig.steps();
  const what = `${told.map(({ outcome, reason }) => `${outcome}: ${reason}`).join()} ${window.orders.join()}`;
  const claims = all.filter(({ to }) => to === "dispatched/typing").length;
  assert.ok(window.presses("clear") <= claims, what);
  assert.ok(window.presses("clear") <= 1 && count("/clear") <= 1, what);
  assert.ok(count("[plimsoll save") <= 1, what);
  assert.ok(count("[plimsoll brief") <= 1, what);
  assert.ok(count(texts.x1) <= 1, what);

  const written = all.filter(({ ended }) => ended !== undefined);
  assert.ok(told.length <= 1 && written.length <= 1, what);
  assert.ok(told.length === 1 || isUndecided || written.length === 1 || all.length === 0, what);
  assert.ok(isUndecided || all.length === 0 || all.at(-1)?.to === "none", what);
  // A claim that a dead process left behind holds nobody up.
  const holders = rig.claims();
  assert.ok(
    holders.every((holder) => !isAlive(JSON.parse(holder).pid)),
    what,
  );

  const [ending] = told;
  if (ending === undefined) return;
  const isCleared = count("/clear") === 1;
  const wasTold = count(texts.x1) === 1;
  if (ending.outcome === "confirmed") {
    assert.ok(isCleared && count("[plimsoll brief") === 1 && wasTold, what);
    assert.deepEqual(ending.undelivered, []);
  }
  if (!wasTold) assert.deepEqual(ending.undelivered, ["x1"], what);
  if (ending.cleared) assert.ok(isCleared, what);
}

/** Right after a line of the journal came. */
async function diesAfterStep(rig: Rig, host: Host, step: number): Promise<void> {
  await until("the journal's folder", () => existsSync(dirname(rig.journalFile)));
  const lines = () => {
    if (!existsSync(rig.journalFile)) return 0;
    return readFileSync(rig.journalFile, "utf8").split("\n").length - 1;
  };
  await new Promise<void>((resolve) => {
    const watcher = watch(dirname(rig.journalFile), look);
    const timer = setTimeout(done, momentMs);
    function done(): void {
      watcher.close();
      clearTimeout(timer);
      resolve();
    }
    function look(): void {
      if (lines() <= step) return;
      host.child.kill("SIGKILL");
      done();
    }
    look();
  });
  await host.kill();
}

together("a worker that is killed after a step of its journal", (scenario) => {
  for (let step = 0; step < steps; step += 1)
    scenario(`step ${step}: nothing is done twice, and the end is told once`, () =>
      crash({}, (rig, host) => diesAfterStep(rig, host, step), assertSafe),
    );
});

type Moment = { readonly kind: Asked; readonly line?: string; readonly nth?: number };
const moments: readonly Moment[] = [
  ...["save", "clear", "brief", "held"].flatMap((line): Moment[] => [
    { kind: "type", line },
    { kind: "press", line },
  ]),
  ...[1, 2, 3, 4, 6, 8].map((nth): Moment => ({ kind: "probe", nth })),
  { kind: "texts", nth: 1 },
];

const isAt = ({ kind, line, nth }: Moment, request: Request): boolean =>
  request.kind === kind &&
  (line === undefined || request.line?.kind === line) &&
  (nth === undefined || request.nth === nth);

/** A moment that is waited for, but not for ever. `does` happens in it, before anything else can. */
function reaching() {
  let isReached = false;
  let then: () => void = () => undefined;
  return {
    async asked(does: () => void) {
      then = does;
      await until("the moment", () => isReached, momentMs);
    },
    reached() {
      isReached = true;
      then();
    },
  };
}

/** The window that is told of the moment; `does`: what it was asked happens all the same. */
function windowAt(moment: Moment, does: boolean, reached: () => void) {
  let isOver = false;
  const at = async (request: Request): Promise<undefined> => {
    if (isOver || !isAt(moment, request)) return undefined;
    isOver = true;
    reached();
    return does ? undefined : never;
  };
  return { texts, before: { probe: at, type: at, press: at, texts: at } };
}

const name = ({ kind, line, nth }: Moment): string => [kind, line, nth].filter((part) => part !== undefined).join(" ");

together("a worker that is killed while it waits for the window", (scenario) => {
  for (const moment of moments)
    for (const does of moment.kind === "type" || moment.kind === "press" ? [true, false] : [false])
      scenario(`${name(moment)}, ${does ? "which is done" : "which is not done"}: nothing is done twice`, () => {
        const { reached, asked } = reaching();
        return crash(
          { window: windowAt(moment, does, reached) },
          async (_rig, host) => {
            await asked(() => host.child.kill("SIGKILL"));
            await host.kill();
          },
          assertSafe,
        );
      });
});

together("a window that dies", (scenario) => {
  const closed: readonly Moment[] = [
    { kind: "type", line: "save" },
    { kind: "press", line: "clear" },
    { kind: "type", line: "brief" },
    { kind: "type", line: "held" },
  ];
  for (const moment of closed)
    scenario(`at ${name(moment)}: the worker ends with it, and a new window names the texts that are gone`, () => {
      const { reached, asked } = reaching();
      return crash(
        { window: windowAt(moment, moment.kind === "press", reached) },
        async (_rig, host) => {
          const ended = once(host.child, "exit");
          let since = Date.now();
          await asked(() => {
            since = Date.now();
            host.child.disconnect();
          });
          await ended;
          assert.ok(Date.now() - since < 5000);
        },
        (result) => {
          assertSafe(result);
          const { told, isUndecided } = result;
          assert.ok(isUndecided || told[0]?.undelivered.length === 1);
        },
        { isWindowNew: true },
      );
    });
});

together("what was undecided after a crash", (scenario) => {
  scenario("is shown, closed by late evidence, and then no hindrance", () => {
    const { reached, asked } = reaching();
    const moment: Moment = { kind: "press", line: "clear" };
    return crash(
      { window: windowAt(moment, false, reached) },
      async (_rig, host) => {
        await asked(() => host.child.kill("SIGKILL"));
        await host.kill();
      },
      async ({ rig, told, isUndecided }) => {
        assert.ok(isUndecided);
        assert.equal(told[0]?.outcome, "no-effect");
        rig.agent.submit("/clear");
        const late = await until("late evidence", () => rig.host().endings[1], 15_000);
        assert.deepEqual([late.outcome, late.cleared, late.undelivered], ["not-briefed", true, ["x1"]]);
        await rig.host().viewWhere("nothing open", (view) => resetOf(view) === undefined);
      },
    );
  });
});
