import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { answer, inFolder, prompt } from "../shell/tailFolder.ts";
import { ids, inProject, put, run, tokens } from "./measureRun.ts";

describe("plimsoll measure: where it looks", () => {
  it("finds conversations from a home, a config folder, a tree and a folder above, and nothing else", () =>
    inFolder(async (folder) => {
      put(inProject(folder, ids[0]), prompt(1) + answer(2, 30_000));
      const project = dirname(inProject(folder, ids[0]));
      put(
        join(project, ids[0], "subagents", "agent-a6fb8ec187a1793d9.jsonl"),
        answer(2, 9000).replace("false", "true"),
      );
      put(join(project, "agent-a6fb8ec1.jsonl"), answer(2, 9000));
      put(inProject(folder, ids[1]), prompt(1).replace('"isSidechain":false', '"isSidechain":true'));
      put(join(folder, ".claude", "history.jsonl"), '{"display":"x","pastedContents":{},"sessionId":"s"}\n');
      put(join(project, "foreign.jsonl"), '{"hello":1}\n');
      const rollout = join(
        folder,
        ".codex",
        "sessions",
        "2026",
        "10",
        "05",
        `rollout-2026-10-05T09-00-00-${ids[2]}.jsonl`,
      );
      put(
        rollout,
        `{"timestamp":"2026-10-05T09:00:00.000Z","type":"session_meta","payload":{"id":"${ids[2]}","cwd":"/proj/demo"}}\n`,
      );
      for (const [path, agents] of [
        [folder, ["claude", "codex"]],
        [join(folder, ".claude"), ["claude"]],
        [join(folder, ".claude", "projects"), ["claude"]],
        [project, ["claude"]],
        [join(folder, ".codex"), ["codex"]],
        [join(folder, ".codex", "sessions"), ["codex"]],
      ] as const) {
        const { out } = await run([path]);
        assert.deepEqual(out.map(({ agent }) => agent).toSorted(), agents, path);
      }
      assert.deepEqual(
        (await run([folder, "--agent", "codex"])).out.map(({ state, tokens }) => [state, tokens]),
        [["idle", undefined]],
      );
      assert.deepEqual(tokens(await run([folder, folder, "--agent", "claude"])), [30_000]);
      assert.deepEqual((await run(["--home", folder])).out.length, 2);
      assert.deepEqual((await run([join(project, ids[0], "subagents", "agent-a6fb8ec187a1793d9.jsonl")])).code, 1);
    }));

  it("is not held up by a pipe between the transcripts", function () {
    if (process.platform === "win32") this.skip();
    return inFolder(async (folder) => {
      put(inProject(folder, ids[0]), prompt(1) + answer(2, 30_000));
      const project = dirname(inProject(folder, ids[0]));
      execFileSync("mkfifo", [join(project, "odd.jsonl"), inProject(folder, ids[1]), join(folder, "linked")]);
      symlinkSync(join(folder, "linked"), join(project, "link.jsonl"));
      execFileSync("mkfifo", [join(folder, ".claude", "settings.json"), join(folder, ".claude", "history.jsonl")]);
      for (const path of [folder, project]) assert.deepEqual(tokens(await run([path])), [30_000]);
    });
  });

  it("goes through a linked config folder, and not out of it", () =>
    inFolder(async (folder) => {
      const real = join(folder, "real");
      put(join(real, "projects", "-p", `${ids[0]}.jsonl`), prompt(1) + answer(2, 30_000));
      put(join(folder, "elsewhere", `${ids[1]}.jsonl`), prompt(1) + answer(2, 99_000));
      symlinkSync(join(folder, "elsewhere"), join(real, "projects", "-out"));
      symlinkSync(join(folder, "elsewhere", `${ids[1]}.jsonl`), join(real, "projects", "-p", `${ids[1]}.jsonl`));
      mkdirSync(join(folder, "home"));
      symlinkSync(real, join(folder, "home", ".claude"));
      assert.deepEqual(tokens(await run([join(folder, "home")])), [30_000]);
      assert.deepEqual(
        tokens(await run([join(folder, "home")], { CLAUDE_CONFIG_DIR: real }, join(folder, "home"))),
        [30_000],
      );
    }));

  it("keeps to the folder that is asked for", () =>
    inFolder(async (folder) => {
      put(inProject(folder, ids[0], "-proj-my-app"), prompt(1) + answer(2, 30_000));
      put(
        inProject(folder, ids[1], "-proj-my-app"),
        (prompt(1) + answer(2, 40_000)).replaceAll("/proj/demo", "C:\\\\proj\\\\my-app"),
      );
      assert.deepEqual(tokens(await run([folder, "--cwd", "/proj/demo/"])), [30_000]);
      assert.deepEqual(tokens(await run([folder, "--cwd", "C:\\proj\\my-app"])), [40_000]);
      const none = await run([folder, "--cwd", "/proj/other"]);
      assert.deepEqual([none.code, none.out.length], [1, 0]);
      assert.match(none.error, /no conversation of \/proj\/other was found/);
    }));

  it("knows a conversation by its place, and a file by its end where its beginning is broken", () =>
    inFolder(async (folder) => {
      const empty = put(inProject(folder, ids[0]), "");
      for (const path of [folder, dirname(dirname(empty)), empty])
        assert.deepEqual(
          (await run([path])).out.map(({ conversationId, state, records }) => [conversationId, state, records]),
          [[ids[0], "idle", 0]],
          path,
        );
      const broken = put(join(folder, "t.jsonl"), `${"\0".repeat(70_000)}\n${prompt(1)}${answer(2, 30_000)}`);
      assert.deepEqual(
        (await run([broken])).out.map(({ tokens, badLines }) => [tokens, badLines]),
        [[30_000, 1]],
      );
    }));

  it("takes a folder and a link to it for the same", () =>
    inFolder(async (folder) => {
      const real = join(folder, "real");
      const link = join(folder, "link");
      mkdirSync(real);
      symlinkSync(real, link);
      const path = put(join(folder, "t.jsonl"), (prompt(1) + answer(2, 30_000)).replaceAll("/proj/demo", link));
      assert.deepEqual(tokens(await run([path, "--cwd", real])), [30_000]);
      assert.deepEqual(tokens(await run([path, "--cwd", `${link}/`])), [30_000]);
    }));
});
