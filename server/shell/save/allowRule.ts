import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { orProblem, ownDir, type Problem, problem, publishInside, readInside } from "./inside.ts";

/** The one rule that lets Claude write its saved state without asking (facts/reset §E: `Write(…)` does not). */
export const allowRule = "Edit(.plimsoll/**)";

/** Rules that cover it. One that begins with `/` means the folder of its settings file: the person's own is not ours. */
const inFolder: readonly string[] = [allowRule, "Edit", "Edit(./.plimsoll/**)", "Edit(/.plimsoll/**)"];
const inHome: readonly string[] = [allowRule, "Edit", "Edit(./.plimsoll/**)"];
/** A rule that forbids, or asks each time, wins over one that allows. */
const against: readonly string[] = [...inFolder, "Write"];

const cap = 1024 * 1024;
const rules = z.array(z.string()).optional().catch(undefined);
const Permissions = z.looseObject({
  permissions: z.looseObject({ allow: rules, ask: rules, deny: rules }).optional().catch(undefined),
});

/**
 * Whether Claude writes the saved state in this folder without asking: the rule stands in one of its settings files and
 * none takes it back. `configDir`: Claude's own folder. A file that cannot be read says nothing. Never throws.
 */
export function isSavingAllowed(where: { readonly cwd: string; readonly configDir?: string }): boolean {
  const folder = [".claude/settings.local.json", ".claude/settings.json"].map((name) => ofFolder(where.cwd, name));
  const home = where.configDir === undefined ? undefined : ofHome(join(where.configDir, "settings.json"));
  const all = [...folder, home].flatMap((found) => (found === undefined ? [] : [found]));
  if (all.some(({ ask = [], deny = [] }) => [...ask, ...deny].some((rule) => against.includes(rule)))) return false;
  const has = (found: Found | undefined, accepted: readonly string[]) =>
    (found?.allow ?? []).some((rule) => accepted.includes(rule));
  return folder.some((found) => has(found, inFolder)) || has(home, inHome);
}

type Found = NonNullable<z.infer<typeof Permissions>["permissions"]>;

function ofFolder(cwd: string, name: string): Found | undefined {
  const read = readInside(cwd, name, cap);
  return read.kind === "read" ? permissionsIn(read.bytes.toString("utf8")) : undefined;
}

/** The person's own file is only read, and often a link into a folder of such files. */
function ofHome(path: string): Found | undefined {
  try {
    const size = lstatSync(realpathSync(path)).size;
    return size > cap ? undefined : permissionsIn(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

function permissionsIn(text: string): Found | undefined {
  try {
    const parsed = Permissions.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data.permissions : undefined;
  } catch {
    return undefined;
  }
}

/** `changed`: false where the rule stood there already. */
export type AllowedSaving = { readonly kind: "allowed"; readonly path: string; readonly changed: boolean } | Problem;

/**
 * Adds the one rule to the folder's own local settings, and changes nothing else in them. Only ever on a click. A file
 * that is no JSON, or in which rules mean something else, is left as it is. Never throws.
 */
export function allowSaving(folder: string): AllowedSaving {
  const what = "the rule could not be added";
  const byHand = `Add "${allowRule}" to permissions.allow in .claude/settings.local.json yourself.`;
  return orProblem(what, byHand, () => {
    const cwd = realpathSync(folder);
    const path = join(cwd, ".claude", "settings.local.json");
    const read = readInside(cwd, path, cap);
    if (read.kind === "missing") {
      ownClaudeDir(cwd);
      publishInside(cwd, path, jsonOf({ permissions: { allow: [allowRule] } }));
      return { kind: "allowed", path, changed: true };
    }
    if (read.kind !== "read") return problem(`${what}: .claude/settings.local.json ${unusable[read.kind]}`, byHand);
    const settings = settingsIn(read.bytes.toString("utf8"));
    if (settings === undefined)
      return problem(`${what}: .claude/settings.local.json is not valid JSON of settings`, byHand);
    const { root, permissions, allow } = settings;
    if (allow.some((rule) => typeof rule === "string" && inFolder.includes(rule)))
      return { kind: "allowed", path, changed: false };
    const next = { ...root, permissions: { ...permissions, allow: [...allow, allowRule] } };
    publishInside(cwd, path, jsonOf(next), read.stat.mode & 0o777);
    return { kind: "allowed", path, changed: true };
  });
}

/** A folder that is there keeps its rights: it may be shared. */
function ownClaudeDir(cwd: string): void {
  const dir = join(cwd, ".claude");
  const stat = lstatSync(dir, { throwIfNoEntry: false });
  if (stat === undefined) ownDir(dir);
  else if (!stat.isDirectory()) throw new Error(".claude is no folder");
}

const unusable = {
  link: "is a link",
  outside: "lies outside the folder",
  "not-a-file": "is no plain file",
  "too-large": "is too large",
  unreadable: "cannot be read",
} as const;

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The settings as they stand, in their order. Undefined: no JSON, or rules of another shape than ours would join. */
function settingsIn(
  text: string,
): { readonly root: Fields; readonly permissions: Fields; readonly allow: readonly unknown[] } | undefined {
  try {
    const root: unknown = JSON.parse(text);
    if (!isFields(root)) return undefined;
    const permissions = root["permissions"] ?? {};
    if (!isFields(permissions)) return undefined;
    const allow = permissions["allow"] ?? [];
    return Array.isArray(allow) ? { root, permissions, allow } : undefined;
  } catch {
    return undefined;
  }
}

const jsonOf = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;
