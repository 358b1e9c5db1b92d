import { setTimeout as sleep } from "node:timers/promises";
import type { Lookup } from "./process.ts";

/** Waits (ms) between the looks at something that would not say. */
const backOffMs = [100, 200, 400, 800] as const;

/** Asks again while the answer is `unknown`: a look that failed says nothing (R16). At most 1.5 s in all. */
export async function settled<T>(
  look: () => Promise<Lookup<T>>,
  wait: (ms: number) => Promise<unknown> = sleep,
): Promise<Lookup<T>> {
  let answer = await look();
  for (const ms of backOffMs) {
    if (answer.kind !== "unknown") return answer;
    await wait(ms);
    answer = await look();
  }
  return answer;
}
