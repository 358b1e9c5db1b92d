/** The worker as people see it. */
export type WorkerState =
  /** `again`: it was down before. */
  | { readonly kind: "starting"; readonly again: boolean }
  | { readonly kind: "running"; readonly since: number }
  | { readonly kind: "down"; readonly since: number; readonly nextTryAt: number };

/** One start of the worker. */
export type Attempt = {
  readonly ready: Promise<void>;
  /** Resolves when the worker or its pipe is gone, however it went. */
  readonly closed: Promise<void>;
  readonly ping: () => Promise<unknown>;
  /** Ends the process at once. */
  readonly kill: () => void;
};

type Clock = {
  readonly now: () => number;
  /** Calls once, later; returns how to call it off. */
  readonly after: (ms: number, call: () => void) => () => void;
};

export type SupervisorPorts = {
  readonly clock: Clock;
  readonly spawn: () => Attempt;
  readonly onState: (state: WorkerState) => void;
  readonly onNote: (level: "info" | "warn", sentence: string) => void;
};

export type Supervisor = {
  readonly start: () => void;
  /** Ends the worker and starts it anew, without waiting. */
  readonly restart: () => void;
  /** From here on nothing is started again. The running worker is left to the caller. */
  readonly release: () => void;
};

export const pingEveryMs = 5000;
export const pingsToMiss = 3;
/** A worker that is not ready by then never will be. */
export const startWithinMs = 20_000;
/** After this long without a fall the waiting starts from the beginning. */
export const stableMs = 60_000;

/** How long to wait before the next try: 1, 2, 4, 8, 16, 30, 30 … seconds. */
export const backOffMs = (failures: number): number => Math.min(30_000, 1000 * 2 ** Math.max(0, failures - 1));

/** The only one who starts, watches and ends the worker (the client's own restart is off). */
export function createSupervisor({ clock, spawn, onState, onNote }: SupervisorPorts): Supervisor {
  let current: Attempt | undefined;
  let failures = 0;
  let again = false;
  let released = false;
  let timers: (() => void)[] = [];

  const later = (ms: number, call: () => void) => {
    timers.push(clock.after(ms, call));
  };
  const callOff = () => {
    for (const cancel of timers) cancel();
    timers = [];
  };

  function start() {
    if (released) return;
    callOff();
    onState({ kind: "starting", again });
    again = true;
    const attempt = spawn();
    current = attempt;
    const whenCurrent = (call: () => void) => () => {
      if (attempt === current) call();
    };
    later(startWithinMs, () => fall(attempt, "did not start in time"));
    attempt.ready.then(
      whenCurrent(() => stand(attempt)),
      whenCurrent(() => fall(attempt, "could not be started")),
    );
    attempt.closed.then(
      whenCurrent(() => fall(attempt, "ended")),
      whenCurrent(() => fall(attempt, "ended")),
    );
  }

  function stand(attempt: Attempt) {
    callOff();
    onState({ kind: "running", since: clock.now() });
    later(stableMs, () => {
      failures = 0;
    });
    let missed = 0;
    let last: "answered" | "waiting" | "failed" = "answered";
    const beat = () => {
      missed = last === "answered" ? 0 : missed + 1;
      if (missed >= pingsToMiss) {
        fall(attempt, "stopped answering");
        return;
      }
      if (last !== "waiting") {
        last = "waiting";
        attempt.ping().then(
          () => {
            last = "answered";
          },
          () => {
            last = "failed";
          },
        );
      }
      later(pingEveryMs, beat);
    };
    later(pingEveryMs, beat);
  }

  function fall(attempt: Attempt, how: string) {
    callOff();
    current = undefined;
    attempt.kill();
    if (released) return;
    failures += 1;
    const wait = backOffMs(failures);
    onNote("warn", `worker: it ${how}; next try in ${wait / 1000} s`);
    onState({ kind: "down", since: clock.now(), nextTryAt: clock.now() + wait });
    later(wait, start);
  }

  return {
    start,
    restart: () => {
      if (released) return;
      onNote("info", "worker: restarted on request");
      const old = current;
      current = undefined;
      failures = 0;
      old?.kill();
      start();
    },
    release: () => {
      released = true;
      current = undefined;
      callOff();
    },
  };
}
