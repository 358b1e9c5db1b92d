import type { AgentId } from "../protocol/agents.ts";
import type { WindowSize } from "./conversation.ts";
import { isLeap, type Readings } from "./foldReading.ts";

/** What a person, a settings file or an environment says of windows. Sizes in tokens. */
export type WindowSettings = {
  /** Size per model, set by the person (`plimsoll.windowTokens`). */
  readonly user?: Readonly<Record<string, number>>;
  /** `model` of Claude's settings file: may carry the `[1m]` that the transcript drops. */
  readonly configuredModel?: string;
  /** CLAUDE_CODE_DISABLE_1M_CONTEXT. */
  readonly disable1m?: boolean;
  /** CLAUDE_CODE_MAX_CONTEXT_TOKENS: window of a model that Claude does not know. */
  readonly maxContextTokens?: number;
};

const large = 1_000_000;
const small = 200_000;

/** Models measured or documented (facts/claude-code j). `isSoldLarger`: also offered with the large window. */
const table: readonly { readonly model: RegExp; readonly size: number; readonly isSoldLarger: boolean }[] = [
  { model: /claude-(opus|sonnet|haiku)-5[-.]5(?!\d)/, size: large, isSoldLarger: true },
  { model: /claude-(sonnet|opus)-4(?!\d)/, size: small, isSoldLarger: true },
  { model: /claude-haiku-4(?!\d)/, size: small, isSoldLarger: false },
  { model: /claude-(3|instant|2)(?!\d)/, size: small, isSoldLarger: false },
];

/** The window, from the strongest source that knows it (DESIGN §4). The last model owns the denominator. */
export function windowOf(agent: AgentId, readings: Readings, settings: WindowSettings): WindowSize | undefined {
  const { model, windowSize } = readings;
  if (windowSize !== undefined) return { size: windowSize, basis: "event" };
  if (model === undefined) return undefined;
  const user = userSize(model, settings.user ?? {});
  if (user !== undefined) return { size: user, basis: "user-setting" };
  return agent === "claude" ? claudeWindow(model, readings, settings) : undefined;
}

function claudeWindow(model: string, readings: Readings, settings: WindowSettings): WindowSize | undefined {
  const name = baseOf(model);
  const isLarge1m = has1m(model);
  const known = table.find((row) => row.model.test(name));
  if (settings.disable1m === true && (isLarge1m || known !== undefined)) {
    return isLarge1m || known?.size === large
      ? { size: small, basis: "settings" }
      : { size: small, basis: "model-table" };
  }
  if (isLarge1m) return { size: large, basis: "model-suffix" };
  if (known?.size === large) return { size: large, basis: "model-table" };
  if (isConfigured1m(name, settings.configuredModel)) return { size: large, basis: "settings" };
  if (known !== undefined) {
    // The transcript drops the suffix: what holds more than the small window is the larger one that is sold (R28).
    return known.isSoldLarger && isSeenAbove(readings, known.size)
      ? { size: large, basis: "observed" }
      : { size: known.size, basis: "model-table" };
  }
  if (settings.maxContextTokens !== undefined) return { size: settings.maxContextTokens, basis: "settings" };
  if (!/(^|[./])claude-/.test(name)) return undefined;
  if (settings.disable1m === true) return { size: small, basis: "settings" };
  return isSeenAbove(readings, small) ? { size: large, basis: "observed" } : undefined;
}

/** Two responses, or one that is no leap, above this size. */
function isSeenAbove(readings: Readings, size: number): boolean {
  return readings.peaks[1] > size || (readings.last !== undefined && readings.last.tokens > size && !isLeap(readings));
}

const has1m = (model: string): boolean => /\[1m\]$/i.test(model.trim());
const baseOf = (model: string): string =>
  model
    .trim()
    .replace(/\[1m\]$/i, "")
    .toLowerCase();

/** `opus[1m]`, `sonnet[1m]` or a full name in Claude's settings, for the model in use. */
function isConfigured1m(name: string, configured: string | undefined): boolean {
  if (configured === undefined || !has1m(configured)) return false;
  const alias = baseOf(configured);
  return alias.length > 0 && name.includes(alias);
}

function userSize(model: string, sizes: Readonly<Record<string, number>>): number | undefined {
  const name = baseOf(model);
  for (const wanted of [model, name, name.replace(/[-@]\d{8}.*$/, "")]) {
    const size = Object.hasOwn(sizes, wanted) ? sizes[wanted] : undefined;
    if (size !== undefined && Number.isFinite(size) && size > 0) return size;
  }
  return undefined;
}
