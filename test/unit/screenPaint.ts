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
  const lines = wrap(painted.text, cols - 4);
  const cursor = cursorIn(lines, painted.text, painted.cursor ?? painted.text.length);
  return agent === "claude" ? claude(painted, lines, cursor, cols, rows) : codex(painted, lines, cursor, rows);
}

function claude(painted: Painted, lines: readonly string[], cursor: Place, cols: number, rows: number): string {
  const first = rows - 2 - lines.length;
  const rule = `\u001b[38;5;246m${"─".repeat(cols)}\u001b[39m`;
  const sign = painted.shellMode === true ? "!" : "❯";
  const text = lines.map((line, index) => `${at(first + index, 0)}${index === 0 ? sign : " "}\u00a0${line}`).join("");
  const under = lines[cursor.row]?.[cursor.column] ?? " ";
  const place = at(first + cursor.row, 2 + cursor.column);
  const footer = `${at(rows - 1, 2)}⏸ manual mode on`;
  return `\u001b[?25l\u001b[2J${at(first - 1, 0)}${rule}${text}${at(rows - 2, 0)}${rule}${footer}${place}\u001b[7m${under}\u001b[27m${place}`;
}

function codex(painted: Painted, lines: readonly string[], cursor: Place, rows: number): string {
  const first = rows - 3 - lines.length;
  const sign = painted.shellMode === true ? "!" : "\u001b[1m›\u001b[22m";
  const shown =
    painted.text === "" && painted.shellMode !== true ? ["\u001b[2mAsk Codex to do anything\u001b[22m"] : lines;
  const text = shown.map((line, index) => `${at(first + index, 0)}${index === 0 ? sign : " "} ${line}`).join("");
  const footer = `${at(rows - 2, 2)}\u001b[36mgpt-fake default · proj\u001b[39m`;
  return `\u001b[2J${text}${footer}${at(first + cursor.row, 2 + cursor.column)}\u001b[?25h`;
}

const dialog: Readonly<Record<AgentId, (rows: number) => string>> = {
  claude: (rows) =>
    `\u001b[2J${at(rows - 6, 1)}Do you want to proceed?${at(rows - 5, 1)}❯ 1. Yes${at(rows - 4, 3)}2. No${at(rows - 5, 1)}`,
  codex: (rows) =>
    `\u001b[2J${at(rows - 6, 0)}› 1. Yes, proceed (y)${at(rows - 5, 2)}2. No${at(rows - 2, 2)}Press enter\u001b[?25l`,
};

/** At words, as the agents do: the space at the end of a row is dropped. */
function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (longer.length <= width) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

type Place = { readonly row: number; readonly column: number };

function cursorIn(lines: readonly string[], text: string, cursor: number): Place {
  let start = 0;
  for (const [row, line] of lines.entries()) {
    if (cursor <= start + line.length || row === lines.length - 1) return { row, column: cursor - start };
    start += line.length + (text[start + line.length] === " " ? 1 : 0);
  }
  return { row: 0, column: 0 };
}
