import { readFile } from "node:fs/promises";
import * as z from "zod";
import { digestOf } from "../core/digest.ts";
import type { TypedEntry } from "../core/humanPrompts.ts";

const at = z.union([z.number(), z.string().transform((text) => Date.parse(text))]).pipe(z.number());
const Typed = z.union([
  z.object({ text: z.string(), at }),
  z.object({ key: z.enum(["Escape", "escape", "esc", "ESC"]), at }),
]);
const TypedFile = z.union([Typed, z.array(Typed)]);

/** Entries of a `--typed` file, or the problem with it. */
export async function readTyped(path: string): Promise<readonly TypedEntry[] | string> {
  try {
    const parsed = TypedFile.safeParse(JSON.parse((await readFile(path, "utf8")).replace(/^\uFEFF/, "")));
    if (!parsed.success) return `${path} holds no {"text", "at"} and no list of these.`;
    return [parsed.data].flat().map(entryOf);
  } catch (error) {
    return `${path} cannot be read as JSON (${error instanceof Error ? error.message : "unknown"}).`;
  }
}

function entryOf(typed: z.infer<typeof Typed>): TypedEntry {
  if ("key" in typed) return { kind: "escape", at: typed.at };
  return typedText(typed.text, typed.at);
}

/** What was typed, as the ledger holds it: a slash makes it a command. */
export function typedText(text: string, at: number): TypedEntry {
  const name = /^\s*\/([^\s/]+)/.exec(text)?.[1];
  const digest = digestOf(text);
  return name === undefined ? { kind: "text", at, digest } : { kind: "command", at, name, digest };
}
