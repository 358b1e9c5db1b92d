import { digestOf } from "../../core/digest.ts";
import type { RecordedPrompt } from "../adapter.ts";
import { edgesOf, jsonOf } from "../bytes.ts";
import { type Content, Record } from "./records.ts";
import { ownPartsOf } from "./user.ts";

/** A prompt of the person word for word, or undefined where the line is none, or was meant for a shell. */
export function promptIn(line: Uint8Array): RecordedPrompt | undefined {
  const whole = edgesOf({ whole: true, bytes: line })?.whole;
  const parsed = Record.safeParse(whole === undefined ? undefined : jsonOf(whole));
  if (!parsed.success) return undefined;
  const record = parsed.data;
  if (record.type === "user") return prompt(record.uuid, record.message?.content, ownPartsOf(record.message?.content));
  if (record.type !== "attachment" || record.attachment.type !== "queued_command") return undefined;
  const content = record.attachment.prompt;
  return prompt(
    record.uuid,
    content,
    typeof content === "string" ? [content] : (content ?? []).map((block) => block?.text ?? ""),
  );
}

function prompt(recordId = "", content: Content, parts: readonly string[]): RecordedPrompt | undefined {
  const text = parts.filter((part) => part !== "").join("\n");
  if (/^\s*<bash-input>/.test(text)) return undefined;
  const images = Array.isArray(content) ? content.filter((block) => block?.type !== "text").length : 0;
  return { recordId, digest: digestOf(text), text, images };
}
