import { createHeldTexts, type HeldTexts } from "../../extension/heldTexts.ts";
import { createTerminals, type Terminals } from "../../extension/terminals.ts";
import type { Guard } from "../../extension/typing/standing.ts";
import { createTypist, type Typist } from "../../extension/typist.ts";
import type { AgentId } from "../../server/protocol/agents.ts";
import type { Line } from "../../server/protocol/lines.ts";
import { createFakeClock, type FakeClock } from "./screenClock.ts";
import { type Painted, paint, paintedCols, paintedRows } from "./screenPaint.ts";
import {
  createFakeExecution,
  createFakeTerminal,
  createFakeWindow,
  type FakeExecution,
  type FakeTerminal,
  type FakeWindow,
} from "./typistWindow.ts";

/** From a key to the chunk with its echo. */
export const echoMs = 60;

const shellPid = 4000;
const agentPid = 4100;

export type Order = {
  readonly resetId: string;
  readonly terminalId: string;
  readonly agent: AgentId;
  readonly agentPid: number;
  readonly shellPid: number;
  readonly line: Line;
};

/** A window with one terminal, an agent in it that does what the real ones do, and the typist. */
export type Rig = {
  readonly clock: FakeClock;
  readonly window: FakeWindow;
  readonly terminal: FakeTerminal;
  readonly execution: FakeExecution;
  readonly terminals: Terminals;
  readonly typist: Typist;
  readonly held: HeldTexts;
  readonly order: Order;
  /** All that was written to the terminal, one entry a write. */
  readonly written: string[];
  /** What the person allows, and what the system says of the process and of the window. */
  readonly world: {
    guard: Guard;
    birth: string | undefined;
    connected: boolean;
    roundTripMs: number;
    size: { cols: number; rows: number } | undefined;
  };
  /** What the agent has in its box, what the host was last given of it, and what it made of the last paste. */
  readonly agent: { now: Painted; delivered: Painted; isDeaf: boolean; pasted: string };
  /** The agent's box changes, and its output arrives a little later. */
  readonly becomes: (painted: Painted, delayMs?: number) => void;
  /** Called with every write, before the agent hears it. */
  onWrite: (data: string) => void;
};

/** `line` may be a text: one that the window holds. */
export async function createRig(agent: AgentId, line: Line | string = { kind: "clear" }): Promise<Rig> {
  const clock = createFakeClock();
  const written: string[] = [];
  const world: Rig["world"] = {
    guard: { paused: false, mode: "ask", trusted: true },
    birth: "77",
    connected: true,
    roundTripMs: 0,
    size: { cols: paintedCols, rows: paintedRows },
  };
  const state: Rig["agent"] = { now: { text: "" }, delivered: { text: "" }, isDeaf: false, pasted: "" };
  const folds: string[] = [];
  const execution = createFakeExecution();
  const terminal = createFakeTerminal(shellPid, (data) => {
    written.push(data);
    rig.onWrite(data);
    if (!state.isDeaf) hear(data);
  });
  const window = createFakeWindow();
  const terminals = createTerminals(window, { clock, readSize: () => world.size, isMeasured: true });
  const processes = { isMeasured: true, birthIn: () => world.birth };
  const never = new Promise<never>(() => undefined);
  const roundTrip = () =>
    world.connected ? new Promise<void>((resolve) => clock.after(world.roundTripMs, resolve)) : never;
  const held = createHeldTexts();
  const typist = createTypist({ terminals, roundTrip, guard: () => world.guard, held, clock, processes });

  function becomes(painted: Painted, delayMs = echoMs): void {
    state.now = painted;
    clock.after(delayMs, () => {
      state.delivered = painted;
      execution.output(paint(agent, painted, world.size?.cols, world.size?.rows));
    });
  }

  function hear(data: string): void {
    const { now } = state;
    if (now.dialog === true) return; // swallowed, nothing is painted
    const cursor = now.cursor ?? now.text.length;
    const before = now.text.slice(0, cursor);
    const after = now.text.slice(cursor);
    const put = (text: string) => becomes({ ...now, text: text + after, cursor: text.length });
    if (data.startsWith("\u001b[200~")) {
      const text = data.slice("\u001b[200~".length, -"\u001b[201~".length);
      const isShell = before === "" && text.startsWith("!");
      state.pasted = fold(isShell ? text.slice(1) : text);
      if (isShell) becomes({ text: state.pasted, shellMode: true });
      else put(before + state.pasted);
    } else if (data.startsWith("\u007f")) put([...data].reduce(withoutLast, before));
    else if (data === "\r") becomes({ text: "" });
  }

  /** What an agent shows of a paste. */
  function fold(text: string): string {
    const lineEnds = text.split("\n").length - 1;
    const isLong = agent === "claude" ? lineEnds > 2 || text.length > 800 : [...text].length > 1000;
    if (!isLong) return text.replaceAll("\t", agent === "claude" ? "    " : " ");
    const lines = lineEnds === 0 ? "" : ` +${lineEnds} lines`;
    const folded =
      agent === "claude" ? `[Pasted text #${folds.length + 1}${lines}]` : `[Pasted Content ${[...text].length} chars]`;
    folds.push(folded);
    return folded;
  }

  /** A folded paste goes with one key. */
  function withoutLast(text: string): string {
    const folded = folds.find((each) => text.endsWith(each));
    return folded === undefined ? [...text].slice(0, -1).join("") : text.slice(0, -folded.length);
  }

  window.open(terminal);
  window.start(terminal, execution);
  execution.output(paint(agent, state.now));
  await clock.pass(0);
  const terminalId = terminals.facts()[0]?.terminalId ?? "";
  terminals.agentRuns(terminalId, agent);
  await clock.pass(2000);
  const ordered: Line = typeof line === "string" ? { kind: "held", ...held.hold(line) } : line;
  const order: Order = { resetId: "r1", terminalId, agent, agentPid, shellPid, line: ordered };
  const rig: Rig = {
    clock,
    window,
    terminal,
    execution,
    terminals,
    typist,
    held,
    order,
    written,
    world,
    agent: state,
    becomes,
    onWrite: () => undefined,
  };
  return rig;
}
