// What a model was told, for tests that look for words in it.
import { z } from "zod";
import type { ApiRequest } from "./fakeApi.ts";

const anthropicSchema = z.object({
  system: z.unknown().optional(),
  messages: z.array(z.unknown()),
  tools: z.array(z.unknown()).min(1),
});
const openaiSchema = z.object({ instructions: z.unknown().optional(), input: z.array(z.unknown()) });

/** Codex asks for a title beside the first prompt of a conversation. */
const TITLE = "Generate a concise, single-line task title";

/** All text of the newest request of a conversation; tool definitions aside. Empty: there was none. */
export function lastRequestText(requests: readonly ApiRequest[]): string {
  for (const { body } of requests.toReversed()) {
    const anthropic = anthropicSchema.safeParse(body);
    if (anthropic.success) return textsIn([anthropic.data.system, anthropic.data.messages]).join("\n");
    const openai = openaiSchema.safeParse(body);
    if (!openai.success || textsIn(openai.data.input.at(-1)).some((text) => text.startsWith(TITLE))) continue;
    return textsIn([openai.data.instructions, openai.data.input]).join("\n");
  }
  return "";
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
