import { closeSync, constants, fsyncSync, lstatSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../secureFiles.ts";
import { gitPlaceOf } from "./gitPlace.ts";
import { codeOf, readPlain } from "./inside.ts";

const pattern = ".plimsoll/";
const cap = 1024 * 1024;

/**
 * Keeps our folder out of git through `info/exclude`, which is nobody's file but this clone's; `.gitignore` is never
 * touched (R95). Undefined: it is done, or there is nothing to do. Otherwise a note: it is not fatal.
 */
export function excludeFromGit(cwd: string): string | undefined {
  const place = gitPlaceOf(cwd);
  if (place === undefined) return undefined;
  try {
    const info = join(place.shared, "info");
    makeDir(info);
    const file = join(info, "exclude");
    const read = readPlain(file, cap);
    if (read.kind !== "read" && read.kind !== "missing") return note(read.kind);
    const text = read.kind === "read" ? read.bytes.toString("utf8") : "";
    const lines = text.split(/\r?\n/).map((line) => line.trim());
    if (lines.includes(pattern) || lines.includes(".plimsoll")) return undefined;
    append(file, `${text === "" || text.endsWith("\n") ? "" : "\n"}${pattern}\n`);
    return undefined;
  } catch (error) {
    return note(messageOf(error));
  }
}

const note = (why: string): string => `.plimsoll/ could not be added to git's info/exclude (${why})`;

function makeDir(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  if (!lstatSync(path).isDirectory()) throw new Error("info is no folder");
}

/** With git's own rights: it is git's file, and others who use the repository must be able to read it. */
function append(path: string, text: string): void {
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
  const fd = openSync(path, flags, 0o644);
  try {
    writeSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
