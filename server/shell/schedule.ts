/** When terminals are looked at again although nothing was heard: agents start and end without a word to us. */
const slowMs = 4000;
/** After something happened in a terminal: a process needs a moment to show, and its record about a second. */
const burstMs = [120, 400, 1000, 2000, 3500] as const;

/** Calls `look` in a burst after each `stir`, and slowly while `isWanted`. */
export function createSchedule(look: () => void, isWanted: () => boolean) {
  let burst: NodeJS.Timeout[] = [];
  const slow = setInterval(() => isWanted() && look(), slowMs);

  return {
    stir(): void {
      for (const timer of burst) clearTimeout(timer);
      burst = burstMs.map((ms) => setTimeout(look, ms));
      look();
    },
    dispose(): void {
      clearInterval(slow);
      for (const timer of burst) clearTimeout(timer);
    },
  };
}
