/**
 * A pasted text: harmless in every dialog, and no key of it is taken for a command. VS Code adds no brackets itself, and
 * sends a line end as a carriage return, which is a line end to an agent inside the brackets.
 */
export const pasted = (text: string): string => `\u001b[200~${text}\u001b[201~`;

/** Enter, always alone: sent with the text, a slow terminal may get both in one piece and take them for a paste. */
export const enter = "\r";

/** Alone too: what follows it closely is read as one key with it. */
export const escapeKey = "\u001b";

/** In one write: nothing gets between them. */
export const deletes = (count: number): string => "\u007f".repeat(count);
