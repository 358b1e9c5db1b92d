import type { Draft } from "./draft.ts";
import { columnsOf, type Row, wrap } from "./wrap.ts";

export type Message = { readonly kind: "prompt" | "answer" | "note" | "done"; readonly text: string };

export type Shown = {
  readonly cwd: string;
  readonly messages: readonly Message[];
  readonly draft: Draft;
  /** What it is doing; absent: nothing. */
  readonly doing?: string;
  readonly footer: string;
};

export type Size = { readonly cols: number; readonly rows: number };

export const enterScreen = "\u001b[?1049h\u001b[?2004h\u001b[?25l";
export const leaveScreen = "\u001b[?2004l\u001b[?25h\u001b[?1049l";
const placeholder = 'Try "hello", and again, and look at the status bar';

const dim = (text: string) => `\u001b[2m${text}\u001b[22m`;
const bold = (text: string) => `\u001b[1m${text}\u001b[22m`;
const grey = (text: string) => `\u001b[38;5;246m${text}\u001b[39m`;
const inverse = (text: string) => `\u001b[7m${text}\u001b[27m`;

/** One whole frame. The terminal's cursor is hidden, but parked where the drawn one is, as Claude Code does. */
export function draw(shown: Shown, size: Size): string {
  const { cols, rows } = size;
  const box = boxOf(shown.draft, cols, Math.max(1, rows - 5));
  const room = Math.max(0, rows - box.rows.length - 4);
  const talk = talkOf(shown, cols).slice(-room);
  const blank = Array.from({ length: Math.max(0, room - talk.length) }, () => "");
  const lines = [
    ...talk,
    ...blank,
    shown.doing === undefined ? "" : grey(`· ${shown.doing}`),
    grey(box.above),
    ...box.rows,
    grey("─".repeat(cols)),
    grey(clip(`  ${shown.footer}`, cols)),
  ].slice(-rows);
  const first = lines.length - box.rows.length - 2;
  // Erased before it is written: at the end of a full row the erasing would take its last cell.
  const painted = lines.map((line, y) => `${at(0, y)}\u001b[2K${line}`).join("");
  return `\u001b[?25l${painted}${at(2 + box.column, first + box.row)}`;
}

const at = (x: number, y: number): string => `\u001b[${y + 1};${x + 1}H`;

function talkOf({ cwd, messages }: Shown, cols: number): readonly string[] {
  const heading = [
    "",
    `  ${inverse(" DEMO ")} ${bold("A stand-in for Claude Code: no model, no network, no cost")}`,
    grey(clip(`         ${cwd}`, cols)),
    ...wrap(
      "Each prompt makes its context bigger. USAGE=290000 in a prompt sets it, DELAY=20000 makes a long turn.",
      cols - 10,
    ).map(({ text }) => grey(`         ${text}`)),
    grey(clip("         /compact · /clear · /resume <id> · /exit", cols)),
  ];
  return [...heading, ...messages.flatMap((message) => ["", ...said(message, cols)])];
}

const looks: Readonly<Record<Message["kind"], { readonly sign: string; readonly style: (text: string) => string }>> = {
  prompt: { sign: "❯ ", style: bold },
  answer: { sign: "● ", style: (text) => text },
  note: { sign: "  └  ", style: grey },
  done: { sign: "✻ ", style: grey },
};

function said({ kind, text }: Message, cols: number): readonly string[] {
  const { sign, style } = looks[kind];
  return wrap(text, cols - sign.length - 1).map((row, index) =>
    style(`${index === 0 ? sign : " ".repeat(sign.length)}${row.text}`),
  );
}

type Box = { readonly above: string; readonly rows: readonly string[]; readonly row: number; readonly column: number };

function boxOf({ text, cursor }: Draft, cols: number, most: number): Box {
  const rule = "─".repeat(cols);
  if (text === "") {
    const [first = "", ...rest] = clip(placeholder, cols - 4);
    return { above: rule, rows: [`❯\u00a0${inverse(first)}${dim(rest.join(""))}`], row: 0, column: 0 };
  }
  const rows = wrap(text, cols - 4);
  const row = Math.max(
    0,
    rows.findLastIndex(({ from }) => from <= cursor),
  );
  // What doesn't fit is out of sight above, and the rule says so.
  const hidden = Math.min(row, Math.max(0, rows.length - most));
  const shown = rows.slice(hidden, hidden + most);
  const inRow = cursor - (rows[row]?.from ?? 0);
  const before = [...(rows[row]?.text ?? "")].slice(0, inRow).join("");
  return {
    above: hidden === 0 ? rule : clip(`─── ↑ ${hidden} more ${rule}`, cols),
    rows: shown.map((line, index) => boxRow(line, hidden + index, hidden + index === row ? inRow : undefined)),
    row: row - hidden,
    column: columnsOf(before),
  };
}

function boxRow({ text }: Row, index: number, cursor: number | undefined): string {
  const sign = index === 0 ? "❯" : " ";
  if (cursor === undefined) return `${sign}\u00a0${text}`;
  const characters = [...text];
  const under = inverse(characters[cursor] ?? " ");
  return `${sign}\u00a0${characters.slice(0, cursor).join("")}${under}${characters.slice(cursor + 1).join("")}`;
}

function clip(text: string, cols: number): string {
  const characters = [...text];
  return characters.length <= cols ? text : characters.slice(0, Math.max(0, cols)).join("");
}
