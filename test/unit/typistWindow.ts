import type * as vscode from "vscode";
import type { TerminalWindow } from "../../extension/terminals.ts";

type Source<T> = { readonly event: vscode.Event<T>; readonly fire: (value: T) => void; readonly count: () => number };

function source<T>(): Source<T> {
  const listeners = new Set<(value: T) => unknown>();
  return {
    event: (listener) => {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
    fire: (value) => {
      for (const listener of [...listeners]) listener(value);
    },
    count: () => listeners.size,
  };
}

export type FakeTerminal = vscode.Terminal & { exitStatus: vscode.TerminalExitStatus | undefined };

export type FakeExecution = vscode.TerminalShellExecution & {
  readonly output: (chunk: string) => void;
  readonly finish: () => void;
  readonly reads: () => number;
};

export type FakeWindow = TerminalWindow & {
  readonly open: (terminal: FakeTerminal) => void;
  readonly close: (terminal: FakeTerminal) => void;
  readonly start: (terminal: FakeTerminal, execution: FakeExecution) => void;
  readonly end: (terminal: FakeTerminal, execution: FakeExecution) => void;
  readonly listenerCount: () => number;
};

/** As much of `vscode.window` as the terminals of a window need. */
export function createFakeWindow(existing: readonly FakeTerminal[] = []): FakeWindow {
  const terminals: vscode.Terminal[] = [...existing];
  const opened = source<vscode.Terminal>();
  const closed = source<vscode.Terminal>();
  const front = source<vscode.Terminal | undefined>();
  const state = source<vscode.Terminal>();
  const integration = source<vscode.TerminalShellIntegrationChangeEvent>();
  const started = source<vscode.TerminalShellExecutionStartEvent>();
  const ended = source<vscode.TerminalShellExecutionEndEvent>();
  const all = [opened, closed, front, state, integration, started, ended];
  return {
    terminals,
    activeTerminal: undefined,
    onDidOpenTerminal: opened.event,
    onDidCloseTerminal: closed.event,
    onDidChangeActiveTerminal: front.event,
    onDidChangeTerminalState: state.event,
    onDidChangeTerminalShellIntegration: integration.event,
    onDidStartTerminalShellExecution: started.event,
    onDidEndTerminalShellExecution: ended.event,
    open(terminal) {
      terminals.push(terminal);
      opened.fire(terminal);
    },
    close(terminal) {
      terminal.exitStatus = { code: 0, reason: 3 };
      terminals.splice(terminals.indexOf(terminal), 1);
      closed.fire(terminal);
    },
    start: (terminal, execution) => started.fire({ terminal, execution, shellIntegration }),
    end(terminal, execution) {
      execution.finish();
      ended.fire({ terminal, execution, shellIntegration, exitCode: 0 });
    },
    listenerCount: () => all.reduce((sum, { count }) => sum + count(), 0),
  };
}

const shellIntegration: vscode.TerminalShellIntegration = {
  cwd: undefined,
  executeCommand: () => {
    throw new Error("it sends Ctrl+C to a running agent first");
  },
};

export function createFakeTerminal(
  shellPid: number | undefined,
  hear: (data: string) => void,
  show: () => void = () => undefined,
): FakeTerminal {
  return {
    name: "bash",
    processId: Promise.resolve(shellPid),
    creationOptions: {},
    exitStatus: undefined,
    state: { isInteractedWith: false },
    shellIntegration: undefined,
    sendText(text, addNewLine) {
      if (addNewLine !== false) throw new Error("a key was added");
      hear(text);
    },
    show,
    hide: () => undefined,
    dispose: () => undefined,
  };
}

export function createFakeExecution(confidence: 0 | 1 | 2 = 2): FakeExecution {
  const waiting: string[] = [];
  let wake: (() => void) | undefined;
  let isFinished = false;
  let reads = 0;

  async function* output(): AsyncGenerator<string> {
    for (;;) {
      const chunk = waiting.shift();
      if (chunk !== undefined) yield chunk;
      else if (isFinished) return;
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  }

  return {
    commandLine: { value: "agent", isTrusted: confidence === 2, confidence },
    cwd: undefined,
    read() {
      reads += 1;
      return output();
    },
    output(chunk) {
      waiting.push(chunk);
      wake?.();
    },
    finish() {
      isFinished = true;
      wake?.();
    },
    reads: () => reads,
  };
}
