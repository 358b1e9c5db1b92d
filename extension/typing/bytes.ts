/** A pasted line: harmless in every dialog, and no key of it is taken for a command. VS Code adds no brackets itself. */
export const pasted = (text: string): string => `\u001b[200~${text}\u001b[201~`;

/** Enter, always alone: sent with the text, a slow terminal may get both in one piece and take them for a paste. */
export const enter = "\r";

/** As many deletes as the line is long, in one write. Our lines are ASCII: one key takes one character. */
export const deletes = (text: string): string => "\u007f".repeat(text.length);
