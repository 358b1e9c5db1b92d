import type { AgentId } from "../protocol/agents.ts";

/** The lines, as they are in force. Tokens and percents; `tokens` absent: the absolute arm is switched off. */
export type Lines = {
  readonly tokens?: { readonly soft: number; readonly hard: number };
  readonly percent: { readonly soft: number; readonly hard: number };
  /** Tokens at which the wording escalates; no third act. */
  readonly breach: number;
  readonly ownCompaction: boolean;
};

export type LineSettings = {
  readonly softTokens?: number | undefined;
  readonly hardTokens?: number | undefined;
  readonly softPercent?: number | undefined;
  readonly hardPercent?: number | undefined;
  readonly breachTokens?: number | undefined;
  /** False: percent only. */
  readonly absoluteLine?: boolean | undefined;
  readonly ownCompaction?: boolean | undefined;
};

/** Settings first, then the worker's environment (R31), then these (R30, R32, R37). */
export const defaultLines = {
  softTokens: 200_000,
  hardTokens: 280_000,
  softPercent: 75,
  hardPercent: 90,
  breach: 300_000,
};

/** The lines where nothing is set, or where what is set cannot be used: the gauge still shows, nothing is typed. */
export const defaultLineSet: Lines = {
  tokens: { soft: defaultLines.softTokens, hard: defaultLines.hardTokens },
  percent: { soft: defaultLines.softPercent, hard: defaultLines.hardPercent },
  breach: defaultLines.breach,
  ownCompaction: true,
};

export type ResolvedLines =
  | { readonly kind: "lines"; readonly lines: Lines }
  | { readonly kind: "problem"; readonly problem: string };

const softVariable = "DR_CTX_SOFT_TOKENS";
const hardVariable = "DR_CTX_HARD_TOKENS";

export function resolveLines(
  settings: LineSettings,
  environment: Readonly<Record<string, string | undefined>>,
): ResolvedLines {
  const soft = settings.softTokens ?? fromEnvironment(environment[softVariable]) ?? defaultLines.softTokens;
  const hard = settings.hardTokens ?? fromEnvironment(environment[hardVariable]) ?? defaultLines.hardTokens;
  const percent = {
    soft: settings.softPercent ?? defaultLines.softPercent,
    hard: settings.hardPercent ?? defaultLines.hardPercent,
  };
  const isAbsolute = settings.absoluteLine ?? true;
  const named = settings.breachTokens ?? defaultLines.breach;
  // Far over the line is never before the line.
  const breach = isAbsolute && isSize(hard) ? Math.max(named, hard) : named;
  const problem =
    (isAbsolute ? badPair("token", soft, hard) : undefined) ??
    badPair("percent", percent.soft, percent.hard) ??
    (isSize(named) ? undefined : "plimsoll.lines.breachTokens is no positive number. Correct it, or remove it.");
  if (problem !== undefined) return { kind: "problem", problem };
  const tokens = isAbsolute ? { tokens: { soft, hard } } : {};
  return { kind: "lines", lines: { ...tokens, percent, breach, ownCompaction: settings.ownCompaction ?? true } };
}

/** An unreadable value must not silently become the default: it comes through as no number. */
function fromEnvironment(value: string | undefined): number | undefined {
  const text = value?.trim() ?? "";
  return text === "" ? undefined : Number(text);
}

const isSize = (value: number): boolean => Number.isFinite(value) && value > 0;

function badPair(unit: "token" | "percent", soft: number, hard: number): string | undefined {
  const remedy = `Set plimsoll.lines.soft${unit === "token" ? "Tokens" : "Percent"} below plimsoll.lines.hard${unit === "token" ? "Tokens" : "Percent"}${unit === "token" ? " (or DR_CTX_SOFT_TOKENS and DR_CTX_HARD_TOKENS)" : ""}.`;
  if (!isSize(soft)) return `The soft ${unit} line is no positive number. ${remedy}`;
  if (!isSize(hard)) return `The hard ${unit} line is no positive number. ${remedy}`;
  return soft < hard ? undefined : `The soft ${unit} line (${soft}) is not below the hard one (${hard}). ${remedy}`;
}

export type Pressure = "none" | "selective" | "full";
export type Arm = "absolute" | "percent" | "own-compaction";

export type Load = {
  /** Context size; absent: unknown. */
  readonly tokens?: number | undefined;
  readonly windowSize?: number | undefined;
  /** Percent as the agent itself reports it, where the tokens are unknown (R22). */
  readonly reportedPercent?: number | undefined;
  /** Tokens at which the agent compacts by itself, where known. */
  readonly compactionPoint?: number | undefined;
};

export type Judgement = {
  readonly pressure: Pressure;
  /** The arm that decided; absent where nothing is over a line. */
  readonly decidedBy?: Arm;
  readonly breach: boolean;
  /** Each arm's own verdict; absent: it cannot say. */
  readonly arms: { readonly [A in Arm]?: Pressure };
  /** One decimal, for display; the verdict rounds up. */
  readonly percent?: number;
  readonly ownCompaction?: { readonly point: number; readonly remaining: number };
};

/** The stricter arm decides; on a tie the first of this order is named (DESIGN §4). */
const order: readonly Arm[] = ["absolute", "percent", "own-compaction"];
const severity: Readonly<Record<Pressure, number>> = { none: 0, selective: 1, full: 2 };

export function judge(load: Load, lines: Lines): Judgement {
  const arms: { [A in Arm]?: Pressure } = {};
  const { tokens } = load;
  if (lines.tokens !== undefined && tokens !== undefined) arms.absolute = verdict(tokens, lines.tokens);
  const exact = percentOf(load);
  if (exact !== undefined) arms.percent = verdict(Math.ceil(exact), lines.percent);
  const own = ownArm(load, lines);
  if (own !== undefined) arms["own-compaction"] = own;
  const decidedBy = order.reduce<Arm | undefined>(
    (worst, arm) => (rank(arms[arm]) > rank(worst && arms[worst]) ? arm : worst),
    undefined,
  );
  const { compactionPoint } = load;
  return {
    pressure: (decidedBy && arms[decidedBy]) ?? "none",
    ...(decidedBy === undefined ? {} : { decidedBy }),
    breach: tokens !== undefined && tokens >= lines.breach,
    arms,
    ...(exact === undefined ? {} : { percent: Math.round(exact * 10) / 10 }),
    ...(compactionPoint === undefined || tokens === undefined
      ? {}
      : { ownCompaction: { point: compactionPoint, remaining: compactionPoint - tokens } }),
  };
}

const rank = (pressure: Pressure | undefined): number => (pressure === undefined ? 0 : severity[pressure]);

const verdict = (value: number, { soft, hard }: { readonly soft: number; readonly hard: number }): Pressure =>
  value >= hard ? "full" : value >= soft ? "selective" : "none";

function percentOf({ tokens, windowSize, reportedPercent }: Load): number | undefined {
  // Multiplied first: 148 000 of 200 000 is 74 and not a hair more.
  if (tokens !== undefined && windowSize !== undefined && windowSize > 0) return (tokens * 100) / windowSize;
  return tokens === undefined ? reportedPercent : undefined;
}

/** An agent that compacts by itself first would never be asked: a tenth of the window is kept clear of that point. */
function ownArm({ tokens, windowSize, compactionPoint }: Load, lines: Lines): Pressure | undefined {
  if (!lines.ownCompaction || tokens === undefined || windowSize === undefined || compactionPoint === undefined)
    return undefined;
  return tokens >= compactionPoint - windowSize / 10 ? "full" : "none";
}

export type CompactionSettings = {
  /** Codex `model_auto_compact_token_limit`. */
  readonly codexLimit?: number;
  /** Claude CLAUDE_CODE_AUTO_COMPACT_WINDOW. */
  readonly claudeWindow?: number;
};

/** Codex emits 95 % of its raw window and compacts at 90 % of the raw one (facts/codex b, c). */
const emittedShare = 0.95;
const codexShare = 0.9;
/** Claude compacts this many tokens before the window it was given (facts/claude-code j, inferred). */
const claudeReserve = 33_000;

/** Where the agent compacts by itself; undefined: not known. Claude's default waits for the API's refusal. */
export function compactionPoint(
  agent: AgentId,
  windowSize: number | undefined,
  { codexLimit, claudeWindow }: CompactionSettings,
): number | undefined {
  if (agent === "claude") {
    const point = claudeWindow === undefined ? Number.NaN : claudeWindow - claudeReserve;
    return isSize(point) ? point : undefined;
  }
  if (codexLimit !== undefined && isSize(codexLimit)) return codexLimit;
  return windowSize === undefined ? undefined : Math.round((windowSize / emittedShare) * codexShare);
}
