import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  appendDurably,
  createOnce,
  ensurePrivateDir,
  publish,
  publishOnce,
  readPrivate,
  removeFile,
} from "../../../server/shell/secureFiles.ts";

const modeOf = (path: string) => statSync(path).mode & 0o777;
const somebody = 12_345;

describe("a private file (R222)", () => {
  let dir: string;
  let file: string;
  beforeEach(function () {
    if (process.platform === "win32") this.skip();
    dir = mkdtempSync(join(tmpdir(), "plimsoll-private-"));
    file = join(dir, "file");
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it("is for its owner alone, however it is written", () => {
    const previous = process.umask(0);
    try {
      ensurePrivateDir(join(dir, "a", "b"));
      appendDurably(join(dir, "appended"), "x", 0);
      publish(join(dir, "published"), "x");
      publishOnce(join(dir, "once"), "x");
      createOnce(join(dir, "created"), "x");
    } finally {
      process.umask(previous);
    }
    for (const name of ["a", "a/b"]) assert.equal(modeOf(join(dir, name)), 0o700);
    for (const name of ["appended", "published", "once", "created"]) {
      assert.equal(modeOf(join(dir, name)), 0o600);
      assert.equal(readPrivate(join(dir, name)), "x");
    }
    assert.deepEqual(readdirSync(dir).toSorted(), ["a", "appended", "created", "once", "published"]);
  });

  it("that is a link is neither read nor written", () => {
    const target = join(dir, "target");
    writeFileSync(target, "theirs", { mode: 0o600 });
    symlinkSync(target, file);
    assert.throws(() => readPrivate(file), /is a link/);
    assert.throws(() => appendDurably(file, "x", 6), /is a link/);
    assert.equal(createOnce(file, "x"), false);
    assert.equal(publishOnce(file, "x"), false);
    publish(file, "ours");
    assert.equal(readFileSync(target, "utf8"), "theirs");
    assert.equal(readPrivate(file), "ours");
  });

  it("that has a second name is neither read nor written", () => {
    writeFileSync(file, "x", { mode: 0o600 });
    linkSync(file, join(dir, "other"));
    assert.throws(() => readPrivate(file), /2 names/);
    assert.throws(() => appendDurably(file, "y", 1), /2 names/);
    assert.equal(readPrivate(file, 2), "x");
    assert.equal(readFileSync(file, "utf8"), "x");
  });

  it("that others may read or write is neither read nor written", () => {
    writeFileSync(file, "x");
    for (const mode of [0o640, 0o604, 0o620, 0o602, 0o666]) {
      chmodSync(file, mode);
      assert.throws(() => readPrivate(file), new RegExp(`mode ${mode.toString(8)}, not 600`));
      assert.throws(() => appendDurably(file, "y", 1), /open to other accounts/);
    }
  });

  it("of another account is neither read nor written", function () {
    if (process.geteuid?.() !== 0) this.skip();
    writeFileSync(file, "x", { mode: 0o600 });
    chownSync(file, somebody, somebody);
    assert.throws(() => readPrivate(file), /belongs to account 12345, not to 0/);
    assert.throws(() => appendDurably(file, "y", 1), /belongs to account/);
  });

  it("that is a pipe or a folder is no file, and is not waited for", () => {
    execFileSync("mkfifo", ["-m", "600", file]);
    assert.throws(() => readPrivate(file), /no plain file/);
    assert.throws(() => appendDurably(file, "y", 0));
    assert.throws(() => readPrivate(dir), /no plain file/);
  });

  it("that is too large is not read, and one that is not there is nothing", () => {
    writeFileSync(file, Buffer.alloc(4 * 1024 * 1024 + 1), { mode: 0o600 });
    assert.throws(() => readPrivate(file), /larger than/);
    assert.equal(removeFile(file), true);
    assert.equal(removeFile(file), false);
    assert.equal(readPrivate(file), undefined);
  });

  it("is appended to only where nobody else wrote", () => {
    assert.equal(appendDurably(file, "one\n", 0), true);
    assert.equal(appendDurably(file, "two\n", 4), true);
    assert.equal(appendDurably(file, "three\n", 4), false);
    assert.equal(readPrivate(file), "one\ntwo\n");
  });

  it("is made once", () => {
    assert.equal(publishOnce(file, "one"), true);
    assert.equal(publishOnce(file, "two"), false);
    assert.equal(createOnce(file, "three"), false);
    assert.equal(readPrivate(file), "one");
    assert.deepEqual(readdirSync(dir), ["file"]);
  });
});

describe("a private folder (R222)", () => {
  let dir: string;
  beforeEach(function () {
    if (process.platform === "win32") this.skip();
    dir = mkdtempSync(join(tmpdir(), "plimsoll-private-"));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it("is closed to others where it was open to them", () => {
    const folder = join(dir, "folder");
    mkdirSync(folder);
    chmodSync(folder, 0o775);
    ensurePrivateDir(folder);
    assert.equal(modeOf(folder), 0o700);
  });

  it("is no link, and no file", () => {
    mkdirSync(join(dir, "target"));
    symlinkSync(join(dir, "target"), join(dir, "link"));
    writeFileSync(join(dir, "file"), "");
    assert.throws(() => ensurePrivateDir(join(dir, "link")), /is a link/);
    assert.throws(() => ensurePrivateDir(join(dir, "file")));
  });

  it("of another account is not used", function () {
    if (process.geteuid?.() !== 0) this.skip();
    mkdirSync(join(dir, "theirs"), { mode: 0o700 });
    chownSync(join(dir, "theirs"), somebody, somebody);
    assert.throws(() => ensurePrivateDir(join(dir, "theirs")), /belongs to account 12345/);
  });

  it("below a folder where anybody may replace it is not used; a sticky one is safe", () => {
    const open = join(dir, "open");
    mkdirSync(open);
    chmodSync(open, 0o777);
    assert.throws(() => ensurePrivateDir(join(open, "ours")), /may be written by anybody/);
    chmodSync(open, 0o1777);
    ensurePrivateDir(join(open, "ours"));
  });
});
