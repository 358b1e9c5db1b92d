import type * as z from "zod";
import type { NotificationMessage, RequestMessage } from "../server/protocol/message.ts";
import { ask, type Peer, tell } from "../server/protocol/wire.ts";
import { kindOf } from "./log.ts";

/** What the worker answered; `none`: it is down, too slow, or said something else. */
type Answer<T> = { readonly kind: "answer"; readonly value: T } | { readonly kind: "none" };

/** The way to the worker that runs now, if one does. */
export type Link = {
  readonly connect: (peer: Peer | undefined) => void;
  readonly ask: <P extends z.ZodType, R extends z.ZodType>(
    message: RequestMessage<P, R>,
    params: z.input<P>,
    withinMs?: number,
  ) => Promise<Answer<z.output<R>>>;
  readonly tell: <P extends z.ZodType>(message: NotificationMessage<P>, params: z.input<P>) => void;
};

export function createLink(onProblem: (sentence: string) => void): Link {
  let peer: Peer | undefined;
  return {
    connect: (next) => {
      peer = next;
    },
    ask: async (message, params, withinMs = 10_000) => {
      if (peer === undefined) return { kind: "none" };
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<"late">((resolve) => {
        timer = setTimeout(() => resolve("late"), withinMs);
      });
      try {
        const first = await Promise.race([ask(peer, message, params).then((value) => ({ value })), late]);
        if (first !== "late") return { kind: "answer", value: first.value };
        onProblem(`link: no answer to ${message.method} within ${withinMs} ms`);
      } catch (error) {
        onProblem(`link: ${message.method} failed (${kindOf(error)})`);
      } finally {
        clearTimeout(timer);
      }
      return { kind: "none" };
    },
    tell: (message, params) => {
      if (peer === undefined) return;
      tell(peer, message, params).catch((error: unknown) =>
        onProblem(`link: ${message.method} was not told (${kindOf(error)})`),
      );
    },
  };
}
