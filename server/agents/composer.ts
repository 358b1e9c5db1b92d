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

/** What is pasted: a line of ours, or a text that a person wrote. */
export type OurText = { readonly kind: "line" | "person"; readonly text: string };

/** Whether `shown`, without white space, is what the agent shows instead of this text when it folds a long paste. */
export type IsFolded = (shown: string, text: string) => boolean;

/** The box holds exactly what we pasted, and the cursor stands right behind it. */
export function showsOurs(box: BoxReading, ours: OurText, isFolded: IsFolded): boolean {
  return ours.kind === "line" ? showsExactly(box, ours.text) : showsText(box, ours.text, isFolded);
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

/** The box holds a person's text and nothing else: folded, or row by row. A command has to be seen to its last letter. */
function showsText(box: BoxReading, text: string, isFolded: IsFolded): boolean {
  if (box.kind === "none" || box.afterCursor !== "") return false;
  const found = textBeforeCursor(box, text, isFolded);
  const isCommand = text.trimStart().startsWith("/");
  if (found === undefined || found === "folded") return found === "folded" && !isCommand;
  return isAscii(text) || isCommand ? flowsTo(box.lines, text) : true;
}

/**
 * How a person's text stands before the cursor, with nothing else there; undefined where it does not. Agents and terminals
 * do not agree on the width of every character that is not ASCII, and where they differ one paints over the other: such a
 * character may be missing on the screen, but none may be there that is not in the text, in its order.
 */
export function textBeforeCursor(box: BoxReading, text: string, isFolded: IsFolded): "whole" | "folded" | undefined {
  if (box.kind === "none" || box.shellMode || box.empty || box.partial === true) return undefined;
  if (isFolded(box.beforeCursor, text)) return box.cursorTouchesText ? "folded" : undefined;
  const touches = box.cursorTouchesText || !isAscii(text.slice(-1));
  return touches && isPaintedOf(box.beforeCursor, withoutSpace(text)) ? "whole" : undefined;
}

const isAscii = (text: string): boolean => /^[\t\n -~]*$/.test(text);

function isPaintedOf(shown: string, bare: string): boolean {
  if (shown === "") return false;
  const painted = [...shown];
  let at = 0;
  for (const character of bare) {
    if (painted[at] === character) at += 1;
    else if (isAscii(character)) return false;
  }
  return at === painted.length;
}

/**
 * Whether the rows give the text: between two rows there may be any white space or none, within a row there is some exactly
 * where the text has some. Tabs and runs of spaces are painted in many ways.
 */
function flowsTo(lines: readonly string[], text: string): boolean {
  let at = 0;
  const skipSpace = () => {
    while (/\s/u.test(text[at] ?? "")) at += 1;
  };
  for (const line of lines) {
    skipSpace();
    for (const [index, word] of line.trim().split(/\s+/u).entries()) {
      const before = at;
      skipSpace();
      if ((index > 0 && at === before) || !text.startsWith(word, at)) return false;
      at += word.length;
    }
  }
  skipSpace();
  return at === text.length;
}

/** The text directly left of the cursor ends with our line, so that as many deletes as it is long take just it away. */
export function endsWithOurs(box: BoxReading, ours: string): boolean {
  if (box.kind === "none" || box.empty || box.partial === true) return false;
  return box.cursorTouchesText && box.beforeCursor.endsWith(withoutSpace(ours));
}

/** The least of a line's end by which it is known. */
const leastEnd = 20;

/** A panel too low for our line shows its end, with the cursor behind it, and how much there is above is not known. */
export function endsWithEndOfOurs(box: BoxReading, ours: string): boolean {
  if (box.kind === "none" || box.partial !== true || box.afterCursor !== "" || !box.cursorTouchesText) return false;
  const end = box.beforeCursor.replace(/[↑↓]/g, "");
  return end.length >= leastEnd && withoutSpace(ours).endsWith(end);
}
