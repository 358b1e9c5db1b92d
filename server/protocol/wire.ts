import type * as z from "zod";
import type { NotificationMessage, RequestMessage } from "./message.ts";

/** What `LanguageClient`, the server `Connection` and a bare JSON-RPC connection have in common. */
export type Peer = {
  sendRequest(method: string, params: unknown): Promise<unknown>;
  sendNotification(method: string, params: unknown): Promise<void>;
  onRequest(method: string, handler: (params: unknown) => unknown): { dispose(): void };
  onNotification(method: string, handler: (params: unknown) => void): { dispose(): void };
};

/** A connection as a peer: its own methods have more shapes than are needed. */
export const peerOf = (connection: Peer): Peer => ({
  sendRequest: (method, params) => connection.sendRequest(method, params),
  sendNotification: (method, params) => connection.sendNotification(method, params),
  onRequest: (method, handler) => connection.onRequest(method, handler),
  onNotification: (method, handler) => connection.onNotification(method, handler),
});

/** Asks the other side. Both directions are parsed here: a message of the wrong shape is a bug and rejects. */
export async function ask<P extends z.ZodType, R extends z.ZodType>(
  peer: Peer,
  message: RequestMessage<P, R>,
  params: z.input<P>,
): Promise<z.output<R>> {
  return message.result.parse(await peer.sendRequest(message.method, message.params.parse(params)));
}

/** Answers the other side's questions. */
export function answer<P extends z.ZodType, R extends z.ZodType>(
  peer: Peer,
  message: RequestMessage<P, R>,
  handler: (params: z.output<P>) => z.input<R> | Promise<z.input<R>>,
): { dispose(): void } {
  return peer.onRequest(message.method, async (raw) => message.result.parse(await handler(message.params.parse(raw))));
}

/** Tells the other side; nothing comes back. Rejects when the connection is gone. */
export function tell<P extends z.ZodType>(
  peer: Peer,
  message: NotificationMessage<P>,
  params: z.input<P>,
): Promise<void> {
  return peer.sendNotification(message.method, message.params.parse(params));
}

/** Hears what the other side tells. A message that does not parse goes to `onBad`, without its data. */
export function listen<P extends z.ZodType>(
  peer: Peer,
  message: NotificationMessage<P>,
  handler: (params: z.output<P>) => void,
  onBad: (method: string) => void,
): { dispose(): void } {
  return peer.onNotification(message.method, (raw) => {
    const parsed = message.params.safeParse(raw);
    if (parsed.success) handler(parsed.data);
    else onBad(message.method);
  });
}
