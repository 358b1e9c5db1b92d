import { fork } from "node:child_process";
import { once } from "node:events";
import { createMessageConnection, IPCMessageReader, IPCMessageWriter } from "vscode-jsonrpc/node";
import * as messages from "../../server/protocol/messages.ts";
import { Settings } from "../../server/protocol/settings.ts";
import type { View } from "../../server/protocol/view.ts";
import { listen, type Peer, peerOf, tell } from "../../server/protocol/wire.ts";

export type WorkerUnderTest = {
  readonly pid: number;
  readonly peer: Peer;
  /** Resolves with the time (`performance.now`) at which a view that fulfils the condition arrived here. */
  readonly seen: (what: string, holds: (view: View) => boolean, withinMs?: number) => Promise<number>;
  readonly stop: () => Promise<void>;
};

/** As the extension starts it. */
const execArgv = ["--max-old-space-size=256", "--max-semi-space-size=2"];

/** The worker as it is packed, over IPC, with us in the extension's place. */
export async function startWorker(module: string, home: string): Promise<WorkerUnderTest> {
  const child = fork(module, ["--node-ipc"], {
    execArgv,
    env: { PATH: process.env["PATH"], HOME: home },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const connection = createMessageConnection(new IPCMessageReader(child), new IPCMessageWriter(child));
  const peer = peerOf(connection);
  let view: View | undefined;
  const waiting = new Set<() => void>();
  listen(
    peer,
    messages.ViewChanged,
    (next) => {
      view = next;
      for (const look of waiting) look();
    },
    (method) => console.error(`a bad message of the worker: ${method}`),
  );
  connection.listen();
  const initializationOptions: messages.WorkerOptions = { storageDir: `${home}/state`, hostPid: process.pid };
  await connection.sendRequest("initialize", {
    processId: process.pid,
    rootUri: null,
    capabilities: {},
    initializationOptions,
  });
  await connection.sendNotification("initialized", {});
  await tell(peer, messages.SettingsChanged, Settings.parse({}));
  await tell(peer, messages.WindowChanged, { trusted: true, paused: false });

  return {
    pid: child.pid ?? 0,
    peer,
    seen: (what, holds, withinMs = 30_000) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(look);
          reject(new Error(`waited in vain for ${what}`));
        }, withinMs);
        function look(): void {
          if (view === undefined || !holds(view)) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve(performance.now());
        }
        waiting.add(look);
        look();
      }),
    async stop() {
      connection.dispose();
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    },
  };
}
