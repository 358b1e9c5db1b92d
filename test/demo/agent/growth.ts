import { amount } from "../../support/steering.ts";

/** The first answer's context: what an agent carries before anything was said. */
export const firstTokens = 40_000;
/** What a summary adds to that. */
export const summaryTokens = 4_000;

/** What a tool adds. */
export const stepTokens = 100;

/** More than this much at once counts as a leap, which one sample does not prove: the demo is not to look suspicious. */
const growsBy = 1.6;
const growsAtMost = 60_000;
const windowTokens = 1_000_000;

/** The context's size after one more turn. `USAGE=290000` in the prompt sets it. */
export function nextTokens(tokens: number | undefined, prompt: string): number {
  const grown =
    tokens === undefined ? firstTokens : Math.floor(Math.min(tokens * growsBy, tokens + growsAtMost, windowTokens));
  return Math.max(1, Math.floor(amount(prompt, "USAGE", grown)));
}

/** How long a turn takes, ms. `DELAY=20000` in the prompt sets it. */
export const turnMs = (prompt: string): number => Math.max(0, amount(prompt, "DELAY", 1000));
