import { EventEmitter, LogLevel, type LogOutputChannel } from "vscode";
import { CloseAction, ErrorAction, LanguageClient, State, TransportKind } from "vscode-languageclient/node";
import { Ping, type WorkerOptions } from "../server/protocol/messages.ts";
import { ask, type Peer, peerOf } from "../server/protocol/wire.ts";
import { kindOf } from "./log.ts";
import type { Attempt } from "./supervisor.ts";

/** Enough for the longest lines of a transcript, small beside the agents themselves. */
const heapMiB = 256;
/** Of what was just made; V8 would let it grow to 16. The worker makes much and keeps little: it needs no more room. */
const youngMiB = 2;

export type WorkerClient = Attempt & {
  readonly peer: Peer;
  /** Ends it in order, within the time; then the hard way. */
  readonly stop: (withinMs: number) => Promise<void>;
};

/** One start of the worker: a client of its own each time, because a client that failed to start can't be used again. */
export function startClient(serverModule: string, options: WorkerOptions, log: LogOutputChannel): WorkerClient {
  const { promise: closed, resolve: close } = withResolve();
  const run = {
    module: serverModule,
    transport: TransportKind.ipc,
    options: { execArgv: [`--max-old-space-size=${heapMiB}`, `--max-semi-space-size=${youngMiB}`] },
  };
  const client = new QuietClient(
    "plimsoll",
    "Plimsoll",
    { run, debug: { ...run, options: { execArgv: ["--nolazy", "--inspect=6011"] } } },
    {
      outputChannel: log,
      traceOutputChannel: neverTraces(log),
      initializationOptions: options,
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => {
          close();
          return { action: CloseAction.DoNotRestart, handled: true };
        },
      },
    },
  );
  const { promise: started, resolve: markReady, reject: markFailed } = withResolve();
  // Kept, because the client forgets its process before it is surely gone; the handle never signals a stranger's pid.
  let child = client.serverProcess;
  let killed = false;
  const kill = () => {
    killed = true;
    child = client.serverProcess ?? child;
    child?.kill("SIGKILL");
  };
  client.start().then(() => {
    child = client.serverProcess;
    if (killed) kill();
    markReady();
  }, markFailed);
  client.onDidChangeState(({ newState }) => {
    if (newState === State.Stopped || newState === State.StartFailed) close();
  });
  const peer = peerOf(client);
  return {
    peer,
    ready: started,
    closed,
    ping: () => ask(peer, Ping, {}),
    kill,
    stop: async (withinMs) => {
      try {
        await client.stop(withinMs);
      } catch (error) {
        log.warn(`worker: it did not stop in order (${kindOf(error)})`);
        kill();
      }
    },
  };
}

/** Its own notifications would come besides ours, and its texts may carry what a message held. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(data === undefined ? message : `${message} (${kindOf(data)})`, undefined, false);
  }
  override warn(message: string, data?: unknown): void {
    super.warn(data === undefined ? message : `${message} (${kindOf(data)})`, undefined, false);
  }
  override info(message: string, data?: unknown): void {
    super.info(data === undefined ? message : `${message} (${kindOf(data)})`, undefined, false);
  }
}

/**
 * The client traces whole messages when its channel's level is Trace, whatever `plimsoll.trace.server` says. This channel's
 * level never is.
 */
function neverTraces(log: LogOutputChannel): LogOutputChannel {
  const nothing = () => undefined;
  const { event } = new EventEmitter<LogLevel>();
  return {
    name: log.name,
    logLevel: LogLevel.Off,
    onDidChangeLogLevel: event,
    trace: nothing,
    debug: nothing,
    info: nothing,
    warn: nothing,
    error: nothing,
    append: nothing,
    appendLine: nothing,
    replace: nothing,
    clear: nothing,
    show: nothing,
    hide: nothing,
    dispose: nothing,
  };
}

function withResolve() {
  let resolve: () => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<void>((res, rej) => {
    resolve = res;
    reject = rej;
  });
  return { promise, resolve, reject };
}
