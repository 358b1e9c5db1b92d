import { createConnection, ProposedFeatures } from "vscode-languageserver/node";
import { WorkerOptions } from "./protocol/messages.ts";
import { peerOf } from "./protocol/wire.ts";
import { composeWorker } from "./shell/compose.ts";
import { messageOf } from "./shell/secureFiles.ts";

const connection = createConnection(ProposedFeatures.all);
const peer = peerOf(connection);
const log = (level: "info" | "warn", sentence: string): void => connection.console[level](sentence);

connection.onInitialize(async ({ initializationOptions }) => {
  const options = WorkerOptions.safeParse(initializationOptions);
  if (!options.success) throw new Error("the worker was started without its options");
  await composeWorker(peer, options.data, log).catch((error) => {
    throw new Error(`the worker could not start: ${messageOf(error)}`);
  });
  return { capabilities: {} };
});

// A host that was killed closes the pipe and says nothing: the worker ends with it.
process.on("disconnect", () => process.exit(0));
connection.listen();
