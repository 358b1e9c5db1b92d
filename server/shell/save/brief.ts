import { join } from "node:path";
import { type BriefParts, completeBrief } from "../../core/save/briefText.ts";
import { maxBytes } from "../../core/save/receipt.ts";
import { gitFactsOf } from "./gitFacts.ts";
import { orProblem, type Problem, problem, publishInside, readInside, sha256Of } from "./inside.ts";
import { fileNames } from "./saves.ts";

export type WrittenBrief = { readonly kind: "ready"; readonly path: string; readonly digest: string } | Problem;

/**
 * Puts the brief together and on disk, before anything is cleared (R134): git's part is read here, the rest is given.
 * `required`: what the workflow demands a value of. Never throws.
 */
export function assembleBrief(
  dir: string,
  parts: Omit<BriefParts, "branch" | "head" | "worktree" | "cwd"> & { readonly cwd: string },
  required: readonly string[] = [],
): WrittenBrief {
  return orProblem("the brief could not be written", "Check that you may write into the agent's folder.", () => {
    const result = completeBrief({ ...parts, ...gitFactsOf(parts.cwd) }, required);
    if (result.kind === "incomplete")
      return problem(
        `the brief lacks ${result.missing.join(", ")}`,
        "Give the workflow's fields a value (plimsoll.workflows), then ask again.",
      );
    if (result.kind === "too-large")
      return problem("the brief is larger than 48 kB", "Shorten the workflow's fields (plimsoll.workflows).");
    const path = join(dir, fileNames.brief);
    publishInside(parts.cwd, path, result.text);
    return { kind: "ready", path, digest: sha256Of(result.text) };
  });
}

export type KeptFile = { readonly path: string; readonly digest: string };

/** Whether what was saved and written is still the same, to be asked again right before it is relied on. Never throws. */
export function stillSame(cwd: string, files: readonly KeptFile[]): { readonly kind: "same" } | Problem {
  for (const { path, digest } of files) {
    const read = readInside(cwd, path, maxBytes);
    if (read.kind !== "read")
      return problem("what was saved can no longer be read", "Look at the agent's .plimsoll folder, then ask again.");
    if (sha256Of(read.bytes) !== digest)
      return problem("what was saved has changed since it was checked", "Ask again: it saves anew.");
  }
  return { kind: "same" };
}
