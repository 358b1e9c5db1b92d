import * as z from "zod";

const tokens = z.number().finite().positive();
const percent = z.number().finite().gt(0).max(100);

/** What `plimsoll.mode` may be. `gauge`: nothing is ever typed. `ask`: only a click types. */
export const Mode = z.enum(["gauge", "ask"]);
export type Mode = z.infer<typeof Mode>;

/**
 * Every setting, as the host sends it: `undefined` where the person set nothing, so that the worker can fall back to its
 * environment and then to the default (DESIGN §4). The defaults here are the manifest's; a test holds them together.
 */
export const Settings = z.strictObject({
  mode: Mode.default("ask"),
  softTokens: tokens.optional(),
  hardTokens: tokens.optional(),
  breachTokens: tokens.default(300_000),
  absoluteLine: z.boolean().default(true),
  softPercent: percent.default(75),
  hardPercent: percent.default(90),
  ownCompaction: z.boolean().default(true),
  windowTokens: z.record(z.string(), tokens).default({}),
  claudeConfigDirs: z.array(z.string()).default([]),
  codexHomes: z.array(z.string()).default([]),
  quietMs: z.number().finite().min(500).max(60_000).default(1500),
  /** Name of the way of saving and briefing; a folder may name one of those defined here. */
  workflow: z.string().max(100).default("state-file"),
  /** The person's own definitions, by name; parsed where they are used, so that one bad row does not hide the others. */
  workflows: z.record(z.string(), z.unknown()).default({}),
  escapeAfterSave: z.enum(["never", "once"]).default("never"),
  longTurnMinutes: z.number().finite().positive().default(5),
});
export type Settings = z.infer<typeof Settings>;

/**
 * `plimsoll.<section>` of each setting, in the manifest's order. `application` and `machine`: a repository cannot set it.
 * What allows typing is `application`: a remote window does not read a `machine` setting of the user settings, and a
 * development container may bring one along.
 */
export const settingKeys: Readonly<
  Record<keyof Settings, { readonly key: string; readonly scope: "application" | "machine" | "window" }>
> = {
  mode: { key: "mode", scope: "application" },
  softTokens: { key: "lines.softTokens", scope: "window" },
  hardTokens: { key: "lines.hardTokens", scope: "window" },
  breachTokens: { key: "lines.breachTokens", scope: "window" },
  absoluteLine: { key: "lines.absolute", scope: "window" },
  softPercent: { key: "lines.softPercent", scope: "window" },
  hardPercent: { key: "lines.hardPercent", scope: "window" },
  ownCompaction: { key: "lines.ownCompaction", scope: "window" },
  windowTokens: { key: "windowTokens", scope: "window" },
  claudeConfigDirs: { key: "claude.configDirs", scope: "machine" },
  codexHomes: { key: "codex.homes", scope: "machine" },
  quietMs: { key: "typing.quietMs", scope: "application" },
  workflow: { key: "workflow", scope: "window" },
  workflows: { key: "workflows", scope: "application" },
  escapeAfterSave: { key: "typing.escapeAfterSave", scope: "application" },
  longTurnMinutes: { key: "question.longTurnMinutes", scope: "window" },
};
