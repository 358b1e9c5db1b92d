import { lstat } from "node:fs/promises";
import { adapters } from "../../agents/registry.ts";
import { isHuman, isSamePrompt, type Prompt } from "../../core/humanPrompts.ts";
import type { AgentId } from "../../protocol/agents.ts";
import { openTranscript, readAt } from "./tailFile.ts";

/**
 * What the person wrote into a conversation that is being cleared: journalled by reference, read again to be typed into
 * the next one. Nothing here keeps a text, or writes one down.
 */
export type PromptRef = { readonly recordId: string; readonly digest: string; readonly images: number };

/** Bytes of the file's end that are looked at. */
const endMost = 8 * 1024 * 1024;

const newline = 0x0a;

/**
 * The person's own prompts recorded from a moment on, oldest first, each once: no program's, no slash commands, none that
 * `isOurs`. Unknown where the end that is read does not reach back to that moment.
 */
export async function promptsAfter(
  agent: AgentId,
  path: string,
  afterMs: number,
  isOurs: (digest: string) => boolean,
): Promise<
  | { readonly kind: "known"; readonly prompts: readonly PromptRef[] }
  | { readonly kind: "unknown"; readonly why: string }
> {
  const end = await endOf(path);
  if (end.kind === "failed") return { kind: "unknown", why: end.why };
  const { parseLine, promptIn } = adapters[agent];
  const found = new Map<string, PromptRef>();
  let firstAt: number | undefined;
  let lastAt: number | undefined;
  let before: Prompt | undefined;
  for (const bytes of end.lines) {
    const parsed = parseLine({ whole: true, bytes }, lastAt === undefined ? "all" : "lasting");
    for (const fact of parsed.kind === "record" ? parsed.facts : []) {
      lastAt = fact.at ?? lastAt;
      firstAt ??= lastAt;
      if (fact.kind !== "prompt" || !isHuman(fact)) continue;
      const isAgain = before !== undefined && isSamePrompt(before, fact);
      if (!isAgain) before = fact;
      if (isAgain || fact.command !== undefined || lastAt === undefined || lastAt < afterMs) continue;
      const prompt = isOurs(fact.digest) ? undefined : promptIn(bytes);
      if (prompt === undefined) continue;
      const { recordId, digest, images } = prompt;
      found.set(`${recordId} ${digest}`, { recordId, digest, images });
    }
  }
  if (!end.isWhole && (firstAt === undefined || firstAt >= afterMs))
    return { kind: "unknown", why: "more was written since than is read again" };
  return { kind: "known", prompts: [...found.values()] };
}

/** The text of a prompt as the person wrote it. Lost where it is not there any more, or is not the same. */
export async function promptText(
  agent: AgentId,
  path: string,
  ref: PromptRef,
): Promise<{ readonly kind: "text"; readonly text: string } | { readonly kind: "lost"; readonly why: string }> {
  const end = await endOf(path);
  if (end.kind === "failed") return { kind: "lost", why: end.why };
  let isChanged = false;
  for (const bytes of end.lines) {
    // Most lines are not it: only a few are parsed.
    if (ref.recordId === "" || !bytes.includes(ref.recordId)) continue;
    const prompt = adapters[agent].promptIn(bytes);
    if (prompt?.recordId !== ref.recordId) continue;
    if (prompt.digest !== ref.digest) isChanged = true;
    else if (prompt.text.trim() === "") return { kind: "lost", why: "it holds no text" };
    else return { kind: "text", text: prompt.text };
  }
  return { kind: "lost", why: isChanged ? "it is not what it was" : "its record is not in the transcript's end" };
}

type End =
  /** `isWhole`: it is all of the file. */
  | { readonly kind: "read"; readonly lines: readonly Buffer[]; readonly isWhole: boolean }
  | { readonly kind: "failed"; readonly why: string };

const failed = (why: string): End => ({ kind: "failed", why });

/** Lines of the file's end. What is opened is the file that stands there: no link is followed. */
async function endOf(path: string): Promise<End> {
  const entry = await lstat(path).catch(() => undefined);
  if (entry === undefined) return failed("its transcript is gone");
  if (!entry.isFile()) return failed("its transcript is no plain file");
  const opened = await openTranscript(path, undefined);
  if (opened.kind !== "open")
    return failed(
      opened.kind === "gone" ? "its transcript is gone" : `its transcript cannot be read (${opened.problem})`,
    );
  const { file, state } = opened;
  try {
    if (state.inode !== entry.ino || state.device !== entry.dev) return failed("its transcript was replaced");
    const length = Math.min(state.size, endMost);
    const from = state.size - length;
    const bytes = await readAt(file, Buffer.allocUnsafe(length), from, length);
    return { kind: "read", lines: linesOf(from === 0 ? bytes : afterFirstLine(bytes)), isWhole: from === 0 };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "failed";
    return failed(`its transcript cannot be read (${code})`);
  } finally {
    await file.close().catch(() => undefined);
  }
}

function afterFirstLine(bytes: Buffer): Buffer {
  const end = bytes.indexOf(newline);
  return end < 0 ? bytes.subarray(bytes.length) : bytes.subarray(end + 1);
}

/** A prompt may carry images of many MiB: here its line is taken whole. */
function linesOf(bytes: Buffer): readonly Buffer[] {
  const lines: Buffer[] = [];
  let from = 0;
  for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, from)) {
    lines.push(bytes.subarray(from, end));
    from = end + 1;
  }
  if (from < bytes.length) lines.push(bytes.subarray(from));
  return lines;
}
