import { join } from "node:path";
import { type GitPlace, gitPlaceOf, smallText } from "./gitPlace.ts";
import { readPlain } from "./inside.ts";

/** What the brief says of the repository: always words that can be read, never an empty value (R135). */
export type GitFacts = { readonly branch: string; readonly head: string; readonly worktree?: string };

/** A repository with very many branches; a larger list is not read, bytes. */
const packedCap = 32 * 1024 * 1024;
const hash = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const unreadable = "not known (it cannot be read)";

/** Branch and commit, read from git's own files; no program is run. Never throws. */
export function gitFactsOf(cwd: string): GitFacts {
  const place = gitPlaceOf(cwd);
  if (place === undefined) return { branch: "not a git repository", head: "not a git repository" };
  const worktree = place.isLinked ? { worktree: place.root } : {};
  const text = smallText(join(place.gitDir, "HEAD"));
  if (text === undefined) return { branch: unreadable, head: unreadable, ...worktree };
  if (hash.test(text)) return { branch: "none (detached HEAD)", head: text, ...worktree };
  const ref = refOf(text);
  // A repository that keeps its refs in tables has a name there that no branch can have.
  if (ref === undefined || ref.endsWith("/.invalid")) return { branch: unreadable, head: unreadable, ...worktree };
  return { branch: ref.replace(/^refs\/heads\//, ""), head: commitOf(place, ref, 5) ?? "no commit yet", ...worktree };
}

/** The name in `ref: refs/…`, where it is one that can be joined to a path. */
function refOf(text: string): string | undefined {
  const ref = /^ref: (refs\/\S+)$/.exec(text)?.[1];
  return ref === undefined || ref.split("/").some((part) => part === "" || part === "." || part === "..")
    ? undefined
    : ref;
}

/** Commit of a ref: a file of its own, else a line of the packed list. Undefined: it has none yet. */
function commitOf(place: GitPlace, ref: string, depth: number): string | undefined {
  const text = smallText(join(place.shared, ref));
  if (text === undefined) return packedCommit(place, ref);
  if (hash.test(text)) return text;
  const next = refOf(text);
  return next === undefined || depth === 0 ? unreadable : commitOf(place, next, depth - 1);
}

function packedCommit({ shared }: GitPlace, ref: string): string | undefined {
  const read = readPlain(join(shared, "packed-refs"), packedCap);
  if (read.kind === "missing") return undefined;
  if (read.kind !== "read") return unreadable;
  const line = read.bytes
    .toString("utf8")
    .split("\n")
    .find((candidate) => candidate.endsWith(` ${ref}`));
  const commit = line?.slice(0, line.indexOf(" "));
  return commit !== undefined && hash.test(commit) ? commit : undefined;
}
