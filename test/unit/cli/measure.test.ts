import assert from "node:assert/strict";
import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { measure } from "../../../server/cli/measure.ts";
import { answer, inFolder, output, prompt } from "../shell/tailFolder.ts";
import { ids, inProject, put, run, tokens } from "./measureRun.ts";

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

  it("takes settings files, the environment and what was typed into account", () =>
    inFolder(async (folder) => {
      const path = put(inProject(folder, ids[0]), prompt(1, "theirs") + prompt(60, "ours") + answer(61, 160_000));
      put(
        join(folder, ".claude", "settings.json"),
        `\uFEFF${JSON.stringify({ model: "sonnet[1m]", env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "180000" } })}`,
      );
      const typed = put(
        join(folder, "typed.json"),
        `\uFEFF${JSON.stringify([
          { text: "ours", at: "2026-10-05T09:00:59.000Z" },
          { key: "Escape", at: 5 },
        ])}`,
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
