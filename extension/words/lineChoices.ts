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

/** How large the conversations run that the line is for; nothing while it is not known. */
export const habitWords = (median: number | undefined): string | undefined =>
  median === undefined ? undefined : `half of your turns so far ran above ${size(median)}`;

/** `now`: the hard line that counts, where an agent tells it. */
export function choiceWords(
  choice: LineChoice,
  now: { readonly hard?: number | undefined } | undefined,
): { readonly label: string; readonly description: string; readonly detail: string } {
  const isNow = now !== undefined && now.hard === (choice.kind === "tokens" ? choice.hard : undefined);
  const description = isNow ? "now" : "";
  return choice.kind === "tokens"
    ? {
        label: `${size(choice.hard)} tokens`,
        description,
        detail: `Asks at ${size(choice.hard)}, changes colour at ${size(choice.soft)}. The percentage lines stay.`,
      }
    : {
        label: "Percentage only",
        description,
        detail: "No line in tokens. An agent whose window size is not known then has no line at all.",
      };
}
