import type { ApiRequest } from "../support/fakeApi.ts";

/** What a model was told in a request: prompts, answers and instructions, but not what a tool showed it. */
export const toldIn = ({ body }: ApiRequest): readonly string[] => textsIn(body);

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  if ("type" in value && typeof value.type === "string" && /^tool_result$|_output$/.test(value.type)) return [];
  return Object.values(value).flatMap(textsIn);
}
