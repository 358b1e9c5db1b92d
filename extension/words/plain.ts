const marks = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/**
 * Text that is not ours (terminal names, what an agent waits for), fit for one line. It is data: neither `$(icon)` nor
 * `[link](…)` in it is read as one, and it can't turn the direction of the words around it.
 */
export function plain(text: string, max = 40): string {
  const line = text.replace(marks, " ").replace(/\s+/gu, " ").trim();
  const letters = Array.from(line);
  const short = letters.length > max ? `${letters.slice(0, max - 1).join("")}…` : line;
  return short.replaceAll("$(", "$\u200b(").replaceAll("](", "]\u200b(");
}

/** The worker's own words, where Markdown is not read: without the marks that slant the names of commands there. */
export const unslanted = (text: string, max: number): string => plain(text.replaceAll("*", ""), max);
