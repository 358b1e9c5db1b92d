import { Settings, settingKeys } from "../server/protocol/settings.ts";
import { badSetting, type Where } from "./words/settings.ts";

/** One value as the configuration gives it; `undefined`: nobody set it. */
export type RawSetting = { readonly value: unknown; readonly where: Where } | undefined;

export type ReadSettings = {
  readonly settings: Settings;
  /** One sentence for each value that can't be used. */
  readonly problems: readonly string[];
};

/** Parses each key alone, so that one bad value costs its own default and nothing else. */
export function parseSettings(read: (name: keyof Settings) => RawSetting): ReadSettings {
  const good: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const name of settingNames) {
    const raw = read(name);
    if (raw === undefined || raw.value === null) continue;
    const parsed = Settings.shape[name].safeParse(raw.value);
    if (parsed.success) good[name] = parsed.data;
    else problems.push(badSetting(name, fullKey(name), raw.where));
  }
  return { settings: Settings.parse(good), problems };
}

const settingNames: readonly (keyof Settings)[] = Settings.keyof().options;

const fullKey = (name: keyof Settings): string => `plimsoll.${settingKeys[name].key}`;
