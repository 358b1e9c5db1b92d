import type { Key } from "./keys.ts";

/** What stands in the prompt box. `cursor` counts characters, not UTF-16 units. */
export type Draft = { readonly text: string; readonly cursor: number };

export const emptyDraft: Draft = { text: "", cursor: 0 };

/** The draft after a key that edits it; the same one after any other. */
export function edit(draft: Draft, key: Key): Draft {
  const characters = [...draft.text];
  const { cursor } = draft;
  switch (key.kind) {
    case "text":
    case "paste": {
      const added = [...key.text.replace(/\r\n?/g, "\n")];
      return { text: characters.toSpliced(cursor, 0, ...added).join(""), cursor: cursor + added.length };
    }
    case "backspace":
      return cursor === 0 ? draft : { text: characters.toSpliced(cursor - 1, 1).join(""), cursor: cursor - 1 };
    case "erase":
      return { text: characters.slice(cursor).join(""), cursor: 0 };
    case "left":
      return { ...draft, cursor: Math.max(0, cursor - 1) };
    case "right":
      return { ...draft, cursor: Math.min(characters.length, cursor + 1) };
    case "first":
      return { ...draft, cursor: 0 };
    case "last":
      return { ...draft, cursor: characters.length };
    default:
      return draft;
  }
}
