import { existsSync, readdirSync, renameSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ensurePrivateDir, messageOf, publish, readPrivate, removeFile } from "../secureFiles.ts";
import type { Key } from "./journalKey.ts";
import { type Replay, replay, type SubmittedOf } from "./journalReplay.ts";

/** At most so many journals (R124). */
const maxJournals = 64;
/** A journal of finished resets is kept so long after its last step; what was put aside, so long too, ms. */
const keptMs = 30 * 24 * 60 * 60_000;

/** Readable history that is not replayed: journals of earlier versions, and broken ones as they were found. */
const asideName = "aside";
const ending = ".jsonl";

export const journalFile = (dir: string, instanceId: string): string =>
  join(dir, `${instanceId.replace(/[^\w-]/g, "_")}${ending}`);

export const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** A journal as it stands on disk. `problem`: it cannot be read at all. */
export type Found = { readonly file: string } & (Replay | { readonly problem: string });

export function find(file: string, key: Key, submittedOf: SubmittedOf): Found {
  try {
    return { file, ...replay(file, readPrivate(file) ?? "", key, submittedOf) };
  } catch (error) {
    return { file, problem: `The journal ${file} cannot be read (${messageOf(error)}).` };
  }
}

export const journalsIn = (dir: string): readonly string[] =>
  readdirSync(dir)
    .filter((name) => name.endsWith(ending))
    .map((name) => join(dir, name));

/** Every reset in it is over, and it is whole. Only such a journal is ever removed. */
const isFinished = (found: Found): found is { readonly file: string } & Replay =>
  !("problem" in found) && found.state.phase === "none" && (found.fault === undefined || found.fault.kind === "cut");

/** It is not needed any more, though it can't go on as it is. */
const isOverButNotWhole = ({ fault, state }: Replay): boolean =>
  fault?.kind === "earlier" ? !fault.isOpen : fault?.kind === "broken" && state.phase === "none";

/** What is to be said of a journal; undefined where all is well, or it is merely old. */
export function problemOf(found: Found): string | undefined {
  if ("problem" in found) return found.problem;
  const { fault } = found;
  return fault?.kind === "earlier" && !fault.isOpen ? undefined : fault?.sentence;
}

const lastAt = (found: Found): number => ("problem" in found ? 0 : (found.last?.at ?? 0));

/** Removes what is over since long ago, and the oldest of the finished ones where there are too many. */
export function prune(dir: string, all: readonly Found[], now: number): readonly Found[] {
  for (const found of all) if (!("problem" in found) && isOverButNotWhole(found)) repair(found, now);
  const left = all.filter((found) => {
    if (!existsSync(found.file)) return false;
    if (!isFinished(found) || now - lastAt(found) <= keptMs) return true;
    removeFile(found.file);
    return false;
  });
  removeOldAside(dir, now);
  return withoutOldest(left, maxJournals);
}

function withoutOldest(all: readonly Found[], most: number): readonly Found[] {
  const oldest = all.filter(isFinished).toSorted((a, b) => lastAt(a) - lastAt(b));
  const gone = new Set<Found>(oldest.slice(0, Math.max(0, all.length - most)));
  for (const { file } of gone) removeFile(file);
  return all.filter((found) => !gone.has(found));
}

/** Makes room for one journal more. Throws where every one of them is needed. */
export function makeRoom(dir: string, findOne: (file: string) => Found): void {
  const files = journalsIn(dir);
  if (files.length < maxJournals) return;
  const left = withoutOldest(files.map(findOne), maxJournals - 1);
  if (left.length >= maxJournals)
    throw new Error(`there are ${left.length} journals of resets that have not ended, in ${dir}: no other can begin`);
}

function asideOf(file: string, mark: string): string {
  const dir = join(dirname(file), asideName);
  ensurePrivateDir(dir);
  return join(dir, `${basename(file, ending)}.${mark}${ending}`);
}

/** Leaves of a journal what is believed, so that it can go on; what was found goes aside, but for a cut line. */
export function repair(found: { readonly file: string } & Replay, now: number): void {
  const { file, fault, text } = found;
  if (fault === undefined) return;
  if (fault.kind === "earlier") {
    renameSync(file, asideOf(file, "earlier"));
    return;
  }
  if (fault.kind === "broken") publish(asideOf(file, `broken-${now}`), readPrivate(file) ?? "");
  if (text === "") removeFile(file);
  else publish(file, text);
}

function removeOldAside(dir: string, now: number): void {
  const aside = join(dir, asideName);
  if (!existsSync(aside)) return;
  for (const name of readdirSync(aside)) {
    const stat = statSync(join(aside, name), { throwIfNoEntry: false });
    if (stat !== undefined && now - stat.mtimeMs > keptMs) removeFile(join(aside, name));
  }
}
