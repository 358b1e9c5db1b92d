import {
  boxOf,
  cellAt,
  type IsFolded,
  isBlank,
  isBlankRow,
  noBox,
  type ReadBox,
  type ScreenGrid,
} from "../composer.ts";

/**
 * Codex's prompt box: `›` (or `!` for its shell mode) at the left of the first row, the text two columns in, a blank row
 * above and below, then the footer and nothing more. The coloured band behind it is no help: a terminal that was never
 * shown has none. Dialogs hide the terminal's cursor; the history search leaves the box but puts the cursor in the footer.
 * During a turn this can be seconds old.
 */
export const readCodexBox: ReadBox = (grid) => {
  if (grid.cursorHidden) return noBox("cursor-hidden");
  const first = signRow(grid);
  if (first === undefined) return noBox("no-prompt-sign");
  if (grid.cursorX < 2) return noBox("cursor-outside");
  if (first === 0 || !isBlankRow(grid, first - 1)) return noBox("no-frame");
  const below = endOfText(grid);
  for (let y = first; y < below; y += 1) {
    if (!isBlank(cellAt(grid, 1, y)) || (y > first && !isBlank(cellAt(grid, 0, y)))) return noBox("not-indented");
  }
  if (!isFooter(grid, below + 1)) return noBox("no-footer");
  const shellMode = cellAt(grid, 0, first).ch === "!";
  return boxOf(grid, { first, last: below - 1 }, { shellMode, partial: isScrolled(grid, first, below) });
};

/** The row of the prompt sign: the first one from the cursor up with anything in its first column. Old prompts are dim. */
function signRow(grid: ScreenGrid): number | undefined {
  for (let y = grid.cursorY; y >= 0; y -= 1) {
    const cell = cellAt(grid, 0, y);
    if (isBlank(cell)) continue;
    return (cell.ch === "›" || cell.ch === "!") && !cell.dim ? y : undefined;
  }
  return undefined;
}

/** The blank row that ends the box. */
function endOfText(grid: ScreenGrid): number {
  let y = grid.cursorY + 1;
  while (y < grid.rows && !isBlankRow(grid, y)) y += 1;
  return y;
}

/**
 * From here on one block of footer rows and nothing below it. A text with an empty row in it would go on behind that row:
 * then there are two blocks, and where the text ends cannot be told.
 */
function isFooter(grid: ScreenGrid, from: number): boolean {
  if (from >= grid.rows || isBlankRow(grid, from)) return false;
  let y = from;
  while (y < grid.rows && !isBlankRow(grid, y)) y += 1;
  while (y < grid.rows && isBlankRow(grid, y)) y += 1;
  return y === grid.rows;
}

/** A text longer than the panel is marked at the right edge. */
function isScrolled(grid: ScreenGrid, first: number, below: number): boolean {
  for (let y = first; y < below; y += 1) {
    if (/[↑↓]/.test(cellAt(grid, grid.cols - 1, y).ch)) return true;
  }
  return false;
}

/** A text of more characters than this is folded, whatever its lines: measured 1000 shown, 1001 folded. */
const foldedAbove = 1000;

/** `[Pasted Content 1501 chars]`: the length in characters, an emoji counting one. */
export const isFoldedByCodex: IsFolded = (shown, text) => {
  const { length } = [...text];
  return length > foldedAbove && shown === `[PastedContent${length}chars]`;
};
