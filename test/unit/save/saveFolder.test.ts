import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { requestMarker } from "../../../server/core/save/requestText.ts";
import { lastSavedState, noteNextConversation } from "../../../server/shell/save/lastSaved.ts";
import { prepareSave, type SaveOrder } from "../../../server/shell/save/saveFolder.ts";
import { SaveMeta } from "../../../server/shell/save/saves.ts";
import { at, canary, order, prepared, resetIdOf, stateText, testFolder } from "./folder.ts";

const git = (cwd: string, ...argv: readonly string[]): string =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always", ...argv], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
const mode = (path: string) => statSync(path).mode & 0o777;

describe("the folder of a save", () => {
  const folder = testFolder();

  const reasonOf = (more: Partial<SaveOrder> = {}): string => {
    const result = prepareSave(order(folder.path, more));
    if (result.kind !== "problem") throw new Error("it was prepared");
    assert.match(result.remedy, /^[A-Z].*\.$/);
    return result.reason;
  };

  it("holds the request and the record, private, and the state goes beside them", () => {
    const save = prepared(folder.path);
    assert.deepEqual(readdirSync(save.dir).sort(), ["meta.json", "request.md"]);
    assert.equal(save.dir, join(folder.path, ".plimsoll", "aaaaaaaaaaaa"));
    assert.equal(save.statePath, join(save.dir, "state.md"));
    for (const dir of [save.dir, join(folder.path, ".plimsoll")]) assert.equal(mode(dir), 0o700);
    for (const name of ["meta.json", "request.md"]) assert.equal(mode(join(save.dir, name)), 0o600);
    assert.ok(readFileSync(save.requestPath, "utf8").startsWith(requestMarker));
    const meta = SaveMeta.parse(JSON.parse(readFileSync(join(save.dir, "meta.json"), "utf8")));
    assert.deepEqual([meta.chain, meta.conversationId, meta.at], ["first", "first", at]);
  });

  it("asks by another text where the workflow's own command saves", () => {
    assert.match(readFileSync(prepared(folder.path, { variant: "command" }).requestPath, "utf8"), /at least 200 bytes/);
  });

  it("refuses a link in place of .plimsoll, and makes nothing behind it", () => {
    const elsewhere = join(folder.path, "elsewhere");
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, join(folder.path, ".plimsoll"));
    assert.match(reasonOf(), /is a link/);
    assert.deepEqual(readdirSync(elsewhere), []);
  });

  it("refuses a link, or anything else, in place of the folder", () => {
    mkdirSync(join(folder.path, ".plimsoll"));
    const dir = join(folder.path, ".plimsoll", "aaaaaaaaaaaa");
    symlinkSync(folder.path, dir);
    assert.match(reasonOf(), /exists already/);
    rmSync(dir);
    mkdirSync(dir);
    assert.match(reasonOf(), /exists already/);
    assert.deepEqual(readdirSync(dir), []);
  });

  it("refuses a file in place of .plimsoll, and a folder that is gone", () => {
    writeFileSync(join(folder.path, ".plimsoll"), "");
    assert.match(reasonOf(), /is no folder/);
    assert.match(reasonOf({ cwd: join(folder.path, "gone") }), /ENOENT/);
  });

  it("refuses a folder that may not be written", function () {
    if (process.getuid?.() === 0) this.skip();
    chmodSync(folder.path, 0o500);
    assert.match(reasonOf(), /EACCES/);
    chmodSync(folder.path, 0o700);
  });

  it("refuses an id or a code that is none, and a folder whose name breaks a line", () => {
    for (const bad of ["", "../../x", "AAAAAAAAAAAA", "aaaaaaaaaaaaa"]) {
      assert.match(reasonOf({ resetId: bad }), /no proper id/);
      assert.match(reasonOf({ code: bad }), /no proper id/);
    }
    const odd = join(folder.path, "a\nb");
    mkdirSync(odd);
    assert.match(reasonOf({ cwd: odd }), /one line/);
    assert.equal(existsSync(join(odd, ".plimsoll")), false);
  });

  it("leaves nothing behind where its record cannot be written", () => {
    assert.match(reasonOf({ conversationId: "x".repeat(301) }), /could not be made/);
    assert.deepEqual(readdirSync(join(folder.path, ".plimsoll")), []);
  });

  it("tightens the rights of a .plimsoll that was there", () => {
    mkdirSync(join(folder.path, ".plimsoll"), { mode: 0o755 });
    prepared(folder.path);
    assert.equal(mode(join(folder.path, ".plimsoll")), 0o700);
  });

  describe("and git", () => {
    const seen = (cwd: string) => git(cwd, "status", "--porcelain", "--untracked-files=all");
    const exclude = (dir: string) => readFileSync(join(dir, "info", "exclude"), "utf8");

    it("never shows it: info/exclude holds it once, .gitignore is not touched", () => {
      git(folder.path, "init", "-q");
      prepared(folder.path);
      prepared(folder.path, { resetId: resetIdOf(2) });
      assert.equal(seen(folder.path), "");
      assert.equal(exclude(join(folder.path, ".git")).match(/^\.plimsoll\/$/gm)?.length, 1);
      assert.equal(existsSync(join(folder.path, ".gitignore")), false);
    });

    it("keeps what stands in info/exclude, with or without a last line's end, and makes it where it is missing", () => {
      git(folder.path, "init", "-q");
      writeFileSync(join(folder.path, ".git/info/exclude"), "*.log");
      prepared(folder.path);
      assert.equal(exclude(join(folder.path, ".git")), "*.log\n.plimsoll/\n");
      rmSync(join(folder.path, ".git/info"), { recursive: true });
      prepared(folder.path, { resetId: resetIdOf(2) });
      assert.equal(exclude(join(folder.path, ".git")), ".plimsoll/\n");
    });

    it("finds the repository from a folder below, from a further worktree and from a submodule", () => {
      const main = join(folder.path, "main");
      const other = join(folder.path, "other");
      for (const dir of [main, other]) {
        mkdirSync(join(dir, "deep"), { recursive: true });
        git(dir, "init", "-q");
        git(dir, "commit", "-q", "--allow-empty", "-m", "x");
      }
      prepared(join(main, "deep"));
      assert.equal(seen(main), "");
      git(other, "worktree", "add", "-q", "../tree");
      prepared(join(folder.path, "tree"));
      assert.equal(seen(join(folder.path, "tree")), "");
      assert.match(exclude(join(other, ".git")), /^\.plimsoll\/$/m);
      git(main, "submodule", "add", "-q", other, "sub");
      prepared(join(main, "sub"));
      assert.equal(seen(join(main, "sub")), "");
      assert.match(exclude(join(main, ".git/modules/sub")), /^\.plimsoll\/$/m);
    });

    it("is not fatal: a note says what could not be done, and no link is followed", () => {
      git(folder.path, "init", "-q");
      const target = join(folder.path, "target");
      writeFileSync(target, "");
      rmSync(join(folder.path, ".git/info/exclude"));
      symlinkSync(target, join(folder.path, ".git/info/exclude"));
      assert.match(prepared(folder.path).note ?? "", /info\/exclude \(link\)/);
      assert.equal(readFileSync(target, "utf8"), "");
    });

    it("has nothing to do outside a repository", () => {
      assert.equal(prepared(folder.path).note, undefined);
    });
  });

  describe("in a chain of conversations", () => {
    const save = (number: number, conversationId: string) => {
      const result = prepared(folder.path, { resetId: resetIdOf(number), conversationId, at: at + number });
      writeFileSync(result.statePath, stateText());
      return result;
    };
    const left = () => readdirSync(join(folder.path, ".plimsoll")).map((name) => Number.parseInt(name, 16));

    it("is found again by what was noted after the clear", () => {
      const first = save(1, "a");
      assert.deepEqual(noteNextConversation(first.dir, "b", "d".repeat(64)), { kind: "noted" });
      assert.equal(save(2, "b").chain, "a");
      assert.equal(save(3, "b").chain, "a");
      assert.equal(save(4, "c").chain, "c");
    });

    it("keeps the newest five, and leaves the chain of another agent in the same folder alone", () => {
      for (let number = 1; number <= 20; number += 2) {
        save(number, "a");
        save(number + 1, "z");
      }
      const rest = left();
      assert.deepEqual(
        rest.filter((n) => n % 2 === 1),
        [11, 13, 15, 17, 19],
      );
      assert.deepEqual(
        rest.filter((n) => n % 2 === 0),
        [12, 14, 16, 18, 20],
      );
      save(21, "a");
      save(23, "a");
      assert.deepEqual(
        left().filter((n) => n % 2 === 0),
        [12, 14, 16, 18, 20],
      );
    });

    it("keeps the newest state even if five later saves brought none", () => {
      const good = save(1, "a");
      for (let number = 2; number <= 9; number += 1)
        prepared(folder.path, { resetId: resetIdOf(number), conversationId: "a", at: at + number });
      assert.deepEqual(left(), [1, 5, 6, 7, 8, 9]);
      assert.equal(lastSavedState({ cwd: folder.path, conversationId: "a" })?.path, good.statePath);
    });

    it("removes only its own four files: a folder with anything else in it stays", () => {
      const kept = save(1, "a");
      writeFileSync(join(kept.dir, "mine.txt"), "");
      const folderInside = save(2, "a");
      rmSync(folderInside.statePath);
      mkdirSync(folderInside.statePath);
      mkdirSync(join(folder.path, ".plimsoll", "not-ours"));
      for (let number = 3; number <= 9; number += 1) save(number, "a");
      assert.ok(existsSync(join(kept.dir, "mine.txt")) && existsSync(kept.statePath));
      assert.ok(existsSync(folderInside.statePath));
      assert.ok(existsSync(join(folder.path, ".plimsoll", "not-ours")));
      assert.equal(existsSync(join(folder.path, ".plimsoll", resetIdOf(3))), false);
    });

    it("does not remove through a link", () => {
      const linked = save(1, "a");
      const precious = join(folder.path, "precious");
      writeFileSync(precious, "kept");
      rmSync(linked.statePath);
      symlinkSync(precious, linked.statePath);
      for (let number = 2; number <= 7; number += 1) save(number, "a");
      assert.equal(existsSync(linked.dir), false);
      assert.equal(readFileSync(precious, "utf8"), "kept");
    });
  });

  describe("and the last saved state", () => {
    it("is the newest of the conversation's chain, else the newest here; without a state, none", () => {
      assert.equal(lastSavedState({ cwd: folder.path }), undefined);
      const a = prepared(folder.path, { resetId: resetIdOf(1), conversationId: "a", at });
      assert.equal(lastSavedState({ cwd: folder.path, conversationId: "a" }), undefined);
      const b = prepared(folder.path, { resetId: resetIdOf(2), conversationId: "z", at: at + 1 });
      for (const { statePath } of [a, b]) writeFileSync(statePath, stateText());
      noteNextConversation(a.dir, "a2");
      const last = (conversationId?: string) =>
        lastSavedState({ cwd: folder.path, ...(conversationId === undefined ? {} : { conversationId }) })?.path;
      assert.deepEqual(
        [last("a"), last("a2"), last("z"), last("new"), last()],
        [a.statePath, a.statePath, b.statePath, b.statePath, b.statePath],
      );
      assert.doesNotMatch(JSON.stringify(lastSavedState({ cwd: folder.path })), new RegExp(canary));
    });

    it("takes no save whose record is broken, too large or of another folder, and no state that is a link", () => {
      const save = prepared(folder.path);
      const meta = readFileSync(join(save.dir, "meta.json"), "utf8");
      writeFileSync(save.statePath, stateText());
      for (const broken of ["", "{", `${meta}${" ".repeat(4096)}`, meta.replace("aaaaaaaaaaaa", "bbbbbbbbbbbb")]) {
        writeFileSync(join(save.dir, "meta.json"), broken);
        assert.equal(lastSavedState({ cwd: folder.path }), undefined);
        assert.equal(noteNextConversation(save.dir, "b").kind === "noted", broken.includes("bbbbbbbbbbbb"));
      }
      writeFileSync(join(save.dir, "meta.json"), meta);
      rmSync(save.statePath);
      symlinkSync("/etc/hostname", save.statePath);
      assert.equal(lastSavedState({ cwd: folder.path }), undefined);
    });

    it("says so where the record is gone", () => {
      const save = prepared(folder.path);
      rmSync(join(save.dir, "meta.json"));
      assert.equal(noteNextConversation(save.dir, "b").kind, "problem");
    });
  });
});
