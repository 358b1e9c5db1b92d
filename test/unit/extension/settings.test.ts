import assert from "node:assert/strict";
import { parseSettings, type RawSetting } from "../../../extension/settingsParse.ts";
import { Settings } from "../../../server/protocol/settings.ts";

const parse = (raw: Readonly<Record<string, unknown>>) =>
  parseSettings((name): RawSetting => (name in raw ? { value: raw[name], where: "user settings" } : undefined));

describe("reading the settings", () => {
  it("leaves the lines unset that nobody set, so that the environment may fill them", () => {
    const { settings, problems } = parse({});
    assert.equal(settings.softTokens, undefined);
    assert.deepEqual(settings, Settings.parse({}));
    assert.deepEqual(problems, []);
    assert.equal(parse({ softTokens: null }).settings.softTokens, undefined);
  });

  it("takes a good value as it is", () => {
    assert.equal(parse({ hardTokens: 400_000, mode: "gauge" }).settings.hardTokens, 400_000);
  });

  it("gives a bad value its default, says so, and keeps the others", () => {
    const { settings, problems } = parse({ softPercent: 0, hardPercent: 80, mode: "unattended" });
    assert.equal(settings.softPercent, 75);
    assert.equal(settings.hardPercent, 80);
    assert.equal(settings.mode, "ask");
    assert.equal(problems.length, 2);
    assert.match(
      problems.join(" "),
      /plimsoll\.lines\.softPercent in the user settings can't be used: it must be a number above 0, at most 100\./,
    );
  });

  it("never repeats the bad value", () => {
    assert.doesNotMatch(parse({ mode: "secret-word" }).problems.join(" "), /secret-word/);
  });
});
