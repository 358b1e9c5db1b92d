import type { AgentId } from "../../protocol/agents.ts";
import { commandOf, type LineRef, lineText } from "../../protocol/lines.ts";
import { digestOf } from "../digest.ts";
import type { TypedEntry } from "../humanPrompts.ts";
import type { Reset, Submission } from "./types.ts";

/** Digest of a line's text, as in `digestOf`. */
export const digestOfLine = (agent: AgentId, line: LineRef): string =>
  line.kind === "held" || line.kind === "carried" ? line.digest : digestOf(lineText(agent, line));

/** The line that is under way, in whatever phase. */
export const submissionOf = (state: Reset): Submission | undefined =>
  "submission" in state ? state.submission : undefined;

/** Between the look and Enter nothing is written to disk: the wait would let the screen move on (DESIGN §7.1). */
export function mustWait(state: Reset): boolean {
  const step = submissionOf(state)?.step;
  return step === "last-look" || step === "pressing";
}

/** The state in one word or two, as the step log says it. */
export function phaseWord(state: Reset): string {
  const step = submissionOf(state)?.step ?? ("step" in state ? state.step : undefined);
  return step === undefined ? state.phase : `${state.phase}/${step}`;
}

/**
 * A step that only asks the gates once more, or hears that it has to go on waiting. It is not written down: a reset may
 * wait for an hour, and is looked at twice a second.
 */
export function isPoll(before: Reset, after: Reset): boolean {
  if (!("asking" in before) || !("asking" in after)) return false;
  return phaseWord(before) === phaseWord(after) && essence(before) === essence(after);
}

const essence = (state: Reset): string =>
  JSON.stringify({ ...state, attempt: 0, asking: false, waitsFor: undefined, because: undefined });

/** Our own lines that went out at this step: they are not the person's (R53), also after a restart. */
export function submittedOf(agent: AgentId, before: Reset, after: Reset): readonly TypedEntry[] {
  const was = submissionOf(before);
  const is = submissionOf(after);
  if (is?.step === "proof" && was?.step === "pressing") return [entry(agent, is.line, is.pressedAt)];
  if (is?.step === "handed" && is.pasted && !(was?.step === "handed" && was.pasted))
    return [entry(agent, is.line, is.since)];
  const escaped = "escapedAt" in after ? after.escapedAt : undefined;
  if (escaped !== undefined && !("escapedAt" in before && before.escapedAt === escaped))
    return [{ kind: "escape", at: escaped }];
  return [];
}

function entry(agent: AgentId, line: LineRef, at: number): TypedEntry {
  const digest = digestOfLine(agent, line);
  const name = commandOf(line);
  return name === undefined ? { kind: "text", at, digest } : { kind: "command", at, name, digest };
}
