import { assertNever } from "../assertNever.ts";
import { lookAgain, problemWords } from "../save/receipt.ts";
import { advance, submit } from "./advance.ts";
import { compacted, lostClaim, spoke } from "./prepare.ts";
import { toSaved } from "./saved.ts";
import { ask, begin, end, stay } from "./steps.ts";
import type { Because, Event, EventOf, Saving, Step } from "./types.ts";

/** How long the agent may take to save, the time it waits for the person not counted (R93), ms. */
const savingMs = 300_000;
/** How long it may wait for the person's permission (DESIGN §8.1), ms. */
const permissionMs = 30 * 60_000;
/** A turn that has ended without anything good saved is given this long: files and records come late, ms. */
const graceMs = 15_000;

type At<S extends Saving["step"]> = Extract<Saving, { step: S }>;

export function onSaving(state: Saving, event: Event): Step {
  switch (state.step) {
    case "locking":
      return event.kind === "claim-answered" ? locked(state, event) : stay(state);
    case "preparing":
      return event.kind === "save-prepared" ? prepared(state, event) : stay(state);
    case "submitting":
      return submitting(state, event);
    case "between":
      return between(state, event);
    case "writing":
      return writing(state, event);
    default:
      return assertNever(state);
  }
}

function locked(state: At<"locking" | "preparing">, { won }: EventOf<"claim-answered">): Step {
  if (!won) return end(state, "refused", lostClaim);
  return begin({ ...state, step: "preparing" }, (attempt) => ({ kind: "prepare-save", attempt }));
}

function prepared(state: At<"locking" | "preparing">, { at, result }: EventOf<"save-prepared">): Step {
  if (!("place" in result)) return end(state, "refused", result);
  const { order, attempt, before, assisted } = state;
  const { place, lines } = result;
  // The conversation no longer fits: it can save nothing any more (DESIGN §8 *Overflow*).
  if (order.origin === "forced") return toSaved(state, { place }, at);
  const [first, ...rest] = lines;
  const base = { phase: "saving", order, attempt, before, place } as const;
  if (first === undefined) return stay({ ...base, step: "writing", since: at, looks: {}, pausedMs: 0 });
  return submit((submission) => ({ ...base, step: "submitting", rest, submission }), {
    line: first,
    before,
    assisted,
    at,
  });
}

function submitting(state: At<"submitting">, event: Event): Step {
  const { order, attempt, before, place, rest } = state;
  const base = { phase: "saving", order, attempt, before, place } as const;
  return advance(state, event, (result) => {
    switch (result.kind) {
      case "confirmed":
        return rest.length === 0
          ? stay({ ...base, step: "writing", since: event.at, looks: {}, pausedMs: 0 })
          : stay({ ...base, step: "between", rest, since: event.at, asking: false });
      case "untouched":
        return result.again
          ? stay({ ...base, step: "between", rest: [state.submission.line, ...rest], since: event.at, asking: false })
          : end(state, "refused", result.because);
      case "taken-back":
      case "left-in-box":
        return end(state, result.kind, result.because);
      default:
        return end(state, result.outcome, result.because);
    }
  });
}

/** What ends the saving whatever it waits for; undefined: nothing does. */
function interruption(state: Saving, event: EventOf<"observed">): Because | undefined {
  if (event.humanSpoke) return spoke;
  if (event.compactions !== state.before.compactions) return compacted;
  if (event.turn === "error")
    return { reason: "the agent's answer failed while it saved", remedy: "Look at the terminal, then ask again." };
  return undefined;
}

function between(state: At<"between">, event: Event): Step {
  const again = (): Step =>
    state.asking ? stay(state) : ask({ ...state, asking: true }, { before: "save", look: "again" });
  switch (event.kind) {
    case "observed": {
      if (event.turn === "overflow") return overflowed(state, event.at);
      const because = interruption(state, event);
      return because === undefined ? again() : end(state, "aborted", because);
    }
    case "tick":
      return event.at - state.since > savingMs ? end(state, "aborted", tooLong) : again();
    case "judged": {
      const { report, baseline, assisted, at } = event;
      if (report.refused !== undefined && !assisted) return end(state, "refused", report.refused);
      if (report.refused === undefined && baseline.compactions !== state.before.compactions)
        return end(state, "aborted", compacted);
      const [line, ...rest] = state.rest;
      if ((report.refused === undefined && report.waiting.length > 0) || line === undefined)
        return stay({ ...state, asking: false });
      const { order, attempt, before, place } = state;
      const next = { phase: "saving", step: "submitting", order, attempt, before, place, rest } as const;
      return submit((submission) => ({ ...next, submission }), { line, before: baseline, assisted, at });
    }
    default:
      return stay(state);
  }
}

const tooLong: Because = {
  gate: "saved-well",
  reason: "it did not save within five minutes",
  remedy: "Look at the terminal, then ask again.",
};

function writing(state: At<"writing">, event: Event): Step {
  switch (event.kind) {
    case "observed":
      return seen(state, event);
    case "save-looked":
      return looked(state, event);
    case "tick":
      return ticked(state, event.at);
    default:
      return stay(state);
  }
}

function seen(state: At<"writing">, event: EventOf<"observed">): Step {
  const { at, turn } = event;
  if (turn === "overflow") return overflowed(state, at);
  const because = interruption(state, event);
  if (because !== undefined) return end(state, "aborted", because);
  return stay(waits(idles(state, turn === "idle", at), turn === "waiting", at));
}

/** Nothing can be saved any more: the clear goes on without it; nothing else does (DESIGN §8 *Overflow*). */
function overflowed(state: At<"between" | "writing">, at: number): Step {
  const { order, place } = state;
  return order.goal === "reset"
    ? toSaved({ ...state, order: { ...order, origin: "forced" } }, { place }, at)
    : end(state, "error", noLongerFits);
}

const noLongerFits: Because = {
  reason: "the conversation no longer fits, so it could save nothing",
  remedy: "Run *Plimsoll: Save and Clear…*: it is cleared without a save, because nothing can be saved any more.",
};

/** The clock of the save stands still while the agent waits for the person. */
function waits(state: At<"writing">, isWaiting: boolean, at: number): At<"writing"> {
  const { permissionSince, ...rest } = state;
  if (isWaiting) return permissionSince === undefined ? { ...state, permissionSince: at } : state;
  return permissionSince === undefined ? state : { ...rest, pausedMs: state.pausedMs + at - permissionSince };
}

function idles(state: At<"writing">, isIdle: boolean, at: number): At<"writing"> {
  const { idleSince, ...rest } = state;
  if (isIdle) return idleSince === undefined ? { ...state, idleSince: at } : state;
  return idleSince === undefined ? state : rest;
}

function ticked(state: At<"writing">, at: number): Step {
  const { since, permissionSince, pausedMs, idleSince, looks, place } = state;
  const waited = permissionSince === undefined ? 0 : at - permissionSince;
  if (pausedMs + waited > permissionMs)
    return end(state, "aborted", {
      reason: "it waited half an hour for your permission to write",
      remedy: "Answer it in the terminal, then ask again.",
    });
  const isLate = at - since - pausedMs - waited > savingMs;
  const isOver = idleSince !== undefined && at - idleSince > graceMs;
  const isGood = looks.last?.kind === "well-formed";
  if (isLate || (isOver && !isGood)) {
    const because = problemWords(looks.last ?? { kind: "missing" });
    return end(state, "refused", { gate: "saved-well", ...because });
  }
  return { state, effects: [{ kind: "look-at-save", attempt: state.attempt, place }] };
}

function looked(state: At<"writing">, event: EventOf<"save-looked">): Step {
  const { looks, verdict } = lookAgain(state.looks, event.look, event.clock, event.toolCalls);
  switch (verdict.kind) {
    case "refused":
      return end(state, "refused", { gate: "saved-well", ...problemWords(event.look) });
    case "not-yet":
      return looks === state.looks ? stay(state) : stay({ ...state, looks });
    case "stable": {
      const { order, place } = state;
      const { at, transcriptBytes, lastHumanId, conversationId } = event;
      const receipt = {
        digest: verdict.digest,
        size: verdict.size,
        at,
        instanceId: order.instanceId,
        conversationId: conversationId ?? "",
        transcriptBytes,
        toolCalls: verdict.toolCalls,
        ...(state.idleSince === undefined ? {} : { answersAtEnd: event.answers }),
        ...(lastHumanId === undefined ? {} : { lastHumanId }),
      };
      return toSaved(state, { place, receipt }, at);
    }
  }
}
