import type { AgentId } from "../../server/protocol/agents.ts";

/** What a fake agent has on its screen. */
export type Painted = {
  readonly text: string;
  /** Characters of the text left of the cursor; absent: all. */
  readonly cursor?: number;
  readonly shellMode?: boolean;
  /** A dialog covers the prompt box. */
  readonly dialog?: boolean;
};

export const paintedCols = 70;
export const paintedRows = 39;

const at = (y: number, x: number) => `\u001b[${y + 1};${x + 1}H`;

/** One frame as the agents write it: absolute addresses on a cleared screen, the prompt box at the bottom. */
export function paint(agent: AgentId, painted: Painted, cols = paintedCols, rows = paintedRows): string {
  if (painted.dialog === true) return dialog[agent](rows);
  const all = wrap(painted.text, cols - 4);
  const cursor = cursorIn(all, painted.cursor ?? painted.text.length);
  const hidden = Math.max(0, all.length - (rows - rowsAround));
  const lines = all.slice(hidden).map(({ text }) => text);
  const place = { ...cursor, row: Math.max(0, cursor.row - hidden) };
  return agent === "claude"
    ? claude(painted, lines, place, cols, rows, hidden)
    : codex(painted, lines, place, cols, rows, hidden);
}

/** Rows that the agents do not give to the text. */
const rowsAround = 9;

function claude(
  painted: Painted,
  lines: readonly string[],
  cursor: Place,
  cols: number,
  rows: number,
  hidden: number,
): string {
  const first = rows - 2 - lines.length;
  const rule = `\u001b[38;5;246m${"─".repeat(cols)}\u001b[39m`;
  const more = `─── ↑ ${hidden} more ${"─".repeat(cols)}`.slice(0, cols);
  const sign = painted.shellMode === true ? "!" : "❯";
  const text = lines
    .map((line, index) => `${at(first + index, 0)}${index === 0 && hidden === 0 ? sign : " "}\u00a0${line}`)
    .join("");
  const under = painted.text.slice(painted.cursor ?? painted.text.length).at(0) ?? " ";
  const place = at(first + cursor.row, 2 + cursor.column);
  const footer = `${at(rows - 1, 2)}⏸ manual mode on`;
  return `\u001b[?25l\u001b[2J${at(first - 1, 0)}${hidden === 0 ? rule : more}${text}${at(rows - 2, 0)}${rule}${footer}${place}\u001b[7m${under}\u001b[27m${place}`;
}

function codex(
  painted: Painted,
  lines: readonly string[],
  cursor: Place,
  cols: number,
  rows: number,
  hidden: number,
): string {
  const first = rows - 3 - lines.length;
  const sign = painted.shellMode === true ? "!" : "\u001b[1m›\u001b[22m";
  const shown =
    painted.text === "" && painted.shellMode !== true ? ["\u001b[2mAsk Codex to do anything\u001b[22m"] : lines;
  const text = shown.map((line, index) => `${at(first + index, 0)}${index === 0 ? sign : " "} ${line}`).join("");
  const mark = hidden === 0 ? "" : `${at(first, cols - 1)}↑`;
  const footer = `${mark}${at(rows - 2, 2)}\u001b[36mgpt-fake default · proj\u001b[39m`;
  return `\u001b[2J${text}${footer}${at(first + cursor.row, 2 + cursor.column)}\u001b[?25h`;
}

const dialog: Readonly<Record<AgentId, (rows: number) => string>> = {
  claude: (rows) =>
    `\u001b[2J${at(rows - 6, 1)}Do you want to proceed?${at(rows - 5, 1)}❯ 1. Yes${at(rows - 4, 3)}2. No${at(rows - 5, 1)}`,
  codex: (rows) =>
    `\u001b[2J${at(rows - 6, 0)}› 1. Yes, proceed (y)${at(rows - 5, 2)}2. No${at(rows - 2, 2)}Press enter\u001b[?25l`,
};

type Row = { readonly text: string; readonly start: number };

/** At words, as the agents do: the space at the end of a row is dropped. A longer word is cut. */
function wrap(text: string, width: number): readonly Row[] {
  let offset = 0;
  return text.split("\n").flatMap((line) => {
    const rows: Row[] = [];
    let start = 0;
    while (cellsOf(line.slice(start)) > width) {
      const rest = line.slice(start);
      const end = fitting(rest, width);
      const space = rest.lastIndexOf(" ", end);
      const cut = space > 0 ? space : end;
      rows.push({ text: rest.slice(0, cut), start: offset + start });
      start += space > 0 ? cut + 1 : cut;
    }
    rows.push({ text: line.slice(start), start: offset + start });
    offset += line.length + 1;
    return rows;
  });
}

/** How much of a text fits. */
function fitting(text: string, width: number): number {
  let end = 0;
  for (const character of text) {
    if (cellsOf(text.slice(0, end + character.length)) > width) break;
    end += character.length;
  }
  return end;
}

const cellsOf = (text: string): number =>
  [...text].reduce((sum, character) => sum + (/[\p{Emoji_Presentation}\p{Script=Han}]/u.test(character) ? 2 : 1), 0);

type Place = { readonly row: number; readonly column: number };

function cursorIn(rows: readonly Row[], cursor: number): Place {
  const row = rows.findLastIndex(({ start }) => start <= cursor);
  const { text, start } = rows[row] ?? { text: "", start: 0 };
  return { row, column: cellsOf(text.slice(0, cursor - start)) };
}
