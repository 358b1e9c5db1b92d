import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMessageConnection, IPCMessageReader, IPCMessageWriter } from "vscode-jsonrpc/node";
import * as z from "zod";
import * as messages from "../../server/protocol/messages.ts";
import { Settings } from "../../server/protocol/settings.ts";
import type { TerminalFacts } from "../../server/protocol/terminals.ts";
import type { AgentView, View } from "../../server/protocol/view.ts";
import { listen, type Peer, peerOf, tell } from "../../server/protocol/wire.ts";

export type Ending = z.output<typeof messages.ResetEnded.params>;

const Logged = z.looseObject({ message: z.string() });

export type Host = {
  readonly peer: Peer;
  readonly child: ChildProcess;
  readonly storageDir: string;
  /** Lines the worker logged, oldest first. */
  readonly log: readonly string[];
  /** The newest view that fulfils the condition; waits for it. */
  readonly viewWhere: (what: string, holds: (view: View) => boolean, ms?: number) => Promise<View>;
  readonly ended: (ms?: number) => Promise<Ending>;
  /** Ends that nobody asked for yet. */
  readonly endings: readonly Ending[];
  readonly tellTerminals: (shellPid: number, extra?: Partial<TerminalFacts>) => Promise<void>;
  /** Kills it, as nothing that it could prepare for. */
  readonly kill: () => Promise<void>;
  readonly dispose: () => Promise<void>;
};

export type StartOptions = {
  readonly settings?: z.input<typeof Settings>;
  /** Answers are in place before the worker says its first word. */
  readonly attach?: (peer: Peer) => void;
  readonly keepStorage?: boolean;
};

/** The real worker as a process of its own, with the test in the extension's place. */
export async function startWorker(
  storageDir = mkdtempSync(join(tmpdir(), "plimsoll-state-")),
  { settings = {}, attach, keepStorage = false }: StartOptions = {},
): Promise<Host> {
  const child = fork("dist/server.cjs", ["--node-ipc"], {
    env: { PATH: process.env["PATH"], HOME: storageDir },
    silent: true,
    // The loader of the tests would cost each of them a third of a second.
    execArgv: [],
  });
  const connection = createMessageConnection(new IPCMessageReader(child), new IPCMessageWriter(child));
  const peer = peerOf(connection);
  let view: View | undefined;
  const watchers = new Set<() => void>();
  const endings: Ending[] = [];
  const log: string[] = [];
  const bad: string[] = [];
  const heard = () => {
    for (const watcher of watchers) watcher();
  };
  listen(
    peer,
    messages.ViewChanged,
    (next) => {
      view = next;
      heard();
    },
    (method) => bad.push(method),
  );
  listen(
    peer,
    messages.ResetEnded,
    (ending) => {
      endings.push(ending);
      heard();
    },
    (method) => bad.push(method),
  );
  peer.onNotification("window/logMessage", (params) => {
    log.push(Logged.parse(params).message);
  });
  // A worker that is killed breaks its pipe: that is what some tests do.
  connection.onError(() => undefined);
  attach?.(peer);
  connection.listen();
  // Nothing runs below the worker: agents of other tests are no panel's of this window.
  const initializationOptions: messages.WorkerOptions = { storageDir, hostPid: child.pid ?? process.pid };
  await connection.sendRequest("initialize", {
    processId: process.pid,
    rootUri: null,
    capabilities: {},
    initializationOptions,
  });
  await connection.sendNotification("initialized", {});
  await tell(peer, messages.SettingsChanged, Settings.parse(settings));
  await tell(peer, messages.WindowChanged, { trusted: true, paused: false });

  function until<T>(what: string, look: () => T | undefined, ms: number): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        watchers.delete(check);
        const ends = endings.map(({ outcome, gate, reason }) => `${outcome} ${gate}: ${reason}`).join();
        reject(
          new Error(
            `waited in vain for ${what}; ended ${ends}; the view was ${JSON.stringify(view)}, bad ${bad.join()}`,
          ),
        );
      }, ms);
      function check(): void {
        const found = look();
        if (found === undefined) return;
        clearTimeout(timer);
        watchers.delete(check);
        resolve(found);
      }
      watchers.add(check);
      check();
    });
  }
  const isOver = () => child.exitCode !== null || child.signalCode !== null;

  return {
    peer,
    child,
    storageDir,
    log,
    endings,
    viewWhere: (what, holds, ms = 20_000) =>
      until(what, () => (view !== undefined && holds(view) ? view : undefined), ms),
    ended: (ms = 20_000) => until("the end of a reset", () => endings.shift(), ms),
    tellTerminals: (shellPid, extra) =>
      tell(peer, messages.TerminalsChanged, {
        terminals: [{ terminalId: "t1", name: "bash", shellPid, stream: { kind: "held", since: 1 }, ...extra }],
      }),
    async kill() {
      if (isOver()) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
    async dispose() {
      connection.dispose();
      if (!isOver()) {
        const ended = once(child, "exit");
        child.kill();
        await ended;
      }
      if (!keepStorage) rmSync(storageDir, { recursive: true, force: true });
      assert.deepEqual(bad, []);
    },
  };
}

/** The agent was found in the terminal, and measured. Before the terminals were told it may show as one of a panel. */
export const inTerminal = ({ agents }: View): boolean =>
  agents[0]?.terminalId !== undefined && agents[0].reading.kind === "measured";

/** The open reset of the only agent. */
export const resetOf = ({ agents }: View): AgentView["reset"] => agents[0]?.reset;
