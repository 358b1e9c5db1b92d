import { readdirSync, readFileSync } from "node:fs";
import * as z from "zod";
import type { ScreenCell, ScreenGrid } from "../../server/agents/composer.ts";
import type { AgentId } from "../../server/protocol/agents.ts";

const folder = new URL("../screens/", import.meta.url);

const Meta = z.object({
  cols: z.number(),
  rows: z.number(),
  cursor: z.tuple([z.number(), z.number()]),
  cursorHidden: z.boolean(),
});

export const screenNames = (agent: AgentId): readonly string[] =>
  readdirSync(new URL(`${agent}/`, folder))
    .filter((name) => name.endsWith(".txt"))
    .map((name) => name.slice(0, -".txt".length))
    .sort();

/** A recorded screen: one line a row, `text¦attributes` (`i` inverse, `d` dim), then `#` and what else is known as JSON. */
export function readScreen(agent: AgentId, name: string): ScreenGrid {
  const lines = readFileSync(new URL(`${agent}/${name}.txt`, folder), "utf8")
    .trimEnd()
    .split("\n");
  const meta = Meta.parse(JSON.parse(lines.pop()?.slice(1) ?? ""));
  const cells = lines.map((line) => {
    const [text = "", attributes = ""] = line.split("¦");
    return [...text].map((ch, x): ScreenCell => {
      const attribute = attributes[x];
      return { ch, width: 1, dim: attribute === "d", inverse: attribute === "i" };
    });
  });
  const [cursorX, cursorY] = meta.cursor;
  return { cols: meta.cols, rows: meta.rows, cells, cursorX, cursorY, cursorHidden: meta.cursorHidden };
}

const Chunk = z.tuple([z.number(), z.number()]);

/** A recorded stream in the chunks it came in. The lengths are in UTF-16 units. */
export function readStream(
  agent: AgentId,
  name: string,
): { readonly text: string; readonly chunks: readonly string[] } {
  const text = readFileSync(new URL(`${agent}/${name}.bin`, folder), "utf8");
  const lengths = readFileSync(new URL(`${agent}/${name}.chunks.jsonl`, folder), "utf8")
    .trimEnd()
    .split("\n");
  let at = 0;
  const chunks = lengths.map((line) => {
    const [, length] = Chunk.parse(JSON.parse(line));
    at += length;
    return text.slice(at - length, at);
  });
  return { text, chunks };
}
