import { randomUUID } from "node:crypto";
import type { HeldText } from "../server/protocol/messages.ts";
import { digestOf, pastable } from "./typing/personText.ts";

/**
 * Texts that a person gave with a click, until they are delivered or shown. They live in this window only: never written,
 * never logged, and never sent to the worker, whose end they outlive.
 */
export type HeldTexts = {
  readonly hold: (text: string) => HeldText;
  readonly textOf: (textId: string) => string | undefined;
  /** They were delivered, or nobody wants them any more. */
  readonly release: (textIds: readonly string[]) => void;
  /** Gives back, in this order, those of these texts that were not delivered, and holds them no longer. */
  readonly takeUndelivered: (textIds: readonly string[]) => readonly string[];
};

export function createHeldTexts(): HeldTexts {
  const held = new Map<string, string>();
  const release = (textIds: readonly string[]) => {
    for (const textId of textIds) held.delete(textId);
  };
  return {
    hold(given) {
      const text = pastable(given);
      const textId = randomUUID();
      held.set(textId, text);
      return { textId, digest: digestOf(text) };
    },
    textOf: (textId) => held.get(textId),
    release,
    takeUndelivered(textIds) {
      const texts = textIds.flatMap((textId) => held.get(textId) ?? []);
      release(textIds);
      return texts;
    },
  };
}
