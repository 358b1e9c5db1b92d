import { Terminal } from "@xterm/headless";
import type { ScreenCell, ScreenGrid } from "../../server/agents/composer.ts";
import type { Clock } from "./clock.ts";
import { createListeners } from "./listeners.ts";
import type { Size } from "./ttySize.ts";
import { agentWidths } from "./widths.ts";

type ReportedState = "idle" | "working" | "blocked" | "done" | "error";

/** What a mirror shows: the screen, or why it can't be told now. */
type MirrorView =
  | { readonly kind: "screen"; readonly grid: ScreenGrid }
  | { readonly kind: "size-unknown" }
  /** The size changed and the agent has not painted since. */
  | { readonly kind: "resized" }
  /** We wrote, and what is shown is from before: the answer is on its way. */
  | { readonly kind: "unanswered" };

/**
 * The terminal's screen, rebuilt from its output. It answers nothing (a query's reply is the real terminal's affair), has
 * no scrollback, and always has the size of the real terminal: with one column too few, nothing on it is right.
 */
export type Mirror = {
  /** One chunk of output. `size`: what the terminal had when it came; absent: ask now. */
  readonly write: (chunk: string, arrival?: { readonly at: number; readonly size: Size | undefined }) => void;
  /** We wrote to the terminal: what is shown may be old from here on. */
  readonly noteOwnWrite: () => void;
  /** Bumped by every chunk and every write of ours. */
  readonly sequence: () => number;
  /** Monotonic ms of the last chunk. */
  readonly lastChunkAt: () => number | undefined;
  readonly freshSinceOwnWrite: () => boolean;
  /** A chunk came that the mirror does not show yet. */
  readonly hasUnparsed: () => boolean;
  /** Resolves when every chunk so far is shown. */
  readonly flush: () => Promise<void>;
  readonly look: () => MirrorView;
  readonly title: () => string;
  readonly reported: () => ReportedState | undefined;
  /** After a chunk is shown. */
  readonly onShown: (listener: () => void) => { dispose(): void };
  readonly dispose: () => void;
};

/** After a write of ours without any output the agent has swallowed it, and the old screen is the new one. */
export const answerMs = 3000;

export function createMirror(clock: Clock, size: () => Size | undefined): Mirror {
  let current = size() ?? { cols: 80, rows: 24 };
  const terminal = new Terminal({ ...current, scrollback: 0, allowProposedApi: true });
  terminal.unicode.register(agentWidths);
  terminal.unicode.activeVersion = agentWidths.version;
  const program = followProgram(terminal);
  const shown = createListeners();
  let sequence = 0;
  let chunks = 0;
  let chunksAtOwnWrite = 0;
  let ownWriteAt: number | undefined;
  let unparsed = 0;
  let lastChunkAt: number | undefined;
  let isPainted = true;
  let isDisposed = false;

  /**
   * Takes over the terminal's size, in its place between the chunks. What stands on a screen that was painted for another
   * size is not to be believed.
   */
  function resizeTo(wanted: Size): void {
    if (wanted.cols === current.cols && wanted.rows === current.rows) return;
    current = wanted;
    isPainted = false;
    const resize = () => terminal.resize(wanted.cols, wanted.rows);
    if (unparsed === 0) resize();
    else terminal.write("", resize);
  }

  return {
    write(chunk, arrival) {
      if (isDisposed || chunk === "") return;
      const sizeThen = arrival === undefined ? size() : arrival.size;
      if (sizeThen !== undefined) resizeTo(sizeThen);
      isPainted = true;
      sequence += 1;
      chunks += 1;
      unparsed += 1;
      lastChunkAt = arrival?.at ?? clock.now();
      terminal.write(chunk, () => {
        unparsed -= 1;
        if (!isDisposed) shown.fire();
      });
    },
    noteOwnWrite() {
      sequence += 1;
      chunksAtOwnWrite = chunks;
      ownWriteAt = clock.now();
    },
    sequence: () => sequence,
    lastChunkAt: () => lastChunkAt,
    freshSinceOwnWrite: () => chunks > chunksAtOwnWrite,
    hasUnparsed: () => unparsed > 0,
    flush: () => (isDisposed ? Promise.resolve() : new Promise((resolve) => terminal.write("", resolve))),
    look() {
      const wanted = size();
      if (wanted === undefined) return { kind: "size-unknown" };
      resizeTo(wanted);
      if (!isPainted) return { kind: "resized" };
      const isAnswered = ownWriteAt === undefined || chunks > chunksAtOwnWrite || clock.now() - ownWriteAt >= answerMs;
      return isAnswered ? { kind: "screen", grid: gridOf(terminal, program.cursorHidden()) } : { kind: "unanswered" };
    },
    title: program.title,
    reported: program.reported,
    onShown: shown.on,
    dispose() {
      isDisposed = true;
      shown.clear();
      terminal.dispose();
    },
  };
}

/** What the program says of itself in passing: its title, its state (OSC 7501), whether it hides the cursor (DECTCEM). */
function followProgram(terminal: Terminal) {
  let title = "";
  let reported: ReportedState | undefined;
  let cursorHidden = false;
  const showCursor = () => {
    cursorHidden = false;
    return false; // the terminal itself has to hear it too
  };
  const hasCursorMode = (params: readonly (number | number[])[]) => params.includes(25);
  terminal.onTitleChange((next) => {
    title = next;
  });
  terminal.parser.registerOscHandler(7501, (data) => {
    reported = stateIn(data) ?? reported;
    return false;
  });
  terminal.parser.registerCsiHandler({ prefix: "?", final: "l" }, (params) => {
    if (hasCursorMode(params)) cursorHidden = true;
    return false;
  });
  terminal.parser.registerCsiHandler({ prefix: "?", final: "h" }, (params) =>
    hasCursorMode(params) ? showCursor() : false,
  );
  terminal.parser.registerCsiHandler({ intermediates: "!", final: "p" }, showCursor); // soft reset
  terminal.parser.registerEscHandler({ final: "c" }, showCursor); // full reset
  return { title: () => title, reported: () => reported, cursorHidden: () => cursorHidden };
}

/** `state=idle:app=codex`; a bare `?` asks the terminal and says nothing. */
function stateIn(data: string): ReportedState | undefined {
  const state = /^state=(\w+)(?::|$)/.exec(data)?.[1];
  switch (state) {
    case "idle":
    case "working":
    case "blocked":
    case "done":
    case "error":
      return state;
    default:
      return undefined;
  }
}

function gridOf(terminal: Terminal, cursorHidden: boolean): ScreenGrid {
  const { cols, rows } = terminal;
  const buffer = terminal.buffer.active;
  const cells: ScreenCell[][] = [];
  for (let y = 0; y < rows; y += 1) {
    const line = buffer.getLine(buffer.baseY + y);
    const row: ScreenCell[] = [];
    for (let x = 0; x < cols; x += 1) {
      const cell = line?.getCell(x);
      const width = cell?.getWidth() ?? 1;
      row.push({
        ch: cell?.getChars() || (width === 0 ? "" : " "),
        width,
        dim: (cell?.isDim() ?? 0) !== 0,
        inverse: (cell?.isInverse() ?? 0) !== 0,
      });
    }
    cells.push(row);
  }
  return { cols, rows, cells, cursorX: buffer.cursorX, cursorY: buffer.cursorY, cursorHidden };
}
