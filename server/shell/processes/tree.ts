import type { ProcessFacts } from "./process.ts";

/** The roots and all below them in a snapshot, parents first, nothing below a leaf. A pid that comes twice is taken once. */
export function below(
  snapshot: readonly ProcessFacts[],
  roots: readonly number[],
  isLeaf: (process: ProcessFacts) => boolean,
): readonly ProcessFacts[] {
  const children = new Map<number, ProcessFacts[]>();
  const byPid = new Map<number, ProcessFacts>();
  for (const process of snapshot) {
    byPid.set(process.pid, process);
    const siblings = children.get(process.parent);
    if (siblings === undefined) children.set(process.parent, [process]);
    else siblings.push(process);
  }
  const found = new Map<number, ProcessFacts>();
  const queue = roots.flatMap((pid) => byPid.get(pid) ?? []);
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    if (found.has(next.pid)) continue;
    found.set(next.pid, next);
    if (!isLeaf(next)) queue.push(...(children.get(next.pid) ?? []));
  }
  return [...found.values()];
}

/** The nearest ancestor (itself included) that is one of `roots`, walking a list that `below` gave. */
export function rootOf(
  process: ProcessFacts,
  byPid: ReadonlyMap<number, ProcessFacts>,
  roots: ReadonlySet<number>,
): number | undefined {
  const seen = new Set<number>();
  for (let at: ProcessFacts | undefined = process; at !== undefined && !seen.has(at.pid); at = byPid.get(at.parent)) {
    if (roots.has(at.pid)) return at.pid;
    seen.add(at.pid);
  }
  return undefined;
}
