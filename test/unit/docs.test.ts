import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { readmeFile, withTables } from "../docs.ts";

const read = async (file: string) => (await readFile(file, "utf8")).replaceAll("\r\n", "\n");

describe("the README", () => {
  it("has the tables that the code makes: npm run docs", async () => {
    const readme = await read(readmeFile);
    assert.equal(withTables(readme), readme);
  });

  it("notices a stale table", async () => {
    const stale = (await read(readmeFile)).replace(
      "| Claude Code | *Clear* | `/clear` |",
      "| Claude Code | *Clear* | `/new` |",
    );
    assert.notEqual(withTables(stale), stale);
  });

  it("names only scripts that exist", async () => {
    const { scripts } = JSON.parse(await read(path.join(path.dirname(readmeFile), "package.json")));
    const named = [...(await read(readmeFile)).matchAll(/npm (?:run )?([a-z]+)/g)].map(([, name = ""]) => name);
    const builtIn = ["ci"];
    assert.deepEqual(
      named.filter((name) => !builtIn.includes(name) && !Object.hasOwn(scripts, name)),
      [],
    );
  });

  it("is not written in the words of the code", async () => {
    const said = (await read(readmeFile)).replaceAll(/`[^`]*`/g, "");
    assert.doesNotMatch(
      said,
      /\b(arm|arms|armed|breach\w*|receipts?|nonces?|claim(s|ed)?|composers?|unenforced|re-?orient\w*)\b/i,
    );
  });

  it("has every heading its own links lead to", async () => {
    const readme = await read(readmeFile);
    const anchors = new Set([...readme.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchor(heading)));
    const links = [...readme.matchAll(/\]\(#([^)]+)\)/g)].map(([, target = ""]) => target);
    assert.deepEqual(
      links.filter((link) => !anchors.has(link)),
      [],
    );
  });
});

const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, "")
    .replaceAll(" ", "-");
