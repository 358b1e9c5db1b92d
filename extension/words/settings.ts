import type { Settings } from "../../server/protocol/settings.ts";

/** Where a value was found, as the settings editor calls it. */
export type Where = "user settings" | "workspace settings";

const expected: Readonly<Record<keyof Settings, string>> = {
  mode: "“gauge” or “ask”",
  softTokens: "a number above 0",
  hardTokens: "a number above 0",
  breachTokens: "a number above 0",
  absoluteLine: "true or false",
  softPercent: "a number above 0, at most 100",
  hardPercent: "a number above 0, at most 100",
  ownCompaction: "true or false",
  windowTokens: "a list of model names, each with a number above 0",
  claudeConfigDirs: "a list of folders",
  codexHomes: "a list of folders",
  quietMs: "a number from 500 to 60000",
  workflow: "the name of a workflow, at most 100 letters",
  workflows: "a list of names, each with its workflow",
  escapeAfterSave: "“never” or “once”",
  longTurnMinutes: "a number above 0",
};

/** What is wrong, where, and what to do. The value itself is not repeated. */
export const badSetting = (name: keyof Settings, key: string, where: Where): string =>
  `${key} in the ${where} can't be used: it must be ${expected[name]}. Until you correct it, the default is used.`;
