import { lstatSync, readdirSync, realpathSync, rmdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { AgentId } from "../../protocol/agents.ts";
import { ResetId } from "../../protocol/lines.ts";
import { placeInside, publishInside, readInside } from "./inside.ts";

/** Our folder in an agent's own, and the only names that are ever in a save's folder. */
export const saveRoot = ".plimsoll";
export const fileNames = { request: "request.md", state: "state.md", brief: "brief.md", meta: "meta.json" } as const;
const known: readonly string[] = Object.values(fileNames);

const id = z.string().min(1).max(300);

/** What one save belongs to; at most 4 KiB. Ids, times and digests only (R237). */
export const SaveMeta = z.strictObject({
  v: z.literal(1),
  resetId: ResetId,
  /** Id of the first conversation of a task: a clear makes a new conversation of the same chain. */
  chain: id,
  conversationId: id,
  instanceId: id,
  agent: AgentId,
  /** Epoch ms. */
  at: z.number(),
  /** The conversation that followed the clear. */
  nextConversationId: id.exactOptional(),
  stateDigest: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .exactOptional(),
});
export type SaveMeta = z.infer<typeof SaveMeta>;

const metaCap = 4096;
/** So many saves of a chain are kept. */
const kept = 5;
/** A folder with more entries than this is not ours to tidy. */
const maxEntries = 2000;

export type Save = { readonly dir: string; readonly meta: SaveMeta };

/** Every save in this folder whose own record can be read, newest first. Throws where the folder cannot be listed. */
export function savesIn(cwd: string): readonly Save[] {
  const root = placeInside(cwd, join(realpathSync(cwd), saveRoot));
  if (root.kind !== "found" || !root.stat.isDirectory()) return [];
  return readdirSync(root.path)
    .filter((name) => ResetId.safeParse(name).success)
    .slice(0, maxEntries)
    .flatMap((name) => {
      const dir = join(root.path, name);
      const meta = metaOf(cwd, dir);
      return meta?.resetId === name ? [{ dir, meta }] : [];
    })
    .sort((a, b) => b.meta.at - a.meta.at || (a.dir < b.dir ? 1 : -1));
}

/** The record of one save; undefined where it has none that can be read. */
export function metaOf(cwd: string, dir: string): SaveMeta | undefined {
  const read = readInside(cwd, join(dir, fileNames.meta), metaCap);
  if (read.kind !== "read") return undefined;
  try {
    const parsed = SaveMeta.safeParse(JSON.parse(read.bytes.toString("utf8")));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Throws where it is too large or cannot be written. */
export function writeMeta(cwd: string, dir: string, meta: SaveMeta): void {
  const text = `${JSON.stringify(SaveMeta.parse(meta))}\n`;
  if (Buffer.byteLength(text) > metaCap) throw new Error("the record of the save is too large");
  publishInside(cwd, join(dir, fileNames.meta), text);
}

/** The chain a conversation belongs to: that of the newest save which it made or which led to it; else its own. */
export const chainOf = (saves: readonly Save[], conversationId: string): string =>
  saves.find(({ meta }) => meta.nextConversationId === conversationId || meta.conversationId === conversationId)?.meta
    .chain ?? conversationId;

/** When the state of a save was last written, epoch ms; undefined: there is none. */
export function stateWrittenAt(cwd: string, dir: string): number | undefined {
  const place = placeInside(cwd, join(dir, fileNames.state));
  return place.kind === "found" && place.stat.isFile() ? Math.round(place.stat.mtimeMs) : undefined;
}

/**
 * Keeps the newest five saves of one chain, and the newest that holds a state. Another chain in the same folder belongs
 * to another agent and is left alone. Only our own four names are removed; a folder with anything else in it stays.
 */
export function prune(cwd: string, chain: string): void {
  const own = savesIn(cwd).filter(({ meta }) => meta.chain === chain);
  const lastState = own.find(({ dir }) => stateWrittenAt(cwd, dir) !== undefined);
  for (const { dir } of own.slice(kept)) if (dir !== lastState?.dir) removeSave(dir);
}

/** Removes a save's folder where it holds nothing but our own plain files. */
export function removeSave(dir: string): void {
  try {
    const names = readdirSync(dir);
    if (names.some((name) => !known.includes(name) || lstatSync(join(dir, name)).isDirectory())) return;
    for (const name of names) unlinkSync(join(dir, name));
    rmdirSync(dir);
  } catch {
    // What cannot be removed stays: it is in nobody's way.
  }
}
