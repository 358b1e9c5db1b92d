import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { digestOf } from "../../../server/core/digest.ts";
import type { TypedEntry } from "../../../server/core/humanPrompts.ts";
import { createFollower, type Follower, type FollowerOptions } from "../../../server/shell/transcripts/follow.ts";
import { answer, inFolder, prompt } from "./tailFolder.ts";

/** A follower whose changes can be waited for. */
function rig(options: Partial<FollowerOptions> = {}) {
  let changes: string[] = [];
  let wake: (() => void) | undefined;
  const follower = createFollower({
    ...options,
    changed: (path) => {
      changes.push(path);
      wake?.();
    },
  });
  /** Waits until the condition holds, looking again at each change. */
  async function when(condition: () => boolean): Promise<void> {
    while (!condition())
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }
  return {
    follower,
    when,
    changes: () => changes,
    forget: () => {
      changes = [];
    },
  };
}
const tokensOf = (follower: Follower, path: string): number | undefined => {
  const reading = follower.conversationOf(path)?.reading;
  return reading?.kind === "measured" ? reading.tokens : undefined;
};

describe("a follower", () => {
  it("tells each change of its files and of no others", () =>
    inFolder(async (folder) => {
      const [path, other] = [join(folder, "a.jsonl"), join(folder, "b.jsonl")];
      writeFileSync(path, prompt(1) + answer(2, 30_000));
      writeFileSync(other, prompt(1));
      const { follower, when, changes } = rig();
      follower.follow({ agent: "claude", path, root: folder });
      await when(() => tokensOf(follower, path) === 30_000);
      appendFileSync(other, answer(2, 1000));
      appendFileSync(path, prompt(3) + answer(4, 40_000));
      await when(() => tokensOf(follower, path) === 40_000);
      assert.ok(changes().every((changed) => changed === path));
      assert.deepEqual(follower.paths(), [path]);
      follower.dispose();
    }));

  it("reads at once when it is asked to, and once for calls that fall together", () =>
    inFolder(async (folder) => {
      const path = join(folder, "a.jsonl");
      writeFileSync(path, prompt(1) + answer(2, 30_000));
      const { follower } = rig();
      follower.follow({ agent: "claude", path });
      await Promise.all([follower.refresh(path), follower.refresh(path), follower.refresh(path)]);
      assert.equal(tokensOf(follower, path), 30_000);
      appendFileSync(path, answer(3, 40_000));
      await follower.refresh(path);
      assert.equal(tokensOf(follower, path), 40_000);
      await follower.refresh(join(folder, "unknown.jsonl"));
      follower.dispose();
    }));

  it("keeps the last conversation of a deleted file, as gone, and takes the file up again", () =>
    inFolder(async (folder) => {
      const path = join(folder, "a.jsonl");
      writeFileSync(path, prompt(1) + answer(2, 30_000));
      const { follower, when } = rig();
      follower.follow({ agent: "claude", path });
      await when(() => tokensOf(follower, path) === 30_000);
      rmSync(path);
      await when(() => follower.followed(path)?.kind === "gone");
      assert.equal(follower.conversationOf(path)?.turn.kind, "gone");
      writeFileSync(path, prompt(1) + answer(2, 20_000));
      await when(() => tokensOf(follower, path) === 20_000);
      assert.equal(follower.conversationOf(path)?.turn.kind, "idle");
      follower.dispose();
    }));

  it("finds a file whose folder comes later, and one whose folder was made anew", () =>
    inFolder(async (folder) => {
      const sub = join(folder, "later");
      const path = join(sub, "a.jsonl");
      const { follower, when } = rig({ pollMs: 50 });
      follower.follow({ agent: "claude", path });
      await when(() => follower.followed(path)?.kind === "gone");
      mkdirSync(sub);
      writeFileSync(path, prompt(1) + answer(2, 30_000));
      await when(() => tokensOf(follower, path) === 30_000);
      rmSync(sub, { recursive: true });
      await when(() => follower.followed(path)?.kind === "gone");
      mkdirSync(sub);
      writeFileSync(path, prompt(1) + answer(2, 20_000));
      await when(() => tokensOf(follower, path) === 20_000);
      follower.dispose();
    }));

  it("counts a replaced file's restarts and names what cannot be read", () =>
    inFolder(async (folder) => {
      const path = join(folder, "a.jsonl");
      writeFileSync(path, prompt(1) + answer(2, 30_000) + answer(3, 31_000));
      const { follower } = rig();
      follower.follow({ agent: "claude", path });
      await follower.refresh(path);
      writeFileSync(path, prompt(1) + answer(2, 20_000));
      await follower.refresh(path);
      const followed = follower.followed(path);
      assert.ok(followed?.kind === "read" && followed.restarts === 1);
      follower.follow({ agent: "claude", path: folder });
      await follower.refresh(folder);
      assert.deepEqual(follower.followed(folder), { kind: "failed", problem: "it is no file" });
      assert.equal(follower.conversationOf(folder), undefined);
      follower.dispose();
    }));

  it("judges by what was typed and by the settings of the moment", () =>
    inFolder(async (folder) => {
      const path = join(folder, "a.jsonl");
      writeFileSync(path, prompt(1, "theirs") + prompt(60, "ours"));
      const typed: TypedEntry[] = [];
      const user: Record<string, number> = {};
      const { follower } = rig({
        typed: () => typed,
        windowSettings: () => ({ user }),
        now: () => Date.UTC(2026, 9, 6),
      });
      follower.follow({ agent: "claude", path });
      await follower.refresh(path);
      const last = () => follower.conversationOf(path)?.lastHuman;
      const before = last();
      typed.push({ kind: "text", at: Date.UTC(2026, 9, 5, 9, 1), digest: digestOf("ours") });
      assert.notDeepEqual(last(), before);
      assert.equal(follower.conversationOf(path)?.turn.kind, "stalled");
      appendFileSync(path, answer(61, 30_000));
      user["claude-sonnet-4-5"] = 64_000;
      await follower.refresh(path);
      assert.deepEqual(follower.conversationOf(path)?.window, { size: 64_000, basis: "user-setting" });
      follower.dispose();
    }));

  it("is silent once a file is let go, and after its end", () =>
    inFolder(async (folder) => {
      const path = join(folder, "a.jsonl");
      writeFileSync(path, prompt(1));
      const { follower, changes, forget } = rig({ pollMs: 20 });
      follower.follow({ agent: "claude", path });
      await follower.refresh(path);
      follower.unfollow(path);
      follower.unfollow(path);
      forget();
      appendFileSync(path, answer(2, 30_000));
      await follower.refresh(path);
      assert.deepEqual([changes(), follower.followed(path)], [[], undefined]);
      follower.follow({ agent: "claude", path });
      follower.dispose();
      await follower.refresh(path);
      follower.follow({ agent: "claude", path });
      assert.deepEqual([changes(), follower.paths()], [[], []]);
    }));
});
