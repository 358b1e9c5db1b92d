import { createHash } from "node:crypto";

/**
 * A person's text as it is pasted: no character in it could end the paste or be a key. Line ends are LF; other control
 * characters and halves of characters are left out, and so are empty lines before it and white space behind it, which no
 * prompt box shows.
 */
export function pastable(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/[^\P{Cc}\n\t]|\p{Cs}/gu, "")
    .replace(/^\s*\n/u, "")
    .trimEnd();
}

/** As everywhere: sha-256, hex, of the text without any white space (R50). */
export const digestOf = (text: string): string =>
  createHash("sha256").update(text.replace(/\s+/gu, ""), "utf8").digest("hex");
