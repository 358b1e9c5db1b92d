import { ConfigurationTarget, type Disposable, workspace } from "vscode";
import { type Settings, settingKeys } from "../server/protocol/settings.ts";
import { parseSettings, type RawSetting, type ReadSettings } from "./settingsParse.ts";
import type { LineChoice } from "./words/lineChoices.ts";

const section = "plimsoll";

/** The only reader of the configuration. What nobody set stays unset: the worker's environment may fill it. */
export const readSettings = (): ReadSettings => parseSettings(read);

export const onSettingsChange = (listener: () => void): Disposable =>
  workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(section)) listener();
  });

/** Moves the line where it is set now, else in the user settings. */
export async function writeLine(choice: LineChoice): Promise<void> {
  const configuration = workspace.getConfiguration(section);
  const target = targetOf(["softTokens", "hardTokens", "absoluteLine"]);
  const put = (name: keyof Settings, value: unknown) => configuration.update(settingKeys[name].key, value, target);
  if (choice.kind === "tokens") {
    // One after the other, because it is one file; and in the order that never puts the soft line over the hard one.
    const before = readSettings().settings.hardTokens ?? 0;
    const writes = [() => put("hardTokens", choice.hard), () => put("softTokens", choice.soft)];
    for (const write of choice.hard > before ? writes : writes.reverse()) await write();
  }
  await put("absoluteLine", choice.kind === "tokens");
}

function read(name: keyof Settings): RawSetting {
  const { key, scope } = settingKeys[name];
  const configuration = workspace.getConfiguration(section);
  const found = configuration.inspect<unknown>(key);
  // `get` knows trust and merges objects; `inspect` only tells whether and where somebody set it.
  const value = configuration.get<unknown>(key);
  if (scope === "window" && found?.workspaceValue !== undefined) return { value, where: "workspace settings" };
  return found?.globalValue === undefined ? undefined : { value, where: "user settings" };
}

function targetOf(names: readonly (keyof Settings)[]): ConfigurationTarget {
  const configuration = workspace.getConfiguration(section);
  const inWorkspace = names.some(
    (name) => configuration.inspect<unknown>(settingKeys[name].key)?.workspaceValue !== undefined,
  );
  return inWorkspace ? ConfigurationTarget.Workspace : ConfigurationTarget.Global;
}
