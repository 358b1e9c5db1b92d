import { type ExtensionContext, type LogOutputChannel, Uri } from "vscode";
import { Closing, type WorkerOptions } from "../server/protocol/messages.ts";
import type { Peer } from "../server/protocol/wire.ts";
import type { WorkerClient } from "./client.ts";
import type { Link } from "./link.ts";
import { type Attempt, createSupervisor, type WorkerState } from "./supervisor.ts";

export type WorkerPorts = {
  readonly context: ExtensionContext;
  readonly log: LogOutputChannel;
  readonly link: Link;
  /** Before the worker's first message. */
  readonly attach: (peer: Peer) => void;
  /** The worker hears everything anew. */
  readonly greet: () => void;
  readonly onState: (state: WorkerState) => void;
};

export type Worker = {
  readonly restart: () => void;
  /** Asks it to finish, within a second, and ends it. */
  readonly close: () => Promise<void>;
};

const closingMs = 1000;

/** Starts the worker and keeps it running. Returns at once; even the client's code is loaded later. */
export function runWorker({ context, log, link, attach, greet, onState }: WorkerPorts): Worker {
  const serverModule = Uri.joinPath(context.extensionUri, "dist", "server.cjs").fsPath;
  const options: WorkerOptions = { storageDir: context.globalStorageUri.fsPath, hostPid: process.pid };
  let current: WorkerClient | undefined;

  function spawn(): Attempt {
    const starting = import("./client.ts").then(({ startClient }) => startClient(serverModule, options, log));
    const ready = starting.then(async (client) => {
      current = client;
      attach(client.peer);
      await client.ready;
      if (current !== client) return;
      link.connect(client.peer);
      greet();
    });
    return {
      ready,
      closed: starting.then((client) => client.closed),
      ping: () => starting.then((client) => client.ping()),
      kill: () => {
        link.connect(undefined);
        // A client that could not even be loaded has no process; `ready` tells of it.
        starting.then(
          (client) => client.kill(),
          () => undefined,
        );
      },
    };
  }

  const supervisor = createSupervisor({
    spawn,
    clock: {
      now: Date.now,
      after: (ms, call) => {
        const timer = setTimeout(call, ms);
        return () => clearTimeout(timer);
      },
    },
    onState,
    onNote: (level, sentence) => log[level](sentence),
  });
  supervisor.start();
  return {
    restart: supervisor.restart,
    close: async () => {
      supervisor.release();
      await link.ask(Closing, {}, closingMs);
      link.connect(undefined);
      await current?.stop(closingMs);
    },
  };
}
