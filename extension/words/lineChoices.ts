import { size } from "./amounts.ts";

export type LineChoice =
  | { readonly kind: "tokens"; readonly soft: number; readonly hard: number }
  | { readonly kind: "percent-only" };

const step = 10_000;

/** The soft line keeps the proportion of the defaults, 200k to 280k. */
const softOf = (hard: number): number => Math.round((hard * 5) / 7 / step) * step;

export const lineChoices: readonly LineChoice[] = [
  ...[150_000, 280_000, 400_000, 600_000].map((hard) => ({ kind: "tokens" as const, hard, soft: softOf(hard) })),
  { kind: "percent-only" },
];

export function choiceWords(choice: LineChoice): { readonly label: string; readonly detail: string } {
  return choice.kind === "tokens"
    ? {
        label: `${size(choice.hard)} tokens`,
        detail: `Asks at ${size(choice.hard)}, changes colour at ${size(choice.soft)}. The percentage lines stay.`,
      }
    : {
        label: "Percentage only",
        detail: "No line in tokens. An agent whose window size is not known then has no line at all.",
      };
}
