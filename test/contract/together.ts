import { setTimeout as pause } from "node:timers/promises";

/** So many scenarios run at once: nearly all of their time they wait for a clock. */
const most = 14;

const waiting: (() => Promise<void>)[] = [];
const begun: (() => void)[] = [];
let running = 0;

/** Where only some tests are wanted, the others are not begun. */
const isWhole = !process.argv.some((word) => /^(-g|-f|--grep|--fgrep)(=|$)/.test(word));

function next(): void {
  while (running < most) {
    const run = waiting.shift();
    if (run === undefined) return;
    running += 1;
    run()
      .catch(() => undefined)
      .finally(() => {
        running -= 1;
        next();
      });
  }
}

/** Longest a scenario may take, its wait for its turn included, ms. */
const longestMs = 180_000;

async function late(): Promise<never> {
  await pause(longestMs / 2, undefined, { ref: false });
  throw new Error("it took too long");
}

/**
 * Tests that run beside one another, each with a worker, a window and an agent of its own. The first group starts those
 * of all groups; each test then waits for its own.
 */
export function together(title: string, define: (scenario: (name: string, run: () => Promise<void>) => void) => void) {
  describe(title, function () {
    this.timeout(longestMs);
    const mine: (() => void)[] = [];
    before(function () {
      if (process.platform !== "linux") this.skip();
      for (const begin of isWhole ? begun.splice(0) : mine) begin();
    });
    define((name, run) => {
      let resolve: (outcome: { error?: unknown }) => void = () => undefined;
      const done = new Promise<{ error?: unknown }>((settle) => {
        resolve = settle;
      });
      const begin = () => {
        waiting.push(() =>
          Promise.race([run(), late()]).then(
            () => resolve({}),
            (error) => resolve({ error }),
          ),
        );
        next();
      };
      begun.push(begin);
      mine.push(begin);
      it(name, async () => {
        const outcome = await done;
        if ("error" in outcome) throw outcome.error;
      });
    });
  });
}
