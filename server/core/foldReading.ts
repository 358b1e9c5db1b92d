import type { Reading } from "./conversation.ts";
import type { TranscriptFact } from "./transcript.ts";

type Response = {
  readonly responseId: string;
  readonly tokens: number;
  readonly output: number;
  readonly at: number;
  readonly estimate: boolean;
};

/** What the responses said of the context's size. */
export type Readings = {
  /** Newest response; absent after a boundary. */
  readonly last?: Response;
  /** The one before it, since the last boundary. */
  readonly previous?: Response;
  /** Tokens of the conversation's own first response; absent where its start was not read. */
  readonly first?: number;
  readonly isFromStart: boolean;
  /** Distinct responses, whole conversation. */
  readonly responses: number;
  /** Ids of the newest responses: a record repeated later is no news (R27). */
  readonly ids: readonly string[];
  readonly smallest: number;
  readonly largest: number;
  readonly model?: string;
  /** Window as the agent reports it. */
  readonly windowSize?: number;
  /** A response ended without any figure. */
  readonly isUnmetered: boolean;
  /** The two largest responses of the model in use: one alone may be a spike. */
  readonly peaks: readonly [number, number];
  readonly boundary?: {
    readonly at: number;
    readonly postTokens?: number;
    /** Whether the first reading may be counted as what every context of this conversation carries. */
    readonly base?: number;
  };
};

export const emptyReadings: Readings = {
  isFromStart: true,
  isUnmetered: false,
  responses: 0,
  ids: [],
  smallest: Number.POSITIVE_INFINITY,
  largest: 0,
  peaks: [0, 0],
};

/** Ids kept to recognise a repeated response. */
const keptIds = 64;
/** Times the previous reading above which one reading alone is not believed (DESIGN §4). */
const suspectFactor = 1.6;
/** A gateway's placeholder: the same figure in every response, below this. */
const placeholderBelow = 5000;
/** No agent's context is smaller than its own instructions. */
const impossibleBelow = 100;

export function foldReading(readings: Readings, fact: TranscriptFact, lastAt: number | undefined): Readings {
  switch (fact.kind) {
    case "usage":
      return foldUsage(withWindow(withModel(readings, fact.model), fact.windowSize), fact, lastAt);
    case "unmetered":
      return readings.isUnmetered ? readings : { ...readings, isUnmetered: true };
    case "model":
      return withModel(readings, fact.model);
    case "window":
      return withWindow(readings, fact.windowSize);
    case "first-response":
      return readings.first === undefined ? foldFirst(readings, fact) : readings;
    case "gap":
      return { ...readings, isFromStart: false };
    case "compacted":
      return foldBoundary(readings, fact.at ?? lastAt ?? 0, fact.postTokens);
    default:
      return readings;
  }
}

function foldUsage(
  readings: Readings,
  fact: Extract<TranscriptFact, { kind: "usage" }>,
  lastAt: number | undefined,
): Readings {
  const { responseId, tokens, output } = fact;
  const response: Response = {
    responseId,
    tokens,
    output,
    at: fact.at ?? lastAt ?? 0,
    estimate: fact.estimate ?? false,
  };
  if (readings.last?.responseId === responseId) {
    // The figure of a response was known, and a later record of it leaves it out.
    if (tokens === 0) return { ...readings, last: { ...response, tokens: readings.last.tokens } };
    return { ...readings, ...sized(readings, tokens, true), last: response };
  }
  if (readings.ids.includes(responseId)) return readings;
  const { boundary: _, ...rest } = readings;
  return {
    ...rest,
    ...sized(readings, tokens, false),
    ids: [...readings.ids.slice(1 - keptIds), responseId],
    responses: readings.responses + 1,
    last: response,
    ...(readings.last === undefined ? {} : { previous: readings.last }),
  };
}

function foldFirst(readings: Readings, { responseId, tokens }: { responseId: string; tokens: number }): Readings {
  const isKnown = readings.ids.includes(responseId);
  return {
    ...readings,
    first: tokens,
    responses: readings.responses + (isKnown ? 0 : 1),
    ids: isKnown ? readings.ids : [responseId, ...readings.ids],
    smallest: Math.min(readings.smallest, tokens),
    largest: Math.max(readings.largest, tokens),
  };
}

function sized(readings: Readings, tokens: number, again: boolean): Partial<Readings> {
  const isFirst = readings.isFromStart && (readings.first === undefined || (again && readings.responses === 1));
  const first = isFirst ? tokens : readings.first;
  const [high, second] = readings.peaks;
  // Another record of the same response replaces its figure rather than standing beside it.
  const rest: readonly [number, number] =
    again && readings.last?.tokens === high
      ? [second, 0]
      : again && readings.last?.tokens === second
        ? [high, 0]
        : [high, second];
  return {
    ...(first === undefined ? {} : { first }),
    smallest: again && readings.responses === 1 ? tokens : Math.min(readings.smallest, tokens),
    largest: again && readings.responses === 1 ? tokens : Math.max(readings.largest, tokens),
    peaks: tokens >= rest[0] ? [tokens, rest[0]] : [rest[0], Math.max(rest[1], tokens)],
  };
}

function foldBoundary(readings: Readings, at: number, postTokens: number | undefined): Readings {
  const { last, previous: _, boundary, first, ...rest } = readings;
  const isBase = first !== undefined && last !== undefined && readings.responses >= 2 && first < last.tokens;
  // Two boundaries without a response between them: the base is still what it was.
  const base = isBase ? first : last === undefined ? boundary?.base : undefined;
  return {
    ...rest,
    ...(first === undefined ? {} : { first }),
    boundary: { at, ...(postTokens === undefined ? {} : { postTokens }), ...(base === undefined ? {} : { base }) },
  };
}

function withModel(readings: Readings, model: string | undefined): Readings {
  if (model === undefined || model === readings.model) return readings;
  return { ...readings, model, peaks: [0, 0] };
}

const withWindow = (readings: Readings, windowSize: number | undefined): Readings =>
  windowSize === undefined || windowSize === readings.windowSize ? readings : { ...readings, windowSize };

/** Whether the newest response is a leap that one sample does not prove. */
export function isLeap({ last, previous }: Readings): boolean {
  return (
    last !== undefined &&
    previous !== undefined &&
    // An agent's own estimate is no sample of a response: what follows it is larger by what every context carries.
    !previous.estimate &&
    previous.tokens > 0 &&
    last.tokens > suspectFactor * previous.tokens
  );
}

export function readingOf(readings: Readings, windowSize: number | undefined): Reading {
  const { last, boundary } = readings;
  if (last === undefined && boundary !== undefined) return afterBoundary(boundary);
  if (last === undefined) return readings.isUnmetered ? { kind: "unmeasured", why: noInput } : { kind: "none-yet" };
  const why = unmeasured(readings, last);
  if (why !== undefined) return { kind: "unmeasured", why };
  return {
    kind: "measured",
    tokens: last.tokens,
    output: last.output,
    responseId: last.responseId,
    at: last.at,
    estimate: last.estimate,
    suspect: (windowSize !== undefined && last.tokens > windowSize) || isLeap(readings),
    sole: readings.responses === 1,
  };
}

/** The boundary counts messages only; every context also carries what the first one did (DESIGN §4). */
function afterBoundary({ at, postTokens, base }: NonNullable<Readings["boundary"]>): Reading {
  if (postTokens === undefined) return { kind: "compacted-unknown", at };
  return { kind: "measured", tokens: postTokens + (base ?? 0), at, estimate: true, suspect: false, sole: false };
}

const noInput = "the model's gateway reports no input tokens";

function unmeasured(readings: Readings, last: Response): string | undefined {
  if (last.tokens === 0) return noInput;
  const isConstant = readings.responses >= 2 && readings.smallest === readings.largest;
  if (last.tokens < impossibleBelow || (isConstant && last.tokens < placeholderBelow))
    return "the model's gateway reports a placeholder instead of input tokens";
  return undefined;
}
