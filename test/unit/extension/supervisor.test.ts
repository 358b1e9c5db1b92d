import assert from "node:assert/strict";
import {
  backOffMs,
  createSupervisor,
  pingEveryMs,
  pingsToMiss,
  stableMs,
  startWithinMs,
  type WorkerState,
} from "../../../extension/supervisor.ts";

type Started = {
  ready: () => void;
  fail: () => void;
  close: () => void;
  pings: number;
  answers: boolean;
  killed: number;
};

function set() {
  let time = 0;
  const timers = new Set<{ at: number; call: () => void }>();
  const started: Started[] = [];
  const states: WorkerState[] = [];
  const supervisor = createSupervisor({
    clock: {
      now: () => time,
      after: (ms, call) => {
        const timer = { at: time + ms, call };
        timers.add(timer);
        return () => timers.delete(timer);
      },
    },
    spawn: () => {
      const one: Started = { ready: () => {}, fail: () => {}, close: () => {}, pings: 0, answers: true, killed: 0 };
      const ready = new Promise<void>((resolve, reject) => {
        one.ready = resolve;
        one.fail = () => reject(new Error("no"));
      });
      const closed = new Promise<void>((resolve) => {
        one.close = resolve;
      });
      started.push(one);
      return {
        ready,
        closed,
        ping: () => {
          one.pings += 1;
          return one.answers ? Promise.resolve() : new Promise(() => {});
        },
        kill: () => {
          one.killed += 1;
        },
      };
    },
    onState: (state) => states.push(state),
    onNote: () => {},
  });
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  const pass = async (ms: number) => {
    const end = time + ms;
    for (;;) {
      const [next] = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      timers.delete(next);
      time = next.at;
      next.call();
      await settle();
    }
    time = end;
    await settle();
  };
  const last = () => {
    const one = started.at(-1);
    if (one === undefined) throw new Error("nothing was started");
    return one;
  };
  const run = async () => {
    last().ready();
    await settle();
  };
  return { supervisor, states, started, last, run, pass, settle };
}

describe("the worker's supervisor", () => {
  it("waits 1, 2, 4, 8, 16 and then 30 seconds", () => {
    assert.deepEqual(
      [1, 2, 3, 4, 5, 6, 7, 50].map(backOffMs),
      [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000],
    );
  });

  it("says starting, then running", async () => {
    const { supervisor, states, run } = set();
    supervisor.start();
    await run();
    assert.deepEqual(states, [
      { kind: "starting", again: false },
      { kind: "running", since: 0 },
    ]);
  });

  it("tells of a crash at once, and starts again after a second", async () => {
    const { supervisor, states, started, last, run, pass, settle } = set();
    supervisor.start();
    await run();
    last().close();
    await settle();
    assert.deepEqual(states.at(-1), { kind: "down", since: 0, nextTryAt: 1000 });
    await pass(1000);
    assert.equal(started.length, 2);
    assert.deepEqual(states.at(-1), { kind: "starting", again: true });
  });

  it("waits longer after each fall, and from the beginning after a stable minute", async () => {
    const { supervisor, states, last, run, pass, settle } = set();
    supervisor.start();
    const waits: number[] = [];
    const fall = async () => {
      last().close();
      await settle();
      const state = states.at(-1);
      if (state?.kind !== "down") throw new Error("it is not down");
      waits.push(state.nextTryAt - state.since);
      await pass(state.nextTryAt - state.since);
    };
    for (let i = 0; i < 3; i += 1) {
      await run();
      await fall();
    }
    await run();
    await pass(stableMs);
    await fall();
    assert.deepEqual(waits, [1000, 2000, 4000, 1000]);
  });

  it("kills a worker that misses three pings", async () => {
    const { supervisor, states, last, run, pass } = set();
    supervisor.start();
    await run();
    const one = last();
    one.answers = false;
    await pass(pingEveryMs * pingsToMiss);
    assert.equal(one.killed, 0);
    await pass(pingEveryMs);
    assert.equal(one.killed, 1);
    assert.equal(states.at(-1)?.kind, "down");
  });

  it("does not send a second ping while one is unanswered", async () => {
    const { supervisor, last, run, pass } = set();
    supervisor.start();
    await run();
    last().answers = false;
    await pass(pingEveryMs * pingsToMiss);
    assert.equal(last().pings, 1);
  });

  it("leaves a worker alone that answers", async () => {
    const { supervisor, last, run, pass } = set();
    supervisor.start();
    await run();
    await pass(600_000);
    assert.equal(last().killed, 0);
    assert.ok(last().pings > 100);
  });

  it("gives up on a start that takes too long, and on one that fails", async () => {
    const { supervisor, states, last, started, pass, settle } = set();
    supervisor.start();
    await pass(startWithinMs);
    assert.equal(states.at(-1)?.kind, "down");
    await pass(1000);
    last().fail();
    await settle();
    assert.equal(states.at(-1)?.kind, "down");
    assert.deepEqual(
      started.map(({ killed }) => killed),
      [1, 1],
    );
  });

  it("restarts at once on request, and hears no more of the old worker", async () => {
    const { supervisor, states, started, run } = set();
    supervisor.start();
    await run();
    supervisor.restart();
    started[0]?.close();
    await run();
    assert.equal(started[0]?.killed, 1);
    assert.equal(states.at(-1)?.kind, "running");
    assert.equal(started.length, 2);
  });

  it("starts nothing once it is released", async () => {
    const { supervisor, started, last, run, pass } = set();
    supervisor.start();
    await run();
    supervisor.release();
    last().close();
    await pass(600_000);
    supervisor.restart();
    assert.equal(started.length, 1);
  });
});
