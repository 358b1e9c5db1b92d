import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { adapters } from "../../../server/agents/registry.ts";
import { digestOf } from "../../../server/core/digest.ts";
import type { AgentId } from "../../../server/protocol/agents.ts";
import { promptsAfter, promptText } from "../../../server/shell/transcripts/carried.ts";
import { answer, inFolder, output } from "./tailFolder.ts";

const start = Date.UTC(2026, 9, 5, 9);
const iso = (second: number) => new Date(start + second * 1000).toISOString();
const none = () => false;
const lines = (...records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join("");

let count = 0;
const user = (second: number, content: unknown, more: object = {}) => ({
  type: "user",
  isSidechain: false,
  uuid: `u-${++count}`,
  timestamp: iso(second),
  sessionId: "s1",
  message: { role: "user", content },
  ...more,
});
const typed = { promptId: "p1", origin: { kind: "human" }, promptSource: "typed" };
const text = (words: string) => ({ type: "text", text: words });
const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } };

const event = (second: number, payload: object) => ({ timestamp: iso(second), type: "event_msg", payload });
const message = (second: number, words: string, more: object = {}) =>
  event(second, { type: "user_message", message: words, ...more });
const item = (second: number, id: string, ...content: readonly object[]) =>
  event(second, { type: "item_completed", item: { type: "UserMessage", id, content } });

/** Texts of the prompts since the second, read by their references; a lost one as its reason. */
async function since(agent: AgentId, path: string, second: number, isOurs: (digest: string) => boolean = none) {
  const found = await promptsAfter(agent, path, start + second * 1000, isOurs);
  if (found.kind === "unknown") return found.why;
  return Promise.all(
    found.prompts.map(async (ref) => {
      const read = await promptText(agent, path, ref);
      return [read.kind === "text" ? read.text : `(${read.why})`, ref.images];
    }),
  );
}

const written = (content: string, work: (path: string) => Promise<void>) =>
  inFolder(async (folder) => {
    const path = join(folder, "t.jsonl");
    writeFileSync(path, content);
    await work(path);
  });

describe("what the person wrote meanwhile", () => {
  it("is every prompt since then, in order, word for word", () =>
    written(
      lines(user(1, "earlier", typed), user(10, "one\n  two  ", typed)) +
        answer(11, 30_000) +
        lines(user(12, "then this", { ...typed, promptSource: "queued" })),
      async (path) => {
        assert.deepEqual(await since("claude", path, 10), [
          ["one\n  two  ", 0],
          ["then this", 0],
        ]);
        assert.deepEqual(await since("claude", path, 13), []);
      },
    ));

  it("is no program's, no command, no shell's and none of ours", () => {
    const ours = "[plimsoll save k7] Write it down.";
    return written(
      lines(
        user(10, ours, typed),
        user(11, "<task-notification>done</task-notification>", { promptSource: "system" }),
        user(11, "by a program", { promptSource: "sdk" }),
        user(12, "<command-name>/clear</command-name>\n<command-args></command-args>", { rowSource: "local" }),
        user(12, "<command-name>/dr-next</command-name>\n<command-args>A-1</command-args>", typed),
        user(12, "<bash-input>ls</bash-input>", typed),
        user(13, [{ type: "tool_result", tool_use_id: "t1", content: "done" }]),
        user(14, [text("[Request interrupted by user]")]),
        user(15, "Summary", { isCompactSummary: true }),
        user(16, "a sub-agent's", { isSidechain: true }),
        user(17, "theirs", typed),
      ),
      async (path) =>
        assert.deepEqual(await since("claude", path, 10, (digest) => digest === digestOf(ours)), [["theirs", 0]]),
    );
  });

  it("leaves out what the agent put beside it, joins its blocks and counts its images", () =>
    written(
      lines(
        user(
          10,
          [text("<system-reminder>be brief</system-reminder>"), text("look at"), image, text("this"), image],
          typed,
        ),
        user(11, [image], typed),
        {
          type: "attachment",
          uuid: "a1",
          timestamp: iso(12),
          attachment: { type: "queued_command", prompt: [text("and that"), image], origin: { kind: "human" } },
        },
      ),
      async (path) =>
        assert.deepEqual(await since("claude", path, 10), [
          ["look at\nthis", 2],
          ["(it holds no text)", 1],
          ["and that", 1],
        ]),
    ));

  it("is each prompt of Codex once, however many records it has", () =>
    written(
      lines(
        { timestamp: iso(1), type: "turn_context", payload: { cwd: "/p", model: "m" } },
        message(10, "older"),
        message(11, "both"),
        item(11.01, "i-1", { type: "text", text: "both" }),
        item(
          12,
          "i-2",
          { type: "text", text: "new" },
          { type: "local_image", path: "/x.png" },
          { type: "text", text: "er" },
        ),
        {
          timestamp: iso(12),
          type: "response_item",
          payload: { type: "message", role: "user", content: [{ type: "input_text", text: "newer" }] },
        },
        message(13, "<environment_context>x"),
        message(14, "with", { images: ["data:"], local_images: ["/a", "/b"] }),
        item(20, "i-3", { type: "text", text: "with" }),
      ),
      async (path) =>
        assert.deepEqual(await since("codex", path, 5), [
          ["older", 0],
          ["both", 0],
          ["new\ner", 1],
          ["with", 3],
          ["with", 0],
        ]),
    ));

  it("is read whole where its line is longer than any other may be", () => {
    const long = "word ".repeat(500_000).trim();
    return written(lines(user(1, "earlier", typed), user(10, long, typed)), async (path) =>
      assert.deepEqual(await since("claude", path, 10), [[long, 0]]),
    );
  });

  it("is unknown where the end that is read does not reach back", () =>
    written(lines(user(10, "one", typed)) + output(11, 900_000).repeat(10), async (path) => {
      assert.equal(await since("claude", path, 10), "more was written since than is read again");
      appendFileSync(path, lines(user(20, "two", typed)));
      assert.deepEqual(await since("claude", path, 15), [["two", 0]]);
    }));

  it("is unknown where there is no plain file", () =>
    inFolder(async (folder) => {
      const path = join(folder, "t.jsonl");
      assert.equal(await since("claude", path, 0), "its transcript is gone");
      writeFileSync(path, lines(user(10, "one", typed)));
      symlinkSync(path, join(folder, "link.jsonl"));
      assert.equal(await since("claude", join(folder, "link.jsonl"), 0), "its transcript is no plain file");
      mkdirSync(join(folder, "d.jsonl"));
      assert.equal(await since("claude", join(folder, "d.jsonl"), 0), "its transcript is no plain file");
      const ref = { recordId: "u", digest: "d", images: 0 };
      assert.equal((await promptText("claude", join(folder, "link.jsonl"), ref)).kind, "lost");
    }));

  it("is lost where it is not the same any more", () =>
    written(`${lines(user(10, "one", typed))}no json\n`, async (path) => {
      const found = await promptsAfter("claude", path, start, none);
      assert.ok(found.kind === "known" && found.prompts[0] !== undefined);
      const [ref] = found.prompts;
      writeFileSync(path, lines(user(10, "changed", { ...typed, uuid: ref.recordId })));
      assert.deepEqual(await promptText("claude", path, ref), { kind: "lost", why: "it is not what it was" });
      writeFileSync(path, lines(user(10, "another", typed)));
      const why = "its record is not in the transcript's end";
      assert.deepEqual(await promptText("claude", path, ref), { kind: "lost", why });
      assert.deepEqual(await promptText("claude", path, { ...ref, recordId: "" }), { kind: "lost", why });
    }));

  it("never throws, whatever the line", () => {
    const types = fc.constantFrom("user", "attachment", "event_msg");
    fc.assert(
      fc.property(fc.json(), types, fc.uint8Array({ maxLength: 200 }), (json, type, bytes) => {
        const line = `{"type":"${type}","uuid":${json},"message":{"content":${json}},"attachment":{"type":"queued_command","prompt":${json}},"payload":{"type":"item_completed","item":{"type":"UserMessage","content":[${json}]}}}`;
        for (const { promptIn } of Object.values(adapters)) {
          promptIn(Buffer.from(line));
          promptIn(bytes);
        }
      }),
    );
  });
});
