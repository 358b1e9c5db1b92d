import * as z from "zod";

/** What Claude's settings file or environment says of windows and of its own compaction (facts/claude-code j). */
export type ClaudeSettings = {
  readonly configuredModel?: string;
  readonly disable1m?: boolean;
  readonly maxContextTokens?: number;
  /** CLAUDE_CODE_AUTO_COMPACT_WINDOW, tokens. */
  readonly autoCompactWindow?: number;
};

export type ClaudeEnvironment = Readonly<Record<string, string | undefined>>;

const Variables = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).optional().catch(undefined));
const SettingsFile = z.object({
  model: z.string().optional().catch(undefined),
  env: Variables.optional().catch(undefined),
});

/** Settings file over nothing; unreadable text says nothing. */
export function parseClaudeSettings(text: string): ClaudeSettings {
  const file = SettingsFile.safeParse(jsonOf(text.replace(/^\uFEFF/, "")));
  if (!file.success) return {};
  const { model, env } = file.data;
  const variables = Object.fromEntries(
    Object.entries(env ?? {}).map(([name, value]) => [name, value === undefined ? undefined : String(value)]),
  );
  return { ...(model === undefined ? {} : { configuredModel: model }), ...claudeEnvironment(variables) };
}

const names = {
  disable: "CLAUDE_CODE_DISABLE_1M_CONTEXT",
  most: "CLAUDE_CODE_MAX_CONTEXT_TOKENS",
  compact: "CLAUDE_CODE_AUTO_COMPACT_WINDOW",
  model: "ANTHROPIC_MODEL",
} as const;

export function claudeEnvironment(environment: ClaudeEnvironment): ClaudeSettings {
  const most = sizeOf(environment[names.most]);
  const compact = sizeOf(environment[names.compact]);
  const model = environment[names.model];
  return {
    ...(model ? { configuredModel: model } : {}),
    ...(isOn(environment[names.disable]) ? { disable1m: true } : {}),
    ...(most === undefined ? {} : { maxContextTokens: most }),
    ...(compact === undefined ? {} : { autoCompactWindow: compact }),
  };
}

const isOn = (value: string | undefined): boolean => value !== undefined && /^(1|true|yes|on)$/i.test(value.trim());

function sizeOf(value: string | undefined): number | undefined {
  const size = Number(value?.trim() || Number.NaN);
  return Number.isFinite(size) && size > 0 ? size : undefined;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
