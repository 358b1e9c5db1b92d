import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { allowRule, allowSaving, isSavingAllowed } from "../../../server/shell/save/allowRule.ts";
import { testFolder } from "./folder.ts";

describe("the rule that lets Claude save without asking", () => {
  const folder = testFolder();
  let local: string;
  beforeEach(() => {
    for (const name of [".claude", "home"]) mkdirSync(join(folder.path, name));
    local = join(folder.path, ".claude/settings.local.json");
  });
  const write = (name: string, permissions: unknown) =>
    writeFileSync(join(folder.path, name), JSON.stringify({ permissions }));
  const isAllowed = () => isSavingAllowed({ cwd: folder.path, configDir: join(folder.path, "home") });

  const files = [".claude/settings.local.json", ".claude/settings.json", "home/settings.json"];
  const covering = ["Edit(.plimsoll/**)", "Edit", "Edit(./.plimsoll/**)"];
  for (const file of files) {
    it(`is found in ${file}, in each form that was measured to work`, () => {
      assert.equal(isAllowed(), false);
      for (const rule of covering) {
        write(file, { allow: ["Bash(ls)", rule] });
        assert.equal(isAllowed(), true, rule);
      }
      for (const rule of ["Write(.plimsoll/**)", "Write(/.plimsoll/**)", "Edit(src/**)", "edit"]) {
        write(file, { allow: [rule] });
        assert.equal(isAllowed(), false, rule);
      }
    });

    it(`does not count where ${file} forbids it or asks each time`, () => {
      write(".claude/settings.json", { allow: [allowRule] });
      for (const list of ["deny", "ask"]) {
        write(file, { allow: [allowRule], [list]: ["Edit"] });
        assert.equal(isAllowed(), false, list);
      }
    });
  }

  it("with a leading slash means the folder of its own settings file", () => {
    write("home/settings.json", { allow: ["Edit(/.plimsoll/**)"] });
    assert.equal(isAllowed(), false);
    write(".claude/settings.json", { allow: ["Edit(/.plimsoll/**)"] });
    assert.equal(isAllowed(), true);
  });

  it("is not seen in what cannot be read as settings", () => {
    for (const text of ["", "{", "[]", "null", '{"permissions":7}', '{"permissions":{"allow":"Edit"}}']) {
      writeFileSync(local, text);
      assert.equal(isAllowed(), false, text);
    }
    assert.equal(isSavingAllowed({ cwd: join(folder.path, "gone") }), false);
  });

  it("is added to the local settings alone, and changes nothing else in them", () => {
    const before = `{
  "zeta": 1,
  "permissions": {
    "deny": [
      "Read(.env)"
    ],
    "allow": [
      "Bash(ls)"
    ],
    "additionalDirectories": [
      "../x"
    ]
  },
  "env": {
    "A": "b"
  }
}
`;
    writeFileSync(local, before);
    chmodSync(local, 0o640);
    assert.deepEqual(allowSaving(folder.path), { kind: "allowed", path: local, changed: true });
    const added = before.replace('"Bash(ls)"\n', `"Bash(ls)",\n      "${allowRule}"\n`);
    assert.equal(readFileSync(local, "utf8"), added);
    assert.equal(statSync(local).mode & 0o777, 0o640);
    assert.equal(isAllowed(), true);
    assert.deepEqual(allowSaving(folder.path), { kind: "allowed", path: local, changed: false });
    assert.equal(readFileSync(local, "utf8"), added);
    assert.equal(existsSync(join(folder.path, ".claude/settings.json")), false);
  });

  it("makes the file, private, where there is none, and the folder too", () => {
    rmSync(join(folder.path, ".claude"), { recursive: true });
    assert.equal(allowSaving(folder.path).kind, "allowed");
    assert.deepEqual(JSON.parse(readFileSync(local, "utf8")), { permissions: { allow: [allowRule] } });
    assert.equal(statSync(local).mode & 0o777, 0o600);
    assert.equal(statSync(join(folder.path, ".claude")).mode & 0o777, 0o700);
  });

  for (const text of ["", "{", "// x\n{}", "[]", "7", '{"permissions":[]}', '{"permissions":{"allow":"Edit"}}'])
    it(`leaves alone what is not valid: ${JSON.stringify(text)}`, () => {
      writeFileSync(local, text);
      const result = allowSaving(folder.path);
      assert.ok(result.kind === "problem" && /not valid JSON of settings/.test(result.reason));
      assert.ok(result.remedy.includes(allowRule));
      assert.equal(readFileSync(local, "utf8"), text);
    });

  it("follows no link, of the file or of its folder", () => {
    const target = join(folder.path, "target.json");
    writeFileSync(target, "{}");
    symlinkSync(target, local);
    assert.ok(/is a link/.test(JSON.stringify(allowSaving(folder.path))));
    rmSync(join(folder.path, ".claude"), { recursive: true });
    mkdirSync(join(folder.path, "away"));
    symlinkSync(join(folder.path, "away"), join(folder.path, ".claude"));
    assert.equal(allowSaving(folder.path).kind, "problem");
    assert.equal(readFileSync(target, "utf8"), "{}");
    assert.equal(existsSync(join(folder.path, "away/settings.local.json")), false);
  });

  it("says so where the folder is gone", () => {
    assert.equal(allowSaving(join(folder.path, "gone")).kind, "problem");
  });
});
