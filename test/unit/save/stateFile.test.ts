import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { type LookMemory, lookAgain } from "../../../server/core/save/receipt.ts";
import { StateLook } from "../../../server/protocol/save.ts";
import { digestOfFile, lookAtState } from "../../../server/shell/save/stateFile.ts";
import { canary, code, otherCode, prepared, stateText, testFolder } from "./folder.ts";

describe("a look at the saved state", () => {
  const folder = testFolder();
  let statePath: string;
  beforeEach(() => {
    ({ statePath } = prepared(folder.path));
  });

  /** Every look can be journalled and holds nothing of the file. */
  const look = (more: { minBytes?: number; cwd?: string; statePath?: string } = {}): StateLook => {
    const found = lookAtState({ cwd: folder.path, statePath, code, ...more });
    assert.doesNotMatch(JSON.stringify(found), new RegExp(canary));
    return StateLook.parse(found);
  };
  const kind = (text: string | Buffer) => {
    writeFileSync(statePath, text);
    return look().kind;
  };

  it("finds it well formed: size and digest, the digest of every byte", () => {
    assert.equal(look().kind, "missing");
    writeFileSync(statePath, stateText());
    const sum = createHash("sha256").update(stateText()).digest("hex");
    assert.deepEqual(look(), { kind: "well-formed", size: 1200, digest: sum });
    assert.equal(digestOfFile(statePath), sum);
  });

  it("takes a byte order mark, CRLF, CR and another comment on the first line", () => {
    const text = stateText();
    assert.equal(kind(`\uFEFF${text}`), "well-formed");
    assert.equal(kind(text.replaceAll("\n", "\r\n")), "well-formed");
    assert.equal(kind(`\uFEFF${text.replaceAll("\n", "\r\n")}`), "well-formed");
    assert.equal(kind(text.replaceAll("\n", "\r")), "well-formed");
    assert.equal(kind(stateText(1200, `# plimsoll check code:   ${code.toUpperCase()}  `)), "well-formed");
  });

  it("asks for this save's own code, on the first line and nowhere else", () => {
    assert.equal(kind(stateText(1200, `<!-- plimsoll check code: ${otherCode} -->`)), "wrong-code");
    assert.equal(kind(`\n${stateText()}`), "wrong-code");
    assert.equal(kind(`# State\n${stateText()}`), "wrong-code");
    assert.equal(kind(" ".repeat(5000) + stateText()), "wrong-code");
    assert.equal(kind(Buffer.alloc(2000)), "wrong-code");
    assert.equal(kind(""), "wrong-code");
  });

  it("says the narrowest true cause: an old stub has the wrong code before it is too small", () => {
    assert.equal(kind("old"), "wrong-code");
    assert.equal(kind(stateText(999)), "too-small");
    assert.equal(kind(stateText(1000)), "well-formed");
  });

  it("never accepts less than 200 bytes, whatever is asked for", () => {
    writeFileSync(statePath, stateText(199));
    assert.equal(look({ minBytes: 1 }).kind, "too-small");
    writeFileSync(statePath, stateText(200));
    assert.equal(look({ minBytes: 1 }).kind, "well-formed");
    assert.equal(look({ minBytes: 201 }).kind, "too-small");
  });

  it("knows the request written back, whole, quoted or behind the right code", () => {
    const request = readFileSync(join(statePath, "../request.md"), "utf8");
    assert.equal(kind(request), "echo");
    assert.equal(kind(stateText() + request), "echo");
    assert.equal(kind(`<!-- plimsoll check code: ${code} -->\n${request.replaceAll(/^/gm, "> ")}`), "echo");
    const withoutMarker = request.split("\n").slice(1).join("\n");
    assert.equal(kind(withoutMarker), "wrong-code");
  });

  it("no part of the request passes, from whichever line it is written back (property)", () => {
    const lines = readFileSync(join(statePath, "../request.md"), "utf8").split("\n");
    fc.assert(
      fc.property(fc.nat(lines.length - 1), (from) =>
        assert.notEqual(kind(lines.slice(from).join("\n").padEnd(2000, " x")), "well-formed"),
      ),
      { numRuns: 40 },
    );
  });

  it("does not read more than 1 MiB", () => {
    assert.equal(kind(stateText(1024 * 1024)), "well-formed");
    writeFileSync(statePath, stateText(1024 * 1024 + 1));
    assert.deepEqual(look(), { kind: "too-large", size: 1024 * 1024 + 1 });
    writeFileSync(statePath, stateText(3 * 1024 * 1024));
    assert.deepEqual(look(), { kind: "too-large", size: 3 * 1024 * 1024 });
    assert.equal(digestOfFile(statePath), undefined);
  });

  it("follows no link, at whichever part of the path, nor a hard link", () => {
    const dir = join(statePath, "..");
    const root = join(dir, "..");
    for (const [part, at] of [
      [statePath, "file"],
      [dir, "folder"],
      [root, ".plimsoll"],
    ] as const) {
      rmSync(statePath, { force: true });
      writeFileSync(statePath, stateText());
      const elsewhere = join(folder.path, `elsewhere-${at.replace(".", "")}`);
      renameSync(part, elsewhere);
      symlinkSync(elsewhere, part);
      assert.deepEqual(look(), { kind: "link" }, at);
      rmSync(part);
      renameSync(elsewhere, part);
      assert.equal(look().kind, "well-formed", at);
    }
    linkSync(statePath, join(folder.path, "other-name"));
    assert.deepEqual(look(), { kind: "link" });
  });

  it("takes the agent's folder by another name, but nothing outside it", () => {
    writeFileSync(statePath, stateText());
    const alias = join(folder.path, "alias");
    symlinkSync(folder.path, alias);
    assert.equal(look({ cwd: alias }).kind, "well-formed");
    assert.equal(look({ cwd: alias, statePath: join(alias, ".plimsoll/aaaaaaaaaaaa/state.md") }).kind, "well-formed");
    assert.equal(look({ cwd: join(folder.path, ".plimsoll"), statePath: join(folder.path, "x.md") }).kind, "outside");
    assert.equal(look({ statePath: "../x.md" }).kind, "outside");
    assert.equal(look({ statePath: folder.path }).kind, "outside");
    assert.equal(look({ cwd: join(folder.path, "gone") }).kind, "missing");
  });

  it("waits for no pipe and reads no folder", () => {
    mkdirSync(statePath);
    assert.equal(look().kind, "not-a-file");
    rmSync(statePath, { recursive: true });
    execFileSync("mkfifo", [statePath]);
    assert.equal(look().kind, "not-a-file");
    assert.equal(digestOfFile(statePath), undefined);
  });

  it("says so where it may not read", function () {
    if (process.getuid?.() === 0) this.skip();
    writeFileSync(statePath, stateText());
    chmodSync(statePath, 0);
    assert.deepEqual(look(), { kind: "unreadable", why: "EACCES" });
  });

  it("is only believed when the content stands still: a change between two looks begins anew", () => {
    let memory: LookMemory | undefined;
    const see = (clock: number) => {
      const { looks, verdict } = lookAgain(memory, look(), clock, 0);
      memory = looks;
      return verdict.kind;
    };
    writeFileSync(statePath, stateText(1200));
    assert.equal(see(0), "not-yet");
    writeFileSync(statePath, stateText(1300));
    assert.equal(see(2500), "not-yet");
    // The same size, another content.
    writeFileSync(statePath, stateText(1300).replace("Role", "Rule"));
    assert.equal(see(5000), "not-yet");
    assert.equal(see(7000), "stable");
  });
});
