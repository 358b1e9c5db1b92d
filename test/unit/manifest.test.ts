import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { editorCommands, pausedKey, shownCommands, thenScheme } from "../../extension/commandIds.ts";
import { thenDocument } from "../../extension/words/then.ts";
import { Settings, settingKeys } from "../../server/protocol/settings.ts";

const root = path.join(import.meta.dirname, "../..");
const text = readFileSync(path.join(root, "package.json"), "utf8");

const property = z.looseObject({ default: z.unknown(), scope: z.string(), markdownDescription: z.string() });
const command = z.object({
  command: z.string(),
  title: z.string(),
  category: z.string(),
  enablement: z.string().optional(),
});
const manifest = z
  .object({
    icon: z.string(),
    capabilities: z.object({
      virtualWorkspaces: z.literal(false),
      untrustedWorkspaces: z.object({ supported: z.literal("limited"), restrictedConfigurations: z.array(z.string()) }),
    }),
    contributes: z.object({
      commands: z.array(command),
      menus: z.record(z.string(), z.array(z.object({ command: z.string(), when: z.string() }))),
      languages: z.array(z.object({ id: z.string(), extensions: z.array(z.string()) })),
      configurationDefaults: z.record(z.string(), z.record(z.string(), z.unknown())),
      configuration: z.object({ properties: z.record(z.string(), property) }),
    }),
  })
  .parse(JSON.parse(text));
const { properties } = manifest.contributes.configuration;

describe("the manifest", () => {
  it("declares exactly the settings of the protocol, in order", () => {
    assert.deepEqual(
      Object.keys(properties),
      Object.values(settingKeys).map(({ key }) => `plimsoll.${key}`),
    );
  });

  it("has the protocol's defaults; a line in tokens has none", () => {
    const defaults = Settings.parse({});
    for (const name of Settings.keyof().options)
      assert.deepEqual(properties[`plimsoll.${settingKeys[name].key}`]?.default, defaults[name] ?? null, name);
  });

  it("has the protocol's scopes, and lets no untrusted workspace set what it could", () => {
    for (const { key, scope } of Object.values(settingKeys))
      assert.equal(properties[`plimsoll.${key}`]?.scope, scope, key);
    assert.deepEqual(
      manifest.capabilities.untrustedWorkspaces.restrictedConfigurations,
      Object.values(settingKeys).flatMap(({ key, scope }) => (scope === "window" ? [`plimsoll.${key}`] : [])),
    );
  });

  it("accepts what the protocol accepts at the edges", () => {
    assert.equal(properties["plimsoll.typing.quietMs"]?.["minimum"], 500);
    assert.equal(properties["plimsoll.typing.quietMs"]?.["maximum"], 60_000);
    assert.equal(properties["plimsoll.lines.softPercent"]?.["maximum"], 100);
    assert.deepEqual(properties["plimsoll.mode"]?.["enum"], Settings.shape.mode.unwrap().options);
  });

  it("declares exactly the commands of the table", () => {
    assert.deepEqual(
      manifest.contributes.commands.map(({ command: id, title, category }) => ({ id, title, category })),
      Object.entries({ ...shownCommands, ...editorCommands }).map(([name, title]) => ({
        id: `plimsoll.${name}`,
        title,
        category: "Plimsoll",
      })),
    );
  });

  it("offers what belongs to a document of the person's own words only there", () => {
    const only = `resourceScheme == '${thenScheme}'`;
    for (const name of Object.keys(editorCommands)) {
      const id = `plimsoll.${name}`;
      assert.equal(manifest.contributes.commands.find(({ command }) => command === id)?.enablement, only);
      for (const place of ["commandPalette", "editor/title"])
        assert.equal(manifest.contributes.menus[place]?.find(({ command }) => command === id)?.when, only, place);
    }
  });

  it("lets VS Code write no backup of the person's own words: they are saved, into memory, sooner", () => {
    const { languages, configurationDefaults } = manifest.contributes;
    assert.equal(
      languages.some(({ id, extensions }) => id === thenScheme && extensions.includes(`.${thenScheme}`)),
      true,
    );
    assert.ok(thenDocument("api").endsWith(`.${thenScheme}`));
    const defaults = configurationDefaults[`[${thenScheme}]`] ?? {};
    assert.equal(defaults["files.autoSave"], "afterDelay");
    // A backup is made a second after the last change, two where it is saved within one.
    assert.ok(Number(defaults["files.autoSaveDelay"]) <= 500);
    assert.equal(defaults["files.autoSaveWorkspaceFilesOnly"], false);
    assert.equal(defaults["files.autoSaveWhenNoErrors"], false);
  });

  it("offers nothing that types in mode gauge", () => {
    const typing = [
      "reset",
      "resetContinue",
      "resetStop",
      "resetThen",
      "review",
      "compact",
      "save",
      "undo",
      "interrupt",
    ];
    for (const name of typing) {
      const found = manifest.contributes.commands.find(({ command: id }) => id === `plimsoll.${name}`);
      assert.equal(found?.enablement, "config.plimsoll.mode != 'gauge'", name);
    }
  });

  it("offers pausing and resuming in turn", () => {
    const enablement = (name: string) =>
      manifest.contributes.commands.find(({ command: id }) => id === `plimsoll.${name}`)?.enablement;
    assert.match(enablement("pause") ?? "", new RegExp(`!${pausedKey}$`));
    assert.equal(enablement("resume"), pausedKey);
  });

  it("has an icon of 128 by 128", () => {
    const png = readFileSync(path.join(root, manifest.icon));
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [128, 128]);
  });
});

describe("the words people read", () => {
  const ourWords =
    /\b(arm|arms|armed|breach(es|ed)?|receipts?|nonces?|claim(s|ed)?|composers?|unenforced|re-?orient\w*)\b/i;
  const folder = path.join(root, "extension/words");

  it("are not the words of the code: the manifest", () => {
    const said = [
      ...Object.values(properties).map(({ markdownDescription }) => markdownDescription),
      ...Object.values(properties).flatMap(
        (one) => z.array(z.string()).safeParse(one["markdownEnumDescriptions"]).data ?? [],
      ),
      ...manifest.contributes.commands.map(({ title }) => title),
      z.object({ displayName: z.string(), description: z.string() }).parse(JSON.parse(text)).description,
    ];
    for (const words of said) assert.doesNotMatch(words.replaceAll(/`#?plimsoll\.[\w.]+#?`/g, ""), ourWords);
  });

  for (const file of readdirSync(folder)) {
    it(`are not the words of the code: ${file}`, () => {
      for (const words of stringsIn(readFileSync(path.join(folder, file), "utf8")))
        assert.doesNotMatch(words, ourWords);
    });
  }

  it("are found in the code", () => {
    const found = stringsIn(`const a = \`one \${b("two words")} three\`; // "not this"\nconst c = "four five";`);
    assert.deepEqual(found, ["two words", "one", "three", "four five"]);
  });
});

/** The strings of a source that can be sentences: those with more than one word, and the parts of templates. */
function stringsIn(source: string): readonly string[] {
  const code = source.replaceAll(/^import .*$/gm, "").replaceAll(/\/\*[\s\S]*?\*\/|(?<![:"'`\w])\/\/.*$/gm, "");
  const found: string[] = [];
  for (const [, double, template] of code.matchAll(/"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)) {
    if (double?.includes(" ")) found.push(double);
    if (template === undefined) continue;
    for (const [, inner] of template.matchAll(/"((?:[^"\\\n]|\\.)*)"/g)) if (inner?.includes(" ")) found.push(inner);
    found.push(
      ...template
        .replaceAll(/\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g, "\u0000")
        .split("\u0000")
        .map((part) => part.trim()),
    );
  }
  return found.filter((part) => part !== "");
}
