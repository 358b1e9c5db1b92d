/** Columns a character takes. */
const widthOf = (character: string): number =>
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u.test(
    character,
  )
    ? 2
    : 1;

export const columnsOf = (text: string): number =>
  [...text].reduce((columns, character) => columns + widthOf(character), 0);

/** A row of a wrapped text, and how many of the text's characters come before it. */
export type Row = { readonly text: string; readonly from: number };

/** At words, as agents do: the space at the end of a row is dropped. A word that is too long is cut. */
export function wrap(text: string, columns: number): readonly Row[] {
  const rows: Row[] = [];
  let from = 0;
  for (const line of text.split("\n")) {
    const characters = [...line];
    let start = 0;
    do {
      const end = endOfRow(characters, start, Math.max(2, columns));
      rows.push({ text: characters.slice(start, end).join(""), from: from + start });
      start = characters[end] === " " ? end + 1 : end;
    } while (start < characters.length);
    from += characters.length + 1;
  }
  return rows;
}

function endOfRow(characters: readonly string[], start: number, columns: number): number {
  let end = start;
  for (let used = 0; end < characters.length; end += 1) {
    used += widthOf(characters[end] ?? "");
    if (used > columns) break;
  }
  if (end === characters.length || characters[end] === " ") return end;
  const space = characters.lastIndexOf(" ", end);
  return space > start ? space : end;
}
