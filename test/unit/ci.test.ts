import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../..");
const read = (file: string) => readFile(path.join(root, file), "utf8");

describe("the CI file", () => {
  it("pins every action to a commit", async () => {
    const uses = [...(await read(".github/workflows/ci.yml")).matchAll(/uses: (\S+)( # v\d+\.\d+\.\d+)?/g)];
    assert.notEqual(uses.length, 0);
    for (const [all, action = "", version] of uses) {
      assert.match(action, /^actions\/[a-z-]+@[0-9a-f]{40}$/, all);
      assert.notEqual(version, undefined, `${all} does not tell its version`);
    }
  });

  it("tests the oldest VS Code that the manifest allows", async () => {
    const oldest = /"vscode": "\^([\d.]+)"/.exec(await read("package.json"))?.[1] ?? "none";
    assert.ok((await read(".github/workflows/ci.yml")).includes(`version: [${oldest}, stable]`));
  });
});
