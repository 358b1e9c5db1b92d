import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ExitCode } from "../../../server/cli/command.ts";
import { measure } from "../../../server/cli/measure.ts";
import { answer, inFolder, output, prompt } from "../shell/tailFolder.ts";

const ids = [
  "00000000-0000-4000-8000-000000000001",
  "00000000-0000-4000-8000-000000000002",
  "00000000-0000-4000-8000-000000000003",
] as const;

type Ran = { readonly code: ExitCode; readonly out: readonly Record<string, unknown>[]; readonly error: string };

async function run(args: readonly string[], environment: Record<string, string> = {}, home = "/nobody"): Promise<Ran> {
  const out: Record<string, unknown>[] = [];
  let error = "";
  const code = await measure.run(args, {
    out: (text) => {
      if (text.startsWith("{")) out.push(JSON.parse(text));
    },
    error: (text) => {
      error += text;
    },
    environment,
    home,
    ended: new Promise(() => undefined),
  });
  return { code, out, error };
}

function put(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}
const inProject = (home: string, id: string, slug = "-proj-demo") =>
  join(home, ".claude", "projects", slug, `${id}.jsonl`);
const tokens = ({ out }: Ran) => out.map((record) => record["tokens"]);

describe("plimsoll measure", () => {
  it("prints a conversation in its own words, unknown fields absent, no text of it", () =>
    inFolder(async (folder) => {
      const path = put(join(folder, "t.jsonl"), prompt(1, "a secret") + answer(2, 153_004));
      const { code, out } = await run([path]);
      assert.equal(code, 0);
      assert.deepEqual(out, [
        {
          agent: "claude",
          conversationId: "s1",
          transcript: path,
          tokens: 153_004,
          tokensPlusOutput: 153_013,
          windowSize: 200_000,
          windowBasis: "model-table",
          percent: 76.5,
          pressure: "soft",
          decidedBy: "percent",
          state: "idle",
          lastHumanPromptAt: "2026-10-05T09:00:01.000Z",
          badLines: 0,
          records: 2,
          compactions: 0,
        },
      ]);
    }));

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

  it("takes settings files, the environment and what was typed into account", () =>
    inFolder(async (folder) => {
      const path = put(inProject(folder, ids[0]), prompt(1, "theirs") + prompt(60, "ours") + answer(61, 160_000));
      put(
        join(folder, ".claude", "settings.json"),
        `\uFEFF${JSON.stringify({ model: "sonnet[1m]", env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "180000" } })}`,
      );
      const typed = put(
        join(folder, "typed.json"),
        JSON.stringify([
          { text: "ours", at: "2026-10-05T09:00:59.000Z" },
          { key: "Escape", at: 5 },
        ]),
      );
      const [record] = (await run([path, "--typed", typed])).out;
      assert.deepEqual(
        [record?.["windowSize"], record?.["windowBasis"], record?.["lastHumanPromptAt"]],
        [1_000_000, "settings", "2026-10-05T09:00:01.000Z"],
      );
      assert.deepEqual([record?.["pressure"], record?.["decidedBy"]], ["hard", "own-compaction"]);
      const [other] = (
        await run([path], {
          CLAUDE_CODE_DISABLE_1M_CONTEXT: "1",
          DR_CTX_SOFT_TOKENS: "1000",
          DR_CTX_HARD_TOKENS: "2000",
        })
      ).out;
      assert.deepEqual([other?.["windowSize"], other?.["decidedBy"]], [200_000, "absolute"]);
    }));

  it("lets a cleared conversation inherit, by record or by history", () =>
    inFolder(async (folder) => {
      const clear = (more: object) =>
        `${JSON.stringify({ type: "user", sessionId: ids[1], cwd: "/proj/demo", uuid: "c1", timestamp: "2026-10-05T09:01:00.000Z", message: { content: "<command-name>/clear</command-name>" }, ...more })}\n`;
      const child = put(inProject(folder, ids[1]), clear({ parentUuid: "last" }));
      put(inProject(folder, ids[0]), prompt(1) + answer(2, 30_000).replace(/"uuid":"\w+"/, '"uuid":"last"'));
      const human = async () => (await run([child])).out[0]?.["lastHumanPromptAt"];
      assert.equal(await human(), "2026-10-05T09:00:01.000Z");
      writeFileSync(child, clear({ parentUuid: null }));
      assert.equal(await human(), undefined);
      const entry = (display: string, sessionId: string, at: string) =>
        `${JSON.stringify({ display, timestamp: Date.parse(at), sessionId })}\n`;
      put(
        join(folder, ".claude", "history.jsonl"),
        `${entry("/clear", ids[2], "2026-10-05T08:00:00.000Z")}{"display":"/clear oops\n${entry("/clear", ids[0], "2026-10-05T09:00:59.000Z")}`,
      );
      assert.equal(await human(), "2026-10-05T09:00:01.000Z");
      appendFileSync(child, prompt(90));
      assert.equal(await human(), "2026-10-05T09:01:30.000Z");
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

  it("measures on where a time is none", () =>
    inFolder(async (folder) => {
      const path = put(join(folder, "t.jsonl"), prompt(1).replace(/"2026[^"]+"/, "1e300") + answer(2, 30_000));
      assert.deepEqual(tokens(await run([path])), [30_000]);
    }));

  it("refuses what it cannot do, with a sentence", () =>
    inFolder(async (folder) => {
      const path = put(join(folder, "t.jsonl"), prompt(1));
      for (const [args, words] of [
        [["--nonsense"], /--nonsense/],
        [[], /No PATH/],
        [[""], /is empty/],
        [[path, "--home", ""], /is empty/],
        [[put(join(folder, "rollout.jsonl.zst"), "")], /is packed/],
        [[path, "--now", "soon"], /is no time/],
        [[path, "--agent", "gpt"], /claude or codex/],
        [[path, "--typed", join(folder, "none.json")], /cannot be read/],
        [[path, "--typed", put(join(folder, "odd.json"), "{}")], /holds no/],
        [[join(folder, "none")], /no such file or folder/],
      ] as const) {
        const { code, error } = await run(args);
        assert.equal(code, 2, args.join(" "));
        assert.match(error, words);
      }
      assert.deepEqual((await run([path], { DR_CTX_SOFT_TOKENS: "9", DR_CTX_HARD_TOKENS: "9" })).code, 2);
      assert.deepEqual((await run([put(join(folder, "foreign.jsonl"), "hello\n")])).code, 1);
      assert.deepEqual((await run([put(join(folder, "empty.jsonl"), "")])).code, 1);
      assert.deepEqual((await run(["--help"])).code, 0);
    }));

  it("follows: prints at each change, new conversations, and what is gone", () =>
    inFolder(async (folder) => {
      const path = put(inProject(folder, ids[0]), prompt(1) + answer(2, 30_000));
      const out: Record<string, unknown>[] = [];
      let end = (): void => undefined;
      let wake = (): void => undefined;
      const ended = new Promise<void>((resolve) => {
        end = resolve;
      });
      const until = async (condition: (record: Record<string, unknown>) => boolean) => {
        while (!out.some(condition))
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      };
      const running = measure.run([folder, "--follow"], {
        out: (text) => {
          out.push(JSON.parse(text));
          wake();
        },
        error: () => undefined,
        environment: {},
        home: folder,
        ended,
      });
      await until(({ tokens }) => tokens === 30_000);
      appendFileSync(path, prompt(3) + answer(4, 40_000));
      await until(({ tokens }) => tokens === 40_000);
      put(inProject(folder, ids[1]), prompt(1) + answer(2, 50_000) + output(3, 10));
      await until(({ tokens }) => tokens === 50_000);
      rmSync(path);
      await until(({ state }) => state === "gone");
      end();
      assert.equal(await running, 0);
      assert.deepEqual(out.at(-1), { agent: "claude", conversationId: ids[0], transcript: path, state: "gone" });
    }));
});
