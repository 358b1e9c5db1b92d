import { createTerminals, type Terminals } from "../../extension/terminals.ts";
import type { Guard } from "../../extension/typing/standing.ts";
import { createTypist, type Typist } from "../../extension/typist.ts";
import type { AgentId, CommandId } from "../../server/protocol/agents.ts";
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
  readonly line: CommandId;
};

/** A window with one terminal, an agent in it that does what the real ones do, and the typist. */
export type Rig = {
  readonly clock: FakeClock;
  readonly window: FakeWindow;
  readonly terminal: FakeTerminal;
  readonly execution: FakeExecution;
  readonly terminals: Terminals;
  readonly typist: Typist;
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
  /** What the agent has in its box, and what the host was last given of it. */
  readonly agent: { now: Painted; delivered: Painted; isDeaf: boolean };
  /** The agent's box changes, and its output arrives a little later. */
  readonly becomes: (painted: Painted, delayMs?: number) => void;
  /** Called with every write, before the agent hears it. */
  onWrite: (data: string) => void;
};

export async function createRig(agent: AgentId, line: CommandId = "clear"): Promise<Rig> {
  const clock = createFakeClock();
  const written: string[] = [];
  const world: Rig["world"] = {
    guard: { paused: false, mode: "ask", trusted: true },
    birth: "77",
    connected: true,
    roundTripMs: 0,
    size: { cols: paintedCols, rows: paintedRows },
  };
  const state: Rig["agent"] = { now: { text: "" }, delivered: { text: "" }, isDeaf: false };
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
  const typist = createTypist({ terminals, roundTrip, guard: () => world.guard, clock, processes });

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
    if (data.startsWith("\u001b[200~")) put(before + data.slice("\u001b[200~".length, -"\u001b[201~".length));
    else if (data.startsWith("\u007f")) put(before.slice(0, Math.max(0, before.length - data.length)));
    else if (data === "\r") becomes({ text: "" });
  }

  window.open(terminal);
  window.start(terminal, execution);
  execution.output(paint(agent, state.now));
  await clock.pass(0);
  const terminalId = terminals.facts()[0]?.terminalId ?? "";
  terminals.agentRuns(terminalId, agent);
  await clock.pass(2000);
  const order: Order = { resetId: "r1", terminalId, agent, agentPid, shellPid, line };
  const rig: Rig = {
    clock,
    window,
    terminal,
    execution,
    terminals,
    typist,
    order,
    written,
    world,
    agent: state,
    becomes,
    onWrite: () => undefined,
  };
  return rig;
}
