import { z } from "zod";
import { sizeOf } from "../../../server/agents/claude/assistant.ts";
import { AssistantRecord, UserRecord } from "../../../server/agents/claude/records.ts";
import type { Message } from "./screen.ts";

/** What a transcript tells about its conversation. */
export type Past = {
  /** Context size of its last answer; undefined: there is none. */
  readonly tokens: number | undefined;
  readonly messages: readonly Message[];
  /** Of the record to go on from. */
  readonly lastUuid: string | undefined;
};

const Linked = z.object({ uuid: z.string() });

export function pastIn(transcript: string): Past {
  const entries = transcript.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
  const users = entries.map((entry) => UserRecord.safeParse(entry).data);
  const answers = entries.map((entry) => AssistantRecord.safeParse(entry).data);
  const sizes = answers.flatMap((answer) => (answer?.message?.usage ? [sizeOf(answer.message.usage).tokens] : []));
  return {
    tokens: sizes.at(-1),
    messages: entries.flatMap((_, at) => [...promptIn(users[at]), ...answerIn(answers[at])]),
    lastUuid: entries.flatMap((entry) => Linked.safeParse(entry).data?.uuid ?? []).at(-1),
  };
}

function promptIn(user: UserRecord | undefined): readonly Message[] {
  const content = user?.message?.content;
  if (typeof content !== "string" || user?.isMeta || user?.isCompactSummary) return [];
  const [, name] = /<command-name>(\/\w+)</.exec(content) ?? [];
  if (name !== undefined) return [{ kind: "prompt", text: name }];
  return content.startsWith("<") ? [] : [{ kind: "prompt", text: content }];
}

function answerIn(answer: AssistantRecord | undefined): readonly Message[] {
  const content = answer?.message?.content;
  if (content === undefined || typeof content === "string") return [];
  return content.flatMap((block) => (block?.text === undefined ? [] : [{ kind: "answer", text: block.text }]));
}
