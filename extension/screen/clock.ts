/** Time as the screen and the typist need it; a test gives its own. */
export type Clock = {
  /** Milliseconds, monotonic. */
  readonly now: () => number;
  /** Epoch ms. */
  readonly wall: () => number;
  /** Runs once after so many milliseconds, unless cancelled. */
  readonly after: (delayMs: number, run: () => void) => { cancel(): void };
};

export const systemClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};
