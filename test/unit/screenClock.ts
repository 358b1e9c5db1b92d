import type { Clock } from "../../extension/screen/clock.ts";

export type FakeClock = Clock & {
  /** Lets a promise settle: runs what is due next, and the timers' time passes at once. */
  readonly run: <T>(promise: Promise<T>) => Promise<T>;
  /** Lets so many milliseconds pass. */
  readonly pass: (ms: number) => Promise<void>;
};

type Timer = { readonly due: number; readonly run: () => void };

/** Long enough for everything that is no timer of ours: promises, and the terminal's parser, which yields in between. */
async function turns(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 0));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

export function createFakeClock(): FakeClock {
  let now = 1000;
  const timers = new Set<Timer>();

  const next = () =>
    [...timers].reduce<Timer | undefined>((a, b) => (a === undefined || b.due < a.due ? b : a), undefined);

  function runTimer(timer: Timer): void {
    timers.delete(timer);
    now = Math.max(now, timer.due);
    timer.run();
  }

  return {
    now: () => now,
    wall: () => 1_796_000_000_000 + now,
    after(delayMs, run) {
      const timer = { due: now + delayMs, run };
      timers.add(timer);
      return { cancel: () => timers.delete(timer) };
    },
    async run(promise) {
      let isSettled = false;
      const settle = () => {
        isSettled = true;
      };
      promise.then(settle, settle);
      for (;;) {
        await turns();
        if (isSettled) return promise;
        const timer = next();
        if (timer === undefined) throw new Error("nothing will ever settle this");
        runTimer(timer);
      }
    },
    async pass(ms) {
      const until = now + ms;
      for (;;) {
        await turns();
        const timer = next();
        if (timer === undefined || timer.due > until) break;
        runTimer(timer);
      }
      now = until;
    },
  };
}
