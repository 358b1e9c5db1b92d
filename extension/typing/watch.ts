import type { Clock } from "../screen/clock.ts";
import type { Mirror } from "../screen/mirror.ts";

/** How long to look at most, and how long after the last chunk to look once more. */
export type Patience = { readonly limitMs: number; readonly quietMs?: number };

/**
 * Looks now, after each chunk, and once the stream was quiet for a while, until `look` has an answer; undefined when the
 * time is up. It never polls: between two chunks a screen does not change.
 */
export function watch<T>(
  clock: Clock,
  mirror: Mirror,
  patience: Patience,
  look: () => T | undefined,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    let quiet: { cancel(): void } | undefined;
    const limit = clock.after(Math.max(0, patience.limitMs), () => finish(look()));
    const subscription = mirror.onShown(check);

    function check(): void {
      if (lookedAndFound()) return;
      quiet?.cancel();
      if (patience.quietMs !== undefined) quiet = clock.after(patience.quietMs, lookedAndFound);
    }

    function lookedAndFound(): boolean {
      const answer = look();
      if (answer === undefined) return false;
      finish(answer);
      return true;
    }

    function finish(answer: T | undefined): void {
      limit.cancel();
      quiet?.cancel();
      subscription.dispose();
      resolve(answer);
    }

    check();
  });
}

/** Until every chunk that came is shown. One that comes while waiting is waited for too, a few times. */
export async function shownUpToNow(mirror: Mirror): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    await mirror.flush();
    if (!mirror.hasUnparsed()) return;
  }
}
