import type { Conversation, TurnState } from "./conversation.ts";

/** Sizes (tokens) at which turns ended, newest last, and the responses they were taken from. */
export type TurnSizes = { readonly sizes: readonly number[]; readonly lastOf: Readonly<Record<string, string>> };

export const noTurns: TurnSizes = { sizes: [], lastOf: {} };

/** Turns that are kept: enough for a median, little enough to forget last month's habits. */
const keptTurns = 500;
/** Fewer say nothing about a habit. */
const fewestTurns = 4;

/** Notes one more turn where this agent's has ended with a response that was not counted yet. */
export function noteTurn(
  before: TurnSizes,
  instanceId: string,
  conversation: Conversation | undefined,
  turn: TurnState,
): TurnSizes {
  const reading = conversation?.reading;
  if (turn.kind !== "idle" || reading?.kind !== "measured" || reading.estimate || reading.responseId === undefined)
    return before;
  if (before.lastOf[instanceId] === reading.responseId) return before;
  return {
    sizes: [...before.sizes, reading.tokens].slice(-keptTurns),
    lastOf: { ...before.lastOf, [instanceId]: reading.responseId },
  };
}

/** Half of the turns so far ran above this (DESIGN §4); undefined while there are too few. */
export function medianTurn({ sizes }: TurnSizes): number | undefined {
  if (sizes.length < fewestTurns) return undefined;
  return sizes.toSorted((a, b) => a - b)[Math.floor((sizes.length - 1) / 2)];
}
