import assert from "node:assert/strict";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { TranscriptLine } from "../../../server/agents/adapter.ts";
import { createBackwardLines, createForwardLines, wholeMost } from "../../../server/shell/transcripts/lines.ts";
import { answer, boundary, claudeTail, inFolder, output, prompt, seen } from "./tailFolder.ts";

const textOf = (line: TranscriptLine): string =>
  line.whole
    ? Buffer.from(line.bytes).toString("latin1")
    : `${line.length} ${Buffer.from(line.head).toString("latin1")}…${Buffer.from(line.tail).toString("latin1")}`;

/** Cuts at these places, wherever they fall. */
function chunks(bytes: Buffer, cuts: readonly number[]): readonly Buffer[] {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].toSorted((a, b) => a - b);
  return [0, ...places].map((from, index) => bytes.subarray(from, places[index] ?? bytes.length));
}

function forward(parts: readonly Buffer[]): readonly string[] {
  const lines = createForwardLines();
  const found: string[] = [];
  for (const part of parts) lines.feed(Buffer.from(part), (line) => found.push(textOf(line)));
  return found;
}

function backward(parts: readonly Buffer[]): readonly string[] {
  const lines = createBackwardLines();
  const found: string[] = [];
  const take = (line: TranscriptLine) => found.push(textOf(line)) > 0;
  for (const part of parts.toReversed()) lines.feed(Buffer.from(part), take);
  lines.finish(take);
  return found.toReversed();
}

const piece = fc.constantFrom("", "a", "línea", "🙂🙂", "\0\0", "x".repeat(2000), "\r", "{}");
const cuts = fc.array(fc.nat(10_000), { maxLength: 12 });

describe("lines", () => {
  it("are the same however the bytes are chopped, from either end", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), cuts, (pieces, places) => {
        const bytes = Buffer.from(pieces.map((text) => `${text}\n`).join(""));
        const whole = forward([bytes]);
        assert.deepEqual(
          whole,
          pieces.map((text) => Buffer.from(text).toString("latin1")),
        );
        assert.deepEqual(forward(chunks(bytes, places)), whole);
        assert.deepEqual(
          backward(chunks(bytes, places)).filter((line) => line !== ""),
          whole.filter((line) => line !== ""),
        );
      }),
    );
  });

  it("keep only the edges of what is too long, however it is chopped", () => {
    const bytes = Buffer.from(
      `short\n${Array.from({ length: wholeMost / 4 }, (_, n) => String(n).padStart(6, "0")).join("")}\nend\n`,
    );
    const whole = forward([bytes]);
    assert.ok(whole[1]?.includes("…") && whole[1].length < 200_000);
    const step = 300_007;
    const parts = Array.from({ length: Math.ceil(bytes.length / step) }, (_, n) =>
      bytes.subarray(n * step, (n + 1) * step),
    );
    assert.deepEqual(forward(parts), whole);
    assert.deepEqual(backward(parts), whole);
  });
});

describe("a transcript", () => {
  it("means the same read at once, or in any pieces as they are appended", async () => {
    const text =
      prompt(1, "отчёт 中文 🙂") +
      answer(2, 24_000) +
      output(3, 5000) +
      `\n\0\0\n` +
      answer(4, 60_000) +
      boundary(5, 3000) +
      prompt(6) +
      answer(7, 33_000);
    const bytes = Buffer.from(text);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 6 }), (places) =>
        inFolder(async (folder) => {
          const path = join(folder, "t.jsonl");
          writeFileSync(path, "");
          const tail = claudeTail(path);
          await tail.read();
          let last: unknown;
          for (const part of chunks(bytes, places)) {
            appendFileSync(path, part);
            const result = await tail.read();
            if (result.kind === "read") last = seen(result.state);
          }
          const whole = await claudeTail(path).read();
          assert.ok(whole.kind === "read");
          assert.deepEqual(last, seen(whole.state));
        }),
      ),
      { numRuns: 40 },
    );
  });

  it("means the same of its end as of all of it, where it is long", async () => {
    const block = fc.constantFrom(...(["prompt", "answer", "output", "boundary", "long"] as const));
    await fc.assert(
      fc.asyncProperty(fc.array(block, { minLength: 3, maxLength: 14 }), (blocks) =>
        inFolder(async (folder) => {
          const path = join(folder, "t.jsonl");
          let tokens = 20_000;
          const lines = blocks.map((kind, index) => {
            tokens += 1000;
            if (kind === "prompt") return prompt(index + 10, `p${index}`);
            if (kind === "answer") return answer(index + 10, tokens);
            if (kind === "boundary") return boundary(index + 10, 3000);
            return output(index + 10, kind === "long" ? 1_500_000 : 50_000);
          });
          const head = prompt(1, "first") + answer(2, 20_000) + answer(3, 20_500);
          writeFileSync(path, head + output(4, 900_000).repeat(3) + lines.join(""));
          const end = await claudeTail(path).read();
          const grown = join(folder, "grown.jsonl");
          writeFileSync(grown, head);
          const tail = claudeTail(grown);
          await tail.read();
          appendFileSync(grown, output(4, 900_000).repeat(3) + lines.join(""));
          const all = await tail.read();
          assert.ok(end.kind === "read" && all.kind === "read");
          const [ofEnd, ofAll] = [seen(end.state), seen(all.state)];
          assert.deepEqual(
            ofEnd.reading.kind === "measured" && ofEnd.reading.tokens,
            ofAll.reading.kind === "measured" && ofAll.reading.tokens,
          );
          assert.deepEqual(
            [ofEnd.turn, ofEnd.lastHuman, ofEnd.window, ofEnd.model],
            [ofAll.turn, ofAll.lastHuman, ofAll.window, ofAll.model],
          );
        }),
      ),
      { numRuns: 30 },
    );
  }).timeout(60_000);
});
