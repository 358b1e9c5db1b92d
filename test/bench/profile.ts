import { z } from "zod";

const Node = z.object({
  id: z.number(),
  callFrame: z.object({ url: z.string() }),
  children: z.array(z.number()).optional(),
});

export const HostProfile = z.object({
  /** CPU time of the whole host. */
  cpuMs: z.number(),
  profile: z.object({
    nodes: z.array(Node),
    samples: z.array(z.number()),
    timeDeltas: z.array(z.number()),
  }),
});
export type HostProfile = z.infer<typeof HostProfile>;

/** Time in which code of files whose path holds the word was on the stack, ms: its own, and all that it called. */
export function ownMs({ profile }: HostProfile, word: string): number {
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const owned = new Set<number>();
  /** Parents before children, as V8 lists them. */
  for (const node of profile.nodes) {
    if (node.callFrame.url.includes(word)) owned.add(node.id);
    if (owned.has(node.id)) for (const child of node.children ?? []) owned.add(child);
  }
  let microseconds = 0;
  for (const [at, id] of profile.samples.entries())
    if (owned.has(id) && byId.has(id)) microseconds += profile.timeDeltas[at] ?? 0;
  return microseconds / 1000;
}
