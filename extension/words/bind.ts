import type * as z from "zod";
import type { ConversationChoice } from "../../server/protocol/messages.ts";
import { ago, size } from "./amounts.ts";
import { plain } from "./plain.ts";

export const bindWords = {
  title: (name: string) => `Which conversation is the one in ${name}?`,
  hint: "Good for your own clicks only; /clear in the terminal ends it",
  nothing: (name: string) => `No conversation was found that may be the one in ${name}. Send it a first prompt.`,
  refused: (reason: string) => `The terminal was not bound: ${plain(reason, 200) || "the conversation is gone"}.`,
};

export function conversationRow(
  { conversationId, lastRecordAt, tokens, cwd }: z.output<typeof ConversationChoice>,
  now: number,
): { readonly label: string; readonly description: string; readonly detail?: string } {
  const description = [
    tokens === undefined ? "" : `${size(tokens)} tokens`,
    lastRecordAt === undefined ? "" : `last written ${ago(now - lastRecordAt)}`,
  ];
  return {
    label: plain(conversationId, 60),
    description: description.filter(Boolean).join(" · "),
    ...(cwd === undefined ? {} : { detail: plain(cwd, 120) }),
  };
}
