/** One cell of a terminal's screen. `ch` is empty in the second cell of a wide character. */
export type ScreenCell = {
  readonly ch: string;
  readonly width: number;
  readonly dim: boolean;
  readonly inverse: boolean;
};

/** What a terminal shows now: exactly `rows` rows of `cols` cells; the cursor may stand right of the last cell. */
export type ScreenGrid = {
  readonly cols: number;
  readonly rows: number;
  readonly cells: readonly (readonly ScreenCell[])[];
  readonly cursorX: number;
  readonly cursorY: number;
  /** Hidden by the program (DECTCEM). */
  readonly cursorHidden: boolean;
};

/** Why a screen shows no prompt box that we may use. */
export type NoBox = "no-frame" | "no-prompt-sign" | "cursor-hidden" | "cursor-outside" | "not-indented" | "no-footer";

/**
 * The agent's prompt box. Its texts have no white space in them: agents wrap at words and drop spaces there. A screen
 * text lives in here and goes no further than the comparison with our own line.
 */
export type PromptBox = {
  readonly kind: "box";
  /** What is typed goes to a shell. */
  readonly shellMode: boolean;
  /** Nothing in it but, at most, dim placeholder text. */
  readonly empty: boolean;
  readonly text: string;
  readonly beforeCursor: string;
  readonly afterCursor: string;
  /** The rows of its text from the left edge of the text, without the blanks at their right. */
  readonly lines: readonly string[];
  /** The cursor stands directly behind a character: no space and no empty row between. */
  readonly cursorTouchesText: boolean;
  /** A part of the text is out of sight, or its end cannot be told: not to be judged. */
  readonly partial?: boolean;
  readonly placeholder?: string;
};

export type BoxReading = { readonly kind: "none"; readonly why: NoBox } | PromptBox;

/** Finds the agent's prompt box on a screen. Pure and total. */
export type ReadBox = (grid: ScreenGrid) => BoxReading;

export const noBox = (why: NoBox): BoxReading => ({ kind: "none", why });

export const withoutSpace = (text: string): string => text.replace(/\s+/gu, "");

const blankCell: ScreenCell = { ch: " ", width: 1, dim: false, inverse: false };

export const cellAt = (grid: ScreenGrid, x: number, y: number): ScreenCell => grid.cells[y]?.[x] ?? blankCell;

export const isBlank = (cell: ScreenCell): boolean => cell.ch.trim() === "";

/** The text of one row from column `from` up to, not including, column `to`. A no-break space counts as a space. */
export function rowText(grid: ScreenGrid, y: number, from = 0, to = grid.cols): string {
  const cells = (grid.cells[y] ?? []).slice(from, to);
  return cells
    .map((cell) => cell.ch)
    .join("")
    .replaceAll("\u00a0", " ");
}

export const isBlankRow = (grid: ScreenGrid, y: number): boolean => rowText(grid, y).trim() === "";

/** Both agents keep two columns left of the text: the prompt sign and a space. */
const textColumn = 2;

/** Makes the box out of the rows of its text, `first` to `last`. */
export function boxOf(
  grid: ScreenGrid,
  rows: { first: number; last: number },
  found: { shellMode: boolean; partial: boolean },
): PromptBox {
  const { cursorX, cursorY } = grid;
  const numbers = Array.from({ length: rows.last - rows.first + 1 }, (_, index) => rows.first + index);
  const lines = numbers.map((y) => rowText(grid, y, textColumn).trimEnd());
  const text = withoutSpace(lines.join(""));
  const atStart = cursorY === rows.first && cursorX === textColumn;
  const placeholder = atStart && isPlaceholder(grid, numbers);
  const empty = placeholder || (text === "" && atStart && lines.length === 1);
  if (empty) {
    return {
      kind: "box",
      shellMode: found.shellMode,
      empty: !found.partial,
      text: "",
      beforeCursor: "",
      afterCursor: "",
      lines: [],
      cursorTouchesText: false,
      ...(found.partial ? { partial: true } : {}),
      ...(placeholder ? { placeholder: text } : {}),
    };
  }
  const before = numbers
    .filter((y) => y <= cursorY)
    .map((y) => rowText(grid, y, textColumn, y === cursorY ? cursorX : grid.cols));
  const after = numbers.filter((y) => y >= cursorY).map((y) => rowText(grid, y, y === cursorY ? cursorX : textColumn));
  return {
    kind: "box",
    shellMode: found.shellMode,
    empty: false,
    text,
    beforeCursor: withoutSpace(before.join("")),
    afterCursor: withoutSpace(after.join("")),
    lines,
    cursorTouchesText: touchesText(grid, rows.first),
    ...(found.partial ? { partial: true } : {}),
  };
}

/** Dim text with the cursor before it. The cell under a drawn cursor is inverse, not dim: it alone proves nothing. */
function isPlaceholder(grid: ScreenGrid, numbers: readonly number[]): boolean {
  const written = numbers.flatMap((y) =>
    (grid.cells[y] ?? []).slice(textColumn).flatMap((cell, index) => {
      const underCursor = y === grid.cursorY && index + textColumn === grid.cursorX && cell.inverse;
      return isBlank(cell) || underCursor ? [] : cell;
    }),
  );
  return written.length > 0 && written.every((cell) => cell.dim);
}

/** A text that fills its row to the end leaves the cursor at the beginning of the next one. */
const wrapSlack = 3;

function touchesText(grid: ScreenGrid, first: number): boolean {
  const { cols, cursorX, cursorY } = grid;
  if (cursorX > textColumn)
    return !isBlank(cellAt(grid, cursorX - 1, cursorY)) || cellAt(grid, cursorX - 1, cursorY).width === 0;
  return cursorY > first && rowText(grid, cursorY - 1).trimEnd().length >= cols - wrapSlack;
}

/**
 * The box holds exactly this one line of ours: every character and every space that can be seen, the cursor right behind
 * it and nothing after.
 */
export function showsExactly(box: BoxReading, ours: string): boolean {
  if (box.kind === "none" || box.shellMode || box.empty || box.partial === true) return false;
  const bare = withoutSpace(ours);
  return (
    box.text === bare &&
    box.beforeCursor === bare &&
    box.afterCursor === "" &&
    box.cursorTouchesText &&
    wrapsTo(box.lines, ours)
  );
}

/** Whether the rows, put together, give the line: at the end of a row one space may have been dropped. */
function wrapsTo(lines: readonly string[], ours: string): boolean {
  let at = 0;
  for (const [index, line] of lines.entries()) {
    if (line === "" && index !== lines.length - 1) return false;
    if (!ours.startsWith(line, at)) return false;
    at += line.length;
    if (ours[at] === " ") at += 1;
  }
  return at === ours.length;
}

/** The text directly left of the cursor ends with our line, so that as many deletes as it is long take just it away. */
export function endsWithOurs(box: BoxReading, ours: string): boolean {
  if (box.kind === "none" || box.empty || box.partial === true) return false;
  return box.cursorTouchesText && box.beforeCursor.endsWith(withoutSpace(ours));
}
