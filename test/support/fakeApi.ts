// A loopback HTTP server that speaks JSON and server-sent events, and remembers what it was asked.
import { createServer, type ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { SavingStyle } from "./saving.ts";

export type ApiRequest = {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
};

export type FakeApi = {
  readonly port: number;
  /** In the order they came. */
  readonly requests: readonly ApiRequest[];
  readonly stop: () => Promise<void>;
};

/** An API with a model behind it. */
export type FakeModel = FakeApi & {
  /** How it answers Plimsoll's own prompts from now on. */
  saving: SavingStyle;
};

/** A number is a pause in milliseconds. */
export type Step = number | { readonly type: string };

export type Reply =
  | { readonly kind: "json"; readonly status: number; readonly body: unknown }
  | { readonly kind: "events"; readonly steps: readonly Step[] };

async function startFakeApi(answer: (request: ApiRequest) => Reply): Promise<FakeApi> {
  const requests: ApiRequest[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const path = (incoming.url ?? "/").replace(/\?.*/, "");
      const request = { method: incoming.method ?? "", path, body: parse(Buffer.concat(chunks)) };
      requests.push(request);
      send(response, answer(request)).catch((error: unknown) => response.destroy(new Error(String(error))));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { port: address.port, requests, stop };
}

export async function startFakeModel(answer: (request: ApiRequest, style: SavingStyle) => Reply): Promise<FakeModel> {
  const steering: { saving: SavingStyle } = { saving: "well" };
  return Object.assign(steering, await startFakeApi((request) => answer(request, steering.saving)));
}

async function send(response: ServerResponse, reply: Reply): Promise<void> {
  if (reply.kind === "json") {
    response.writeHead(reply.status, { "content-type": "application/json", "x-should-retry": "false" });
    response.end(JSON.stringify(reply.body));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const step of reply.steps) {
    if (typeof step === "number") await pause(step);
    // The agent hung up: a person pressed Escape.
    if (response.destroyed) return;
    if (typeof step !== "number") response.write(`event: ${step.type}\ndata: ${JSON.stringify(step)}\n\n`);
  }
  response.end();
}

function parse(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString("utf8"));
  } catch {
    return undefined;
  }
}
