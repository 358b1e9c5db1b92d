/** A number of tokens, never shown fuller than it is: 279 999 is `279k`. */
export function size(tokens: number): string {
  if (tokens >= 1_000_000) return `${Math.floor(tokens / 10_000) / 100}M`;
  if (tokens >= 1000) return `${Math.floor(tokens / 1000)}k`;
  return tokens === 0 ? "0" : "<1k";
}

/** The same, to be read aloud. */
export const spokenSize = (tokens: number): string => size(tokens).replace("k", " thousand").replace("M", " million");

/** Rounded up, as the percentage line is judged. */
export const share = (percent: number): string => `${Math.ceil(percent)}%`;

/** How long, in the largest unit that says enough. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}

export const ago = (ms: number): string => (ms < 5000 ? "just now" : `${span(ms)} ago`);

/** The time of day, with the date when it was another day. */
export function clock(at: number, now: number): string {
  const then = new Date(at);
  const time = `${two(then.getHours())}:${two(then.getMinutes())}`;
  return then.toDateString() === new Date(now).toDateString()
    ? time
    : `${then.getFullYear()}-${two(then.getMonth() + 1)}-${two(then.getDate())} ${time}`;
}

const two = (part: number): string => String(part).padStart(2, "0");

/** `1 prompt`, `2 prompts`. */
export const count = (many: number, one: string, more = `${one}s`): string => `${many} ${many === 1 ? one : more}`;

/** `a`, `a and b`, `a, b and c`. */
export function list(parts: readonly string[]): string {
  const last = parts.at(-1) ?? "";
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(", ")} and ${last}`;
}

/** Size of a file: `6.2 kB`. */
export const bytes = (size: number): string =>
  size < 1000 ? `${size} bytes` : size < 1_000_000 ? `${tenths(size / 1000)} kB` : `${tenths(size / 1_000_000)} MB`;

const tenths = (value: number): string => (Math.floor(value * 10) / 10).toFixed(1);
