import { boxOf, cellAt, type IsFolded, isBlank, noBox, type ReadBox, rowText, type ScreenGrid } from "../composer.ts";

/** Cells of `─` at the left by which a row is a rule of the box, and not a line of some text. */
const ruleCells = 10;

/**
 * Claude Code's prompt box: a rule above and below, `❯` (or `!` for its shell mode) at the left of the first row, the
 * text two columns in. The terminal's own cursor is hidden but parked where the drawn one is. When the panel is too small
 * for the text, a rule says so: `─── ↑ 2 more ───`. Dialogs have no lower rule, or no prompt sign at the very left; the
 * transcript view has one dim rule. While Claude works, the same empty box is there: this says nothing about its turn.
 */
export const readClaudeBox: ReadBox = (grid) => {
  const { cursorY, rows } = grid;
  const above = nearest(grid, cursorY - 1, -1, -1);
  const below = nearest(grid, cursorY + 1, rows, 1);
  if (above === undefined || below === undefined || ruleAt(grid, cursorY) !== undefined) return noBox("no-frame");
  const partial = above.partial || below.partial;
  const first = above.y + 1;
  const sign = cellAt(grid, 0, first).ch;
  if (!partial && sign !== "❯" && sign !== "!") return noBox("no-prompt-sign");
  if (grid.cursorX < 2) return noBox("cursor-outside");
  for (let y = first; y < below.y; y += 1) {
    const isSigned = y === first && (sign === "❯" || sign === "!");
    if (!isBlank(cellAt(grid, 1, y)) || (!isSigned && !isBlank(cellAt(grid, 0, y)))) return noBox("not-indented");
  }
  return boxOf(grid, { first, last: below.y - 1 }, { shellMode: sign === "!", partial });
};

type Rule = { readonly y: number; readonly partial: boolean };

function nearest(grid: ScreenGrid, from: number, end: number, step: 1 | -1): Rule | undefined {
  for (let y = from; y !== end; y += step) {
    const found = ruleAt(grid, y);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A rule goes from the first column to the last; a part of it may be a label. */
function ruleAt(grid: ScreenGrid, y: number): Rule | undefined {
  const text = rowText(grid, y);
  if (!text.startsWith("──") || !text.endsWith("─") || cellAt(grid, 0, y).dim) return undefined;
  if (/^─+ [↑↓] \d+ more ─+$/.test(text)) return { y, partial: true };
  return text.startsWith("─".repeat(ruleCells)) ? { y, partial: false } : undefined;
}

/** Without a line end, a text longer than this is folded: measured 800 shown, 801 folded. */
const foldedAbove = 800;

/**
 * `[Pasted text #3 +4 lines]` has the number of line ends in it, and nothing else of the text: 2 are shown, 3 are folded,
 * in a low panel fewer. `[Pasted text #3]` is a long text without any. The first number counts the pastes.
 */
export const isFoldedByClaude: IsFolded = (shown, text) => {
  const found = /^\[Pastedtext#[1-9]\d*(?:\+([1-9]\d*)lines)?\]$/.exec(shown);
  if (found === null) return false;
  const lineEnds = text.split("\n").length - 1;
  return found[1] === undefined ? lineEnds === 0 && text.length > foldedAbove : Number(found[1]) === lineEnds;
};
