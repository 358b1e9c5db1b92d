import { assertNever } from "../assertNever.ts";
import { lookAgain, problemWords } from "../save/receipt.ts";
import { compacted, spoke } from "./prepare.ts";
import { ask, begin, end, stay } from "./steps.ts";
import type { Because, Event, EventOf, Saved, SavedPhase, Saving, Step } from "./types.ts";

/** How long the turn may take to end after the save (DESIGN §8.4), ms. */
const turnEndMs = 60_000;
/** And how much longer after one Escape, ms. */
const afterEscapeMs = 30_000;
/** How long the person may look at what was saved, ms. */
const reviewMs = 30 * 60_000;

type At<S extends SavedPhase["step"]> = Extract<SavedPhase, { step: S }>;

/** It is saved: on to the review, the brief, or the end where only a save was asked for. */
export function toSaved(state: Saving, saved: Saved, since: number): Step {
  const { order, attempt, before } = state;
  const base = { phase: "saved", order, attempt, saved, compactions: before.compactions, since } as const;
  if (order.goal === "save")
    return end({ ...base, step: "briefing" }, "confirmed", {
      reason: "its state is saved",
      remedy: "Nothing to do.",
    });
  if (order.review && saved.receipt !== undefined) return stay({ ...base, step: "reviewing" });
  return brief({ ...base, step: "briefing" });
}

/** A compaction needs no brief: the conversation goes on. */
function brief(state: At<"briefing">): Step {
  if (state.order.goal !== "reset")
    return ask({ ...state, step: "waiting", asking: true }, { before: "act", look: "again" });
  return begin(state, (attempt) => ({ kind: "write-brief", attempt, saved: state.saved }));
}

export function onSaved(state: SavedPhase, event: Event): Step {
  if (event.kind === "observed") {
    if (event.humanSpoke) return end(state, "aborted", spoke);
    if (event.compactions !== state.compactions) return end(state, "aborted", compacted);
  }
  const noted = event.kind === "observed" ? noteTurnEnd(state, event) : state;
  switch (noted.step) {
    case "reviewing":
      return reviewing(noted, event);
    case "looking-again":
      return lookingAgain(noted, event);
    case "briefing":
      return event.kind === "brief-written" ? written(noted, event) : stay(noted);
    case "waiting":
      return waiting(noted, event);
    default:
      return assertNever(noted);
  }
}

/** The save's own turn is over: from here on every further answer is work that is not in what was saved. */
function noteTurnEnd<S extends SavedPhase>(state: S, { turn, answers }: EventOf<"observed">): S {
  const { receipt } = state.saved;
  if (turn !== "idle" || receipt === undefined || receipt.answersAtEnd !== undefined) return state;
  return { ...state, saved: { ...state.saved, receipt: { ...receipt, answersAtEnd: answers } } };
}

function reviewing(state: At<"reviewing">, event: Event): Step {
  if (event.kind === "reviewed") return stay({ ...state, step: "looking-again", looks: {}, since: event.at });
  return event.kind === "tick" && event.at - state.since > reviewMs
    ? end(state, "aborted", reviewedTooLong)
    : stay(state);
}

const reviewedTooLong: Because = { reason: "the saved state was looked at for half an hour", remedy: "Ask again." };

function lookingAgain(state: At<"looking-again">, event: Event): Step {
  const { receipt, place } = state.saved;
  if (event.kind === "tick" && event.at - state.since > reviewMs) return end(state, "aborted", reviewedTooLong);
  if (event.kind === "tick") return { state, effects: [{ kind: "look-at-save", attempt: state.attempt, place }] };
  if (event.kind !== "save-looked" || receipt === undefined) return stay(state);
  const { looks, verdict } = lookAgain(state.looks, event.look, event.clock, event.toolCalls);
  if (verdict.kind === "stable") {
    const { order, attempt, compactions } = state;
    const saved = { ...state.saved, receipt: { ...receipt, digest: verdict.digest, size: verdict.size } };
    return brief({ phase: "saved", step: "briefing", order, attempt, compactions, saved, since: event.at });
  }
  const isBad = verdict.kind === "refused" || event.look.kind !== "well-formed";
  if (isBad) return end(state, "refused", { gate: "saved-well", ...problemWords(event.look) });
  return looks === state.looks ? stay(state) : stay({ ...state, looks });
}

function written(state: At<"briefing">, { at, result }: EventOf<"brief-written">): Step {
  if (!("path" in result)) return end(state, "refused", result);
  const { path, digest, line } = result;
  const saved = { ...state.saved, brief: { path, digest, ...(line === undefined ? {} : { line }) } };
  return ask({ ...state, saved, since: at, step: "waiting", asking: true }, { before: "act", look: "again" });
}

function waiting(state: At<"waiting">, event: Event): Step {
  switch (event.kind) {
    case "judged":
      return judged(state, event);
    case "observed":
      return again(state);
    case "tick":
      return late(state, event.at) ?? again(state);
    default:
      return stay(state);
  }
}

const again = (state: At<"waiting">): Step =>
  state.asking ? stay(state) : ask({ ...state, asking: true }, { before: "act", look: "again" });

function judged(state: At<"waiting">, { report, baseline, assisted }: EventOf<"judged">): Step {
  const { order, attempt, saved } = state;
  if (report.refused !== undefined && !assisted) return end(state, "refused", report.refused);
  const first = report.waiting[0];
  if (report.refused === undefined && first !== undefined)
    return stay({ ...state, asking: false, waitsFor: first.reason });
  if (baseline.compactions !== state.compactions) return end(state, "aborted", compacted);
  return begin({ phase: "claimed", order, attempt, before: baseline, saved, assisted }, (asked) => ({
    kind: "claim",
    attempt: asked,
  }));
}

/** An Escape may end the save's own turn, once that is known to go on; an idle agent would take it for something else. */
const mayEscape = ({ order, saved, escapedAt }: At<"waiting">): boolean =>
  order.mayEscape && escapedAt === undefined && saved.receipt !== undefined && saved.receipt.answersAtEnd === undefined;

/** Too long for a turn to end: one Escape if that is allowed, then it is given up. */
function late(state: At<"waiting">, at: number): Step | undefined {
  const { since, escapedAt, waitsFor } = state;
  if (escapedAt === undefined ? at - since <= turnEndMs : at - escapedAt <= afterEscapeMs) return undefined;
  if (mayEscape(state))
    return { state: { ...state, escapedAt: at }, effects: [{ kind: "escape", attempt: state.attempt }] };
  return end(state, "aborted", {
    reason: waitsFor === undefined ? "no good moment came after it had saved" : `it saved, but then ${waitsFor}`,
    remedy: "Ask again when the agent is done.",
  });
}
