import type { TerminalFacts } from "../protocol/terminals.ts";
import type { Conversation, TurnState } from "./conversation.ts";
import type { Instance } from "./instance.ts";

/**
 * Where the agent's turn stands, from everything on disk: the transcript says what was written, the agent's own record
 * says what it is doing (DESIGN §6). The screen is never asked: a busy Claude shows a normal empty box.
 */
export function turnOf(
  instance: Instance,
  conversation: Conversation | undefined,
  reported: TerminalFacts["reported"] | undefined,
): TurnState {
  const written = conversation?.turn ?? { kind: "no-transcript" };
  return instance.agent === "claude" ? claudeTurn(instance, written) : codexTurn(instance, written, reported);
}

function claudeTurn({ reported }: Instance, written: TurnState): TurnState {
  if (reported === undefined) return written.kind === "no-transcript" ? { kind: "unknown" } : written;
  const since = reported.since === undefined ? {} : { since: reported.since };
  switch (reported.state) {
    case "waiting":
      return { kind: "waiting", ...since, waitingFor: reported.waitingFor ?? "an answer" };
    case "busy":
      return written.kind === "tool-pending" ? written : { kind: "working", ...since };
    case "idle":
    case "shell":
      return settled(written, reported.since);
  }
}

/**
 * The record says the turn is over. A transcript that is newer (a prompt lands there before the record turns busy) is
 * believed instead; an older open turn is not: an interrupt before any output leaves no record (facts/claude-code e).
 */
function settled(written: TurnState, since: number | undefined): TurnState {
  const idle: TurnState = { kind: "idle", ...(since === undefined ? {} : { since }) };
  switch (written.kind) {
    case "no-transcript":
    case "gone":
    case "unknown":
      return idle;
    case "error":
      return written;
    case "idle":
      return { kind: "idle", ...latest(since, written.since) };
    default:
      return since !== undefined && written.since !== undefined && since >= written.since ? idle : written;
  }
}

const latest = (a: number | undefined, b: number | undefined) =>
  a === undefined && b === undefined ? {} : { since: Math.max(a ?? 0, b ?? 0) };

function codexTurn(instance: Instance, written: TurnState, reported: TerminalFacts["reported"] | undefined): TurnState {
  if (reported === "blocked")
    return {
      kind: "waiting",
      ...("since" in written ? latest(written.since, undefined) : {}),
      waitingFor: "permission",
    };
  if (written.kind !== "no-transcript") return written;
  if (instance.conversationId === undefined) return { kind: "unknown" };
  // A thread with a lock and no rollout: nothing was asked yet (DESIGN §6).
  return { kind: "idle", ...latest(instance.startedAt, undefined) };
}
