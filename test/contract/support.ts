import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMessageConnection, IPCMessageReader, IPCMessageWriter } from "vscode-jsonrpc/node";
import * as messages from "../../server/protocol/messages.ts";
import { Settings } from "../../server/protocol/settings.ts";
import type { TerminalFacts } from "../../server/protocol/terminals.ts";
import type { View } from "../../server/protocol/view.ts";
import { listen, type Peer, peerOf, tell } from "../../server/protocol/wire.ts";

export type Host = {
  readonly peer: Peer;
  readonly child: ChildProcess;
  readonly storageDir: string;
  /** The newest view that fulfils the condition; waits for it. */
  readonly viewWhere: (what: string, holds: (view: View) => boolean) => Promise<View>;
  readonly ended: () => Promise<(typeof messages.ResetEnded.params)["_zod"]["output"]>;
  readonly tellTerminals: (shellPid: number, extra?: Partial<TerminalFacts>) => Promise<void>;
  readonly dispose: () => Promise<void>;
};

/** The real worker as a process of its own, with the test in the extension's place. */
export async function startWorker(storageDir = mkdtempSync(join(tmpdir(), "plimsoll-state-"))): Promise<Host> {
  const child = fork("dist/server.cjs", ["--node-ipc"], {
    env: { PATH: process.env["PATH"], HOME: storageDir },
    silent: true,
  });
  const connection = createMessageConnection(new IPCMessageReader(child), new IPCMessageWriter(child));
  const peer = peerOf(connection);
  let view: View | undefined;
  const watchers = new Set<() => void>();
  const endings: (typeof messages.ResetEnded.params)["_zod"]["output"][] = [];
  const bad: string[] = [];
  listen(
    peer,
    messages.ViewChanged,
    (next) => {
      view = next;
      for (const watcher of watchers) watcher();
    },
    (method) => bad.push(method),
  );
  listen(
    peer,
    messages.ResetEnded,
    (ending) => {
      endings.push(ending);
      for (const watcher of watchers) watcher();
    },
    (method) => bad.push(method),
  );
  connection.listen();
  const initializationOptions: messages.WorkerOptions = { storageDir, hostPid: process.pid };
  await connection.sendRequest("initialize", {
    processId: process.pid,
    rootUri: null,
    capabilities: {},
    initializationOptions,
  });
  await connection.sendNotification("initialized", {});
  await tell(peer, messages.SettingsChanged, Settings.parse({}));
  await tell(peer, messages.WindowChanged, { trusted: true, paused: false });

  function until<T>(what: string, look: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        watchers.delete(check);
        reject(new Error(`waited in vain for ${what}; the view was ${JSON.stringify(view)}, bad ${bad.join()}`));
      }, 8000);
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

  return {
    peer,
    child,
    storageDir,
    viewWhere: (what, holds) => until(what, () => (view !== undefined && holds(view) ? view : undefined)),
    ended: () => until("the end of a reset", () => endings.shift()),
    tellTerminals: (shellPid, extra) =>
      tell(peer, messages.TerminalsChanged, {
        terminals: [{ terminalId: "t1", name: "bash", shellPid, stream: { kind: "held", since: 1 }, ...extra }],
      }),
    async dispose() {
      assert.deepEqual(bad, []);
      connection.dispose();
      if (child.exitCode === null && child.signalCode === null) {
        child.kill();
        await once(child, "exit");
      }
      rmSync(storageDir, { recursive: true, force: true });
    },
  };
}

/** The agent was found in the terminal, and measured. Before the terminals were told it may show as one of a panel. */
export const inTerminal = ({ agents }: View): boolean =>
  agents[0]?.terminalId !== undefined && agents[0].reading.kind === "measured";
