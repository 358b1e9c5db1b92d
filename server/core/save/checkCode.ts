/**
 * The first line of a saved state, whatever comment it is written as: freshness stands inside the file, because a time
 * of writing cannot tell an answer from a touched file (R89, R94).
 */
const firstLine =
  /^\s*(?:<!--|\/\*+|\/\/+|#+|;+|--|>)?\s*plimsoll\s+check\s+code\s*:\s*`?([0-9a-f]{12})`?\s*(?:-->|\*\/)?\s*$/i;

/** The check code a line carries; undefined: none, or the line says something besides. */
export const codeOfLine = (line: string): string | undefined => firstLine.exec(line)?.[1]?.toLowerCase();
