import { digestOf } from "../../core/digest.ts";
import type { RecordedPrompt } from "../adapter.ts";
import { edgesOf, jsonOf } from "../bytes.ts";
import { Event, Line } from "./records.ts";

/** A prompt of the person word for word, or undefined where the line is none. */
export function promptIn(line: Uint8Array): RecordedPrompt | undefined {
  const whole = edgesOf({ whole: true, bytes: line })?.whole;
  const parsed = Line.safeParse(whole === undefined ? undefined : jsonOf(whole));
  if (!parsed.success || parsed.data.type !== "event_msg") return undefined;
  const event = Event.safeParse(parsed.data.payload).data;
  const timestamp = String(parsed.data.timestamp ?? "");
  if (event?.type === "user_message") {
    const images = (event.images?.length ?? 0) + (event.local_images?.length ?? 0);
    return prompt(event.id ?? timestamp, [event.message], images);
  }
  if (event?.type !== "item_completed" || event.item?.type !== "UserMessage") return undefined;
  const content = event.item.content ?? [];
  const images = content.filter((part) => /image/i.test(part?.type ?? "")).length;
  return prompt(
    event.item.id ?? timestamp,
    content.map((part) => part?.text),
    images,
  );
}

function prompt(recordId: string, parts: readonly (string | undefined)[], images: number): RecordedPrompt {
  const text = parts.filter((part) => part !== undefined && part !== "").join("\n");
  return { recordId, digest: digestOf(text), text, images };
}
