import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { adapters } from "../../../server/agents/registry.ts";
import { createTail, type Tail, type TailState } from "../../../server/shell/transcripts/tail.ts";
import { answer, boundary, claudeTail, inFolder, output, prompt, seen } from "./tailFolder.ts";

async function read(tail: Tail): Promise<TailState> {
  const result = await tail.read();
  assert.ok(result.kind === "read", JSON.stringify(result));
  return result.state;
}
const tokensOf = (state: TailState) => {
  const { reading } = seen(state);
  return reading.kind === "measured" ? reading.tokens : reading.kind;
};

describe("the tail of a growing file", () => {
  it("reads an empty file, and what is appended to it", () =>
    inFolder(async (folder) => {
      const path = join(folder, "t.jsonl");
      writeFileSync(path, "");
      const tail = claudeTail(path);
      assert.deepEqual([(await read(tail)).records, (await tail.read()).kind], [0, "unchanged"]);
      appendFileSync(path, prompt(1) + answer(2, 30_000));
      assert.equal(tokensOf(await read(tail)), 30_000);
    }));

  it("holds a half line and parses it once", () =>
    inFolder(async (folder) => {
      const path = join(folder, "t.jsonl");
      const line = answer(2, 30_000);
      writeFileSync(path, prompt(1) + line.slice(0, 100));
      const tail = claudeTail(path);
      assert.equal((await read(tail)).records, 1);
      appendFileSync(path, line.slice(100, -1));
      assert.equal((await read(tail)).records, 1);
      appendFileSync(path, "\n");
      const state = await read(tail);
      assert.deepEqual([state.records, state.badLines, tokensOf(state)], [2, 0, 30_000]);
    }));

  it("takes a complete last line without an end, once: at the first reading, or when nothing follows it", () =>
    inFolder(async (folder) => {
      const path = join(folder, "t.jsonl");
      const last = answer(2, 30_000).trimEnd();
      writeFileSync(path, prompt(1) + last);
      const tail = claudeTail(path);
      assert.equal((await read(tail)).records, 2);
      appendFileSync(path, `\n${answer(3, 40_000).trimEnd()}`);
      assert.equal((await read(tail)).records, 2);
      const old = new Date(Date.now() - 10_000);
      utimesSync(path, old, old);
      await tail.read();
      const settled = await tail.read();
      assert.ok(settled.kind === "unchanged" || settled.kind === "read");
      appendFileSync(path, `\n${answer(4, 50_000)}`);
      const state = await read(tail);
      assert.deepEqual([state.records, state.badLines, tokensOf(state)], [4, 0, 50_000]);
    }));

  it("starts over when the file was replaced, shortened or rewritten", () =>
    inFolder(async (folder) => {
      const path = join(folder, "t.jsonl");
      const longer = prompt(1) + answer(2, 30_000) + answer(3, 40_000);
      writeFileSync(path, longer);
      const tail = claudeTail(path);
      await read(tail);
      const expectRestart = async (tokens: number) => {
        const result = await tail.read();
        assert.ok(result.kind === "read" && result.restarted);
        assert.equal(tokensOf(result.state), tokens);
      };
      truncateSync(path, longer.length - 10);
      writeFileSync(path, prompt(1) + answer(2, 50_000));
      await expectRestart(50_000);
      writeFileSync(join(folder, "new"), longer);
      renameSync(join(folder, "new"), path);
      await expectRestart(40_000);
      writeFileSync(path, prompt(9, "another beginning") + answer(2, 60_000) + longer);
      await expectRestart(40_000);
      const grown = prompt(1) + answer(2, 61_000).replace("ok", "changed in the middle") + answer(3, 62_000) + longer;
      writeFileSync(path, grown + answer(4, 63_000));
      await expectRestart(63_000);
    }));

  it("says that the file is gone, and reads it anew when it comes back", () =>
    inFolder(async (folder) => {
      const path = join(folder, "t.jsonl");
      const tail = claudeTail(path);
      assert.equal((await tail.read()).kind, "gone");
      writeFileSync(path, prompt(1) + answer(2, 30_000));
      assert.equal(tokensOf(await read(tail)), 30_000);
      rmSync(path);
      assert.deepEqual([(await tail.read()).kind, (await tail.read()).kind], ["gone", "gone"]);
      writeFileSync(path, prompt(1) + answer(2, 20_000));
      assert.equal(tokensOf(await read(tail)), 20_000);
    }));

  it("bears NULs, empty lines, CRs, a BOM and lines that are no JSON", () =>
    inFolder(async (folder) => {
      const path = join(folder, "t.jsonl");
      const crlf = (text: string) => text.replace("\n", "\r\n");
      writeFileSync(path, `\uFEFF${crlf(prompt(1))}\r\n\n${"\0".repeat(5000)}\nno json\n${crlf(answer(2, 30_000))}`);
      const state = await read(claudeTail(path));
      assert.deepEqual([state.records, state.badLines, tokensOf(state)], [2, 2, 30_000]);
    }));
});

describe("the first reading of a large file", () => {
  it("reads only the end where the end says it all", () =>
    inFolder(async (folder) => {
      const path = join(folder, "t.jsonl");
      const old = prompt(1, "first") + answer(2, 20_000) + output(3, 30_000).repeat(200);
      writeFileSync(path, old + prompt(10) + answer(11, 60_000) + answer(12, 61_000));
      const state = await read(claudeTail(path));
      assert.ok(state.records < 10, `${state.records} lines were parsed`);
      assert.equal(state.isWhole, false);
      const { lastHuman, cwd, turn } = seen(state);
      assert.deepEqual([tokensOf(state), cwd, turn.kind, lastHuman.kind], [61_000, "/proj/demo", "idle", "known"]);
    }));

  it("goes back for the person's last prompt, and shows the size meanwhile", () =>
    inFolder(async (folder) => {
      const path = join(folder, "t.jsonl");
      writeFileSync(
        path,
        prompt(1) + answer(2, 20_000) + output(3, 30_000).repeat(400) + answer(10, 60_000) + answer(11, 61_000),
      );
      const early: TailState[] = [];
      const result = await claudeTail(path).read((state) => early.push(state));
      assert.ok(result.kind === "read");
      assert.deepEqual(
        early.map((state) => [tokensOf(state), seen(state).lastHuman.kind]),
        [[61_000, "unknown"]],
      );
      assert.deepEqual([seen(result.state).lastHuman.kind, result.state.isWhole], ["known", true]);
    }));

  it("passes over what we typed, and stops at the bound it is given", () =>
    inFolder(async (folder) => {
      const path = join(folder, "t.jsonl");
      const end = answer(10, 60_000) + prompt(11, "ours") + answer(12, 61_000);
      writeFileSync(path, prompt(1, "theirs") + output(3, 30_000).repeat(200) + end);
      const isOurs = () => true;
      assert.equal(seen(await read(claudeTail(path, { isOurs }))).lastHuman.kind, "known");
      const bound = await read(claudeTail(path, { isOurs, backwardMost: 1024 * 1024 }));
      assert.deepEqual([bound.isWhole, tokensOf(bound)], [false, 61_000]);
    }));

  it("finds the conversation's first response for a compaction's figure, then or later", () =>
    inFolder(async (folder) => {
      const path = join(folder, "t.jsonl");
      const old =
        prompt(1) +
        answer(2, 20_000) +
        output(3, 30_000).repeat(200) +
        prompt(9) +
        answer(10, 60_000) +
        answer(11, 61_000);
      writeFileSync(path, old);
      const tail = claudeTail(path);
      assert.equal(seen(await read(tail)).firstReading, undefined);
      appendFileSync(path, boundary(12, 5000));
      assert.equal(tokensOf(await read(tail)), 25_000);
      assert.equal(tokensOf(await read(claudeTail(path))), 25_000);
      appendFileSync(path, answer(13, 26_000));
      assert.equal(tokensOf(await read(tail)), 26_000);
      const far = join(folder, "far.jsonl");
      writeFileSync(far, old + boundary(12, 5000) + output(13, 1_500_000).repeat(7));
      assert.equal(tokensOf(await read(claudeTail(far))), 25_000);
    }));

  it("keeps what came out of a Codex compaction that is announced afterwards", () =>
    inFolder(async (folder) => {
      const path = join(folder, "r.jsonl");
      const line = (second: number, type: string, payload: object) =>
        `${JSON.stringify({ timestamp: `2026-10-05T09:00:${second}.000Z`, type, payload })}\n`;
      const event = (second: number, type: string, more: object = {}) => line(second, "event_msg", { type, ...more });
      const count = (second: number, size: object) =>
        event(second, "token_count", { info: { last_token_usage: size } });
      writeFileSync(
        path,
        event(10, "user_message", { message: "go" }) +
          count(11, { input_tokens: 200_000, output_tokens: 300, total_tokens: 200_300 }) +
          line(12, "response_item", { type: "message", text: "y".repeat(3 * 1024 ** 2) }) +
          event(20, "task_started") +
          line(21, "compacted", { message: "" }) +
          count(21, { input_tokens: 0, output_tokens: 0, total_tokens: 7465 }) +
          event(21, "context_compacted") +
          event(22, "user_message", { message: "on" }),
      );
      assert.equal(tokensOf(await read(createTail({ adapter: adapters.codex, path }))), 7465);
    }));

  it("knows whose conversation it is by a first line of many MiB", () =>
    inFolder(async (folder) => {
      const path = join(folder, "r.jsonl");
      const line = (type: string, payload: object) =>
        `${JSON.stringify({ timestamp: "2026-10-05T09:00:00.000Z", type, payload })}\n`;
      writeFileSync(
        path,
        line("session_meta", { id: "s1", cwd: "/proj/demo", base_instructions: "y".repeat(3 * 1024 ** 2) }) +
          line("event_msg", { type: "user_message", message: "go" }),
      );
      const { conversationId, cwd } = seen(await read(createTail({ adapter: adapters.codex, path })));
      assert.deepEqual([conversationId, cwd], ["s1", "/proj/demo"]);
    }));

  it("bears a last line and a middle line of many MiB", () =>
    inFolder(async (folder) => {
      const path = join(folder, "t.jsonl");
      writeFileSync(
        path,
        prompt(1) +
          output(2, 9 * 1024 ** 2) +
          answer(3, 40_000) +
          answer(4, 41_000) +
          output(5, 5 * 1024 ** 2).slice(0, -1),
      );
      const tail = claudeTail(path);
      assert.equal(tokensOf(await read(tail)), 41_000);
      appendFileSync(path, `\n${answer(6, 42_000)}`);
      const state = await read(tail);
      assert.deepEqual([tokensOf(state), state.badLines], [42_000, 0]);
    }));
});

describe("what is opened", () => {
  it("lies inside the agent's folder, links and all (R4)", () =>
    inFolder(async (folder) => {
      const root = join(folder, "root");
      mkdirSync(root);
      const inside = join(root, "t.jsonl");
      writeFileSync(inside, answer(1, 30_000));
      writeFileSync(join(folder, "outside.jsonl"), answer(1, 30_000));
      symlinkSync(inside, join(root, "link.jsonl"));
      symlinkSync(join(folder, "outside.jsonl"), join(root, "out.jsonl"));
      symlinkSync(root, join(folder, "alias"));
      assert.equal((await claudeTail(join(root, "link.jsonl"), { root }).read()).kind, "read");
      assert.equal((await claudeTail(join(folder, "alias", "t.jsonl"), { root }).read()).kind, "read");
      assert.equal((await claudeTail(inside, { root: join(folder, "alias") }).read()).kind, "read");
      assert.equal((await claudeTail(join(root, "out.jsonl"), { root }).read()).kind, "failed");
    }));

  it("is a file that may be read", function () {
    if (process.platform === "win32") this.skip();
    return inFolder(async (folder) => {
      assert.equal((await claudeTail(folder).read()).kind, "failed");
      execFileSync("mkfifo", [join(folder, "pipe")]);
      assert.deepEqual(await claudeTail(join(folder, "pipe")).read(), { kind: "failed", problem: "it is no file" });
      const path = join(folder, "t.jsonl");
      writeFileSync(path, answer(1, 30_000));
      chmodSync(path, 0);
      const result = await claudeTail(path).read();
      // Root may read anything.
      assert.ok(process.getuid?.() === 0 ? result.kind === "read" : result.kind === "failed");
      assert.ok(statSync(path).isFile());
    });
  });
});
