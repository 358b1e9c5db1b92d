/**
 * Creation time (epoch ms) in the first 48 bits of a version-7 id or of a prefix of one; the clock stands in front.
 * Undefined for any other id. Codex thread ids are of version 7 (facts/codex a).
 */
export function threadTime(idOrPrefix: string): number | undefined {
  const [, high, low] = /^([0-9a-f]{8})-([0-9a-f]{4})-7/i.exec(idOrPrefix) ?? [];
  return high === undefined || low === undefined ? undefined : Number.parseInt(high + low, 16);
}
