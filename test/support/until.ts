import { setTimeout as pause } from "node:timers/promises";

/** Asks again until there is an answer. A probe that throws has no answer yet; its last reason ends up in the error. */
export async function until<T>(
  what: string,
  probe: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs = 20_000,
): Promise<T> {
  const giveUpAt = Date.now() + timeoutMs;
  let reason = "";
  for (;;) {
    try {
      const answer = await probe();
      if (answer !== undefined && answer !== false) return answer;
      reason = "";
    } catch (error) {
      reason = `: ${error instanceof Error ? error.message : String(error)}`;
    }
    if (Date.now() > giveUpAt) throw new Error(`waited ${timeoutMs} ms in vain for ${what}${reason}`);
    await pause(50);
  }
}
