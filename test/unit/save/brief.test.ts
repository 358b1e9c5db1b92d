import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assembleBrief, stillSame } from "../../../server/shell/save/brief.ts";
import { gitFactsOf } from "../../../server/shell/save/gitFacts.ts";
import { digestOfFile } from "../../../server/shell/save/stateFile.ts";
import { canary, prepared, stateText, testFolder } from "./folder.ts";

const git = (cwd: string, ...argv: readonly string[]): string =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...argv], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();

describe("what the brief says of git", () => {
  const folder = testFolder();
  const commit = () => {
    git(folder.path, "commit", "-q", "--allow-empty", "-m", "x");
    return git(folder.path, "rev-parse", "HEAD");
  };

  it("is a sentence outside a repository and before the first commit", () => {
    assert.deepEqual(gitFactsOf(folder.path), { branch: "not a git repository", head: "not a git repository" });
    git(folder.path, "init", "-q", "-b", "trunk");
    assert.deepEqual(gitFactsOf(folder.path), { branch: "trunk", head: "no commit yet" });
  });

  it("is branch and commit, from a file of its own or the packed list, from a folder below too", () => {
    git(folder.path, "init", "-q", "-b", "trunk");
    const head = commit();
    git(folder.path, "checkout", "-q", "-b", "topic/deep");
    assert.deepEqual(gitFactsOf(folder.path), { branch: "topic/deep", head });
    git(folder.path, "pack-refs", "--all");
    mkdirSync(join(folder.path, "below"));
    assert.deepEqual(gitFactsOf(join(folder.path, "below")), { branch: "topic/deep", head });
    const next = commit();
    assert.deepEqual(gitFactsOf(folder.path), { branch: "topic/deep", head: next });
  });

  it("is the commit alone where the head is detached, and the worktree where it is a further one", () => {
    git(folder.path, "init", "-q", "-b", "trunk");
    const head = commit();
    const tree = join(folder.path, "tree");
    git(folder.path, "worktree", "add", "-q", "-b", "side", tree);
    assert.deepEqual(gitFactsOf(tree), { branch: "side", head, worktree: tree });
    git(folder.path, "checkout", "-q", "--detach");
    assert.deepEqual(gitFactsOf(folder.path), { branch: "none (detached HEAD)", head });
  });

  it("runs nothing of the repository", () => {
    git(folder.path, "init", "-q", "-b", "trunk");
    commit();
    const ran = join(folder.path, "ran");
    git(folder.path, "config", "core.fsmonitor", `touch ${ran}`);
    for (const hook of ["post-index-change", "reference-transaction"]) {
      writeFileSync(join(folder.path, ".git/hooks", hook), `#!/bin/sh\ntouch ${ran}\n`);
      chmodSync(join(folder.path, ".git/hooks", hook), 0o755);
    }
    gitFactsOf(folder.path);
    assert.equal(existsSync(ran), false);
  });

  it("is never empty and never throws where something is broken", () => {
    git(folder.path, "init", "-q", "-b", "trunk");
    const head = join(folder.path, ".git/HEAD");
    for (const text of [
      "",
      "nonsense",
      "ref: ../../etc/passwd",
      "ref: refs/heads/../../../x",
      "ref: refs/heads/.invalid",
    ]) {
      writeFileSync(head, text);
      const { branch, head: commitText } = gitFactsOf(folder.path);
      assert.match(branch, /not known/);
      assert.match(commitText, /not known/);
    }
    writeFileSync(head, "ref: refs/heads/loop\n");
    mkdirSync(join(folder.path, ".git/refs/heads"), { recursive: true });
    writeFileSync(join(folder.path, ".git/refs/heads/loop"), "ref: refs/heads/loop\n");
    assert.match(gitFactsOf(folder.path).head, /not known/);
    rmSync(join(folder.path, ".git"), { recursive: true });
    writeFileSync(join(folder.path, ".git"), "gitdir: /nowhere");
    assert.equal(gitFactsOf(folder.path).branch, "not a git repository");
    rmSync(join(folder.path, ".git"));
    symlinkSync(folder.path, join(folder.path, ".git"));
    assert.equal(gitFactsOf(folder.path).branch, "not a git repository");
    assert.equal(gitFactsOf(join(folder.path, "gone")).branch, "not a git repository");
  });
});

describe("the brief on disk", () => {
  const folder = testFolder();
  const parts = (more: object = {}) => {
    const { dir, statePath } = prepared(folder.path);
    writeFileSync(statePath, stateText());
    const state = { path: statePath, digest: digestOfFile(statePath) ?? "" };
    return {
      dir,
      state,
      parts: {
        cwd: folder.path,
        resetId: "aaaaaaaaaaaa",
        agent: "claude" as const,
        oldConversationId: "old",
        workflow: "state-file",
        mode: "wait" as const,
        state,
        ...more,
      },
    };
  };

  it("is private, complete, and its digest is the file's", () => {
    const { dir, parts: given } = parts();
    const brief = assembleBrief(dir, given);
    assert.ok(brief.kind === "ready");
    assert.equal(statSync(brief.path).mode & 0o777, 0o600);
    assert.equal(digestOfFile(brief.path), brief.digest);
    assert.match(readFileSync(brief.path, "utf8"), /not a git repository/);
    assert.doesNotMatch(readFileSync(brief.path, "utf8") + JSON.stringify(brief), new RegExp(canary));
  });

  it("is not written where a required value is missing, and names it", () => {
    const { dir, parts: given } = parts({ taskId: " " });
    const brief = assembleBrief(dir, given, ["taskId"]);
    assert.ok(brief.kind === "problem" && /lacks taskId/.test(brief.reason));
    assert.equal(existsSync(join(dir, "brief.md")), false);
  });

  it("is not written where it is too large", () => {
    const { dir, parts: given } = parts({ fields: { Note: "x".repeat(50_000) } });
    const brief = assembleBrief(dir, given);
    assert.ok(brief.kind === "problem" && /48 kB/.test(brief.reason));
  });

  it("is not written through a link", () => {
    const { dir, parts: given } = parts();
    const elsewhere = join(folder.path, "elsewhere");
    mkdirSync(elsewhere);
    rmSync(dir, { recursive: true });
    symlinkSync(elsewhere, dir);
    assert.equal(assembleBrief(dir, given).kind, "problem");
    assert.equal(existsSync(join(elsewhere, "brief.md")), false);
  });

  it("replaces a link in its own place instead of following it", () => {
    const { dir, parts: given } = parts();
    const precious = join(folder.path, "precious");
    writeFileSync(precious, "kept");
    symlinkSync(precious, join(dir, "brief.md"));
    assert.equal(assembleBrief(dir, given).kind, "ready");
    assert.equal(readFileSync(precious, "utf8"), "kept");
  });

  it("is the same until either file changes, is gone or becomes a link", () => {
    const { dir, parts: given, state } = parts();
    const brief = assembleBrief(dir, given);
    assert.ok(brief.kind === "ready");
    const kind = () => stillSame(folder.path, [state, brief]).kind;
    assert.equal(kind(), "same");
    writeFileSync(state.path, `${stateText()}.`);
    assert.equal(kind(), "problem");
    writeFileSync(state.path, stateText());
    assert.equal(kind(), "same");
    rmSync(brief.path);
    assert.equal(kind(), "problem");
    symlinkSync(state.path, brief.path);
    assert.equal(stillSame(folder.path, [{ path: brief.path, digest: state.digest }]).kind, "problem");
    assert.doesNotMatch(JSON.stringify(stillSame(folder.path, [state, brief])), new RegExp(canary));
  });
});
