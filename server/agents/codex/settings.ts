/**
 * Codex's own compaction line from `config.toml` (facts/codex c): only a top-level number is read, as Codex writes it. A
 * profile's line is unknown to us and left out.
 */
export function parseCompactLimit(toml: string): number | undefined {
  const top = /^\s*\[/m.exec(toml);
  const text = top === null ? toml : toml.slice(0, top.index);
  const value = /^\s*model_auto_compact_token_limit\s*=\s*([0-9_]+)\s*(?:#.*)?$/m.exec(text)?.[1];
  const limit = Number(value?.replace(/_/g, "") ?? Number.NaN);
  return Number.isFinite(limit) && limit > 0 ? limit : undefined;
}
