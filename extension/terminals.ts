import type * as vscode from "vscode";
import type { AgentId } from "../server/protocol/agents.ts";
import type { TerminalFacts, Unobservable } from "../server/protocol/terminals.ts";
import { type BoxLook, lookAtBox } from "./screen/box.ts";
import type { Clock } from "./screen/clock.ts";
import { systemClock } from "./screen/clock.ts";
import { createListeners } from "./screen/listeners.ts";
import type { Mirror } from "./screen/mirror.ts";
import { type CommandStream, createCommandStream } from "./screen/stream.ts";
import { threadIdIn } from "./screen/titleId.ts";
import { type ReadSize, readTtySize } from "./screen/ttySize.ts";

/** What is used of `vscode.window`: stable API, the same on the desktop and in a remote server. */
export type TerminalWindow = Pick<
  typeof vscode.window,
  | "terminals"
  | "activeTerminal"
  | "onDidOpenTerminal"
  | "onDidCloseTerminal"
  | "onDidChangeActiveTerminal"
  | "onDidChangeTerminalState"
  | "onDidChangeTerminalShellIntegration"
  | "onDidStartTerminalShellExecution"
  | "onDidEndTerminalShellExecution"
>;

type ScreenAccess =
  | { readonly kind: "mirrored"; readonly mirror: Mirror }
  | { readonly kind: "none"; readonly why: Unobservable };

/** One open terminal, as the typist needs it. */
export type TypingTerminal = {
  readonly terminal: Pick<vscode.Terminal, "sendText" | "show" | "exitStatus">;
  readonly shellPid: () => number | undefined;
  /** Starts the mirror if need be: it is asked for only where the worker says that an agent runs. */
  readonly screen: () => ScreenAccess;
};

export type TerminalPort = { readonly terminalOf: (terminalId: string) => TypingTerminal | undefined };

export type Terminals = TerminalPort & {
  /** Every terminal whose shell process is known. */
  readonly facts: () => TerminalFacts[];
  readonly frontTerminalId: () => string | undefined;
  /** After anything in `facts` or the terminal in front changed. */
  readonly onDidChange: (listener: () => void) => { dispose(): void };
  /** The view says which agent runs in a terminal, or that none does. */
  readonly agentRuns: (terminalId: string, agent: AgentId | undefined) => void;
  /** What the prompt box shows, once all output so far is parsed; undefined where there is no agent or no screen. */
  readonly readBox: (terminalId: string) => Promise<BoxLook | undefined>;
  readonly dispose: () => void;
};

type Host = { readonly clock: Clock; readonly readSize: ReadSize; readonly isMeasured: boolean };

/** Prompt boxes, byte delivery and terminal sizes were measured on Linux only; elsewhere nothing is read or typed. */
const thisHost: Host = { clock: systemClock, readSize: readTtySize, isMeasured: process.platform === "linux" };

/** `TerminalShellExecutionCommandLineConfidence.High`: the shell itself said which command it starts. */
const highConfidence = 2;

type Known = {
  readonly terminal: vscode.Terminal;
  readonly number: number;
  readonly existedBefore: boolean;
  terminalId: string | undefined;
  shellPid: number | undefined;
  agent: AgentId | undefined;
  running: { readonly execution: vscode.TerminalShellExecution; readonly stream: CommandStream } | undefined;
  sawStart: boolean;
  lastSaid: string;
  since: number;
};

/**
 * Follows the window's terminals. Call it first thing in `activate`, before anything is awaited: a command whose start
 * event came earlier can never be read.
 */
export function createTerminals(window: TerminalWindow, host: Host = thisHost): Terminals {
  const { clock } = host;
  const changes = createListeners();
  const all = new Map<vscode.Terminal, Known>();
  let counted = 0;
  let isDisposed = false;

  const subscriptions = [
    window.onDidStartTerminalShellExecution(({ terminal, execution }) => started(know(terminal, true), execution)),
    window.onDidEndTerminalShellExecution(({ terminal, execution }) => ended(all.get(terminal), execution)),
    window.onDidOpenTerminal((terminal) => know(terminal, false)),
    window.onDidCloseTerminal(forget),
    window.onDidChangeActiveTerminal(() => changes.fire()),
    window.onDidChangeTerminalState(() => changes.fire()),
    window.onDidChangeTerminalShellIntegration(() => changes.fire()),
  ];
  for (const terminal of window.terminals) know(terminal, true);

  function know(terminal: vscode.Terminal, existedBefore: boolean): Known {
    const before = all.get(terminal);
    if (before !== undefined) return before;
    counted += 1;
    const known: Known = {
      terminal,
      number: counted,
      existedBefore,
      terminalId: undefined,
      shellPid: undefined,
      agent: undefined,
      running: undefined,
      sawStart: false,
      lastSaid: "",
      since: clock.wall(),
    };
    all.set(terminal, known);
    identify(known);
    return known;
  }

  /** A terminal that is started anew has another shell, and is another terminal to us. */
  function identify(known: Known): void {
    const named = (shellPid: number | undefined) => {
      if (isDisposed || all.get(known.terminal) !== known) return;
      const terminalId = shellPid === undefined ? `t${known.number}` : `t${known.number}-${shellPid}`;
      if (terminalId === known.terminalId) return;
      known.shellPid = shellPid;
      known.terminalId = terminalId;
      changes.fire();
    };
    known.terminal.processId.then(named, () => named(undefined));
  }

  function forget(terminal: vscode.Terminal): void {
    all.get(terminal)?.running?.stream.end();
    all.delete(terminal);
    changes.fire();
  }

  /** A start that the shell did not announce itself is made up, at an old command's end, out of text on the screen. */
  function started(known: Known, execution: vscode.TerminalShellExecution): void {
    known.running?.stream.end();
    known.running = undefined;
    if (host.isMeasured && execution.commandLine.confidence === highConfidence) {
      const output = execution.read(); // at once: what comes before this call is lost
      const size = () => (known.shellPid === undefined ? undefined : host.readSize(known.shellPid));
      const stream = createCommandStream(clock, size);
      known.running = { execution, stream };
      known.sawStart = true;
      known.since = clock.wall();
      follow(stream, output, () => saidSomething(known));
    }
    identify(known);
    changes.fire();
  }

  function follow(stream: CommandStream, output: AsyncIterable<string>, said: () => void): void {
    const pump = async () => {
      for await (const chunk of output) {
        if (stream.state().kind === "ended") return;
        stream.feed(chunk);
        if (stream.state().kind === "overflow") said();
      }
    };
    // A broken stream is one whose rest is not seen: as good as ended.
    pump().catch(() => {
      stream.end();
      changes.fire();
    });
  }

  function ended(known: Known | undefined, execution: vscode.TerminalShellExecution): void {
    if (known?.running?.execution !== execution) return;
    known.running.stream.end();
    known.running = undefined;
    known.since = clock.wall();
    changes.fire();
  }

  /** Fires only when what the facts say of the stream, the title or the state is new. */
  function saidSomething(known: Known): void {
    const { stream, titleId, reported } = factsOf(known, "");
    const said = [stream.kind, titleId, reported].join(" ");
    if (said === known.lastSaid) return;
    known.lastSaid = said;
    changes.fire();
  }

  function screenOf(known: Known): ScreenAccess {
    const why = unobservable(known);
    if (why !== undefined || known.running === undefined) return { kind: "none", why: why ?? "started-before" };
    const wasMirrored = known.running.stream.state().kind === "mirrored";
    const state = known.running.stream.mirror();
    if (state.kind !== "mirrored")
      return { kind: "none", why: state.kind === "overflow" ? "overflow" : "started-before" };
    if (!wasMirrored) state.mirror.onShown(() => saidSomething(known));
    return { kind: "mirrored", mirror: state.mirror };
  }

  function unobservable(known: Known): Unobservable | undefined {
    if (!host.isMeasured) return "platform";
    if (known.running === undefined) {
      const isIntegrated = known.sawStart || known.existedBefore || known.terminal.shellIntegration !== undefined;
      return isIntegrated ? "started-before" : "no-shell-integration";
    }
    const state = known.running.stream.state();
    if (state.kind === "overflow") return "overflow";
    if (state.kind === "ended") return "started-before";
    if (known.shellPid === undefined || host.readSize(known.shellPid) === undefined) return "size-unknown";
    return undefined;
  }

  function factsOf(known: Known, terminalId: string): TerminalFacts {
    const why = unobservable(known);
    const state = known.running?.stream.state();
    const mirror = state?.kind === "mirrored" ? state.mirror : undefined;
    const titleId = mirror === undefined ? undefined : threadIdIn(mirror.title());
    const reported = mirror?.reported();
    return {
      terminalId,
      name: known.terminal.name.slice(0, 500),
      stream: why === undefined ? { kind: "held", since: known.since } : { kind: "none", why, since: known.since },
      ...(known.shellPid === undefined ? {} : { shellPid: known.shellPid }),
      ...(titleId === undefined ? {} : { titleId }),
      ...(reported === undefined ? {} : { reported }),
    };
  }

  const byId = (terminalId: string) => [...all.values()].find((known) => known.terminalId === terminalId);

  return {
    facts: () =>
      [...all.values()].flatMap((known) => (known.terminalId === undefined ? [] : factsOf(known, known.terminalId))),
    frontTerminalId() {
      const front = window.activeTerminal;
      return front === undefined ? undefined : all.get(front)?.terminalId;
    },
    onDidChange: changes.on,
    terminalOf(terminalId) {
      const known = byId(terminalId);
      if (known === undefined) return undefined;
      return { terminal: known.terminal, shellPid: () => known.shellPid, screen: () => screenOf(known) };
    },
    agentRuns(terminalId, agent) {
      const known = byId(terminalId);
      if (known === undefined) return;
      known.agent = agent;
      if (agent !== undefined) screenOf(known);
    },
    async readBox(terminalId) {
      const known = byId(terminalId);
      if (known?.agent === undefined) return undefined;
      const screen = screenOf(known);
      if (screen.kind === "none") return undefined;
      await screen.mirror.flush();
      return known.agent === undefined ? undefined : lookAtBox(screen.mirror, known.agent);
    },
    dispose() {
      isDisposed = true;
      for (const subscription of subscriptions) subscription.dispose();
      for (const known of all.values()) known.running?.stream.end();
      all.clear();
      changes.clear();
    },
  };
}
