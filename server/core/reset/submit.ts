import type { TypeRefusal } from "../../protocol/terminals.ts";
import { ask, end, stay } from "./steps.ts";
import type { Because, Event, Reset, Step } from "./types.ts";

/** How long the line may stand in the box before Enter, looked at again as often as needed (DESIGN §7), ms. */
const lookMs = 3000;
/** The whole life of a token that lets the host press Enter once, ms. */
export const tokenMs = 250;

type Dispatched = Extract<Reset, { phase: "dispatched" }>;
type Confirming = Extract<Reset, { phase: "confirming" }>;

/** The line stands in the box, or it does not: then nothing more is written. */
export function onTyped(state: Dispatched, { at, result }: Extract<Event, { kind: "typed" }>): Step {
  if (state.step !== "typing") return stay(state);
  if (result.outcome === "refused") {
    const because = refusalWords(result.reason);
    if (!result.wrote && result.reason === "not-connected") return waitAgain(state, at, because.reason);
    if (!result.wrote) return end(state, "refused", because);
    return end(state, result.erased ? "taken-back" : "left-in-box", because);
  }
  return ask({ ...state, step: "last-look", sequence: result.sequence, lookUntil: at + lookMs }, "last-look");
}

/** Everything that could have changed was read again: Enter, or take the line back. */
export function onLastLook(state: Dispatched, { report, baseline }: Extract<Event, { kind: "judged" }>): Step {
  if (state.step !== "last-look") return stay(state);
  const problem = report.refused ?? report.waiting[0];
  if (problem !== undefined) return takeBack(state, problem);
  if (baseline.compactions !== state.before.compactions)
    return takeBack(state, { reason: "the agent compacted by itself meanwhile", remedy: "Look at the gauge." });
  return {
    state: { ...state, step: "pressing" },
    effects: [{ kind: "press", attempt: state.attempt, sequence: state.sequence }],
  };
}

export function onPressed(state: Dispatched, { at, result }: Extract<Event, { kind: "pressed" }>): Step {
  if (state.step !== "pressing") return stay(state);
  if (result.outcome === "pressed") {
    const { order, attempt, before, presses } = state;
    return stay({
      phase: "confirming",
      order,
      attempt,
      before,
      pressedAt: result.at,
      presses: presses + 1,
      workingSeen: false,
      looking: false,
    });
  }
  // No answer came: it may have been pressed. Disk decides, and no second Enter follows.
  if (result.outcome === "unknown") return backToConfirming(state, at);
  // Too slow an answer says nothing of the screen: it is looked at again, with another token.
  const isLate = result.reason === "not-connected" || result.reason === "token";
  const stillShown = isLate ? state.sequence : result.stillShown;
  if (stillShown !== undefined && at < state.lookUntil)
    return ask({ ...state, step: "last-look", sequence: stillShown }, "last-look");
  // A second Enter that was refused leaves the first one's evidence to come.
  if (state.presses > 0) return backToConfirming(state, state.lookUntil - lookMs);
  return takeBack(state, refusalWords(result.reason));
}

export function onErased(state: Dispatched, { erased }: Extract<Event, { kind: "erased" }>): Step {
  if (state.step !== "erasing") return stay(state);
  if (!erased && state.presses > 0) return backToConfirming(state, state.lookUntil - lookMs);
  const because = state.because ?? { reason: "it was refused at the last look", remedy: "Ask again." };
  return end(state, erased ? "taken-back" : "left-in-box", because);
}

/** Whether Enter was swallowed: one further one, with a look and a token of its own. */
export function onLooked(state: Confirming, event: Extract<Event, { kind: "looked" }>): Step {
  if (!state.looking) return stay(state);
  const { order, before, presses, attempt } = state;
  if (!event.shown) return stay({ ...state, looking: false, presses: presses + 1 });
  return ask(
    {
      phase: "dispatched",
      order,
      attempt,
      before,
      step: "last-look",
      presses,
      sequence: event.sequence,
      lookUntil: event.at + lookMs,
    },
    "last-look",
  );
}

/** Nothing was written: the click still stands, and is tried again when the window answers. */
function waitAgain({ order, attempt, before }: Dispatched, since: number, waitsFor: string): Step {
  return stay({ phase: "armed", order, attempt, since, compactions: before.compactions, waitsFor, asking: false });
}

/** Waits for the evidence of an Enter that went out, without pressing another. */
function backToConfirming({ order, attempt, before }: Dispatched, pressedAt: number): Step {
  return stay({
    phase: "confirming",
    order,
    attempt,
    before,
    pressedAt,
    presses: 2,
    workingSeen: false,
    looking: false,
  });
}

function takeBack(state: Dispatched, { gate, reason, remedy }: Because): Step {
  const because = { ...(gate === undefined ? {} : { gate }), reason, remedy };
  return {
    state: { ...state, step: "erasing", because },
    effects: [{ kind: "erase", attempt: state.attempt }],
  };
}

/** The host's own refusals, as a reason and a remedy. */
function refusalWords(reason: TypeRefusal): Because {
  const again = "Look at the terminal, then ask again.";
  switch (reason) {
    case "terminal-closed":
      return { gate: "terminal-open", reason: "the terminal was closed", remedy: "Open the agent again." };
    case "not-observable":
      return {
        gate: "prompt-box-visible",
        reason: "its prompt box can no longer be seen",
        remedy: "Run *Plimsoll: Reconnect…*.",
      };
    case "box-not-empty":
      return {
        gate: "prompt-box-empty",
        reason: "a draft stands in its prompt box",
        remedy: "Send it or delete it; Plimsoll never touches a draft.",
      };
    case "box-not-found":
      return {
        gate: "prompt-box-empty",
        reason: "no prompt box can be seen (a dialog, a menu or another view is open)",
        remedy: "Close it in the terminal.",
      };
    case "shell-mode":
      return {
        gate: "prompt-box-empty",
        reason: "the prompt box is in shell mode (!)",
        remedy: "Leave it with Backspace.",
      };
    case "not-connected":
      return {
        gate: "window-connected",
        reason: "the window did not answer in time: keys would arrive late",
        remedy: "Try again when it is connected.",
      };
    case "not-shown":
      return { gate: "last-look", reason: "the prompt box did not show exactly our line", remedy: again };
    case "changed":
      return { gate: "last-look", reason: "the screen changed between the look and Enter", remedy: again };
    case "token":
      return { gate: "last-look", reason: "the last look took too long", remedy: again };
    case "agent-gone":
      return { gate: "agent-running", reason: "the agent has ended or lost the keyboard", remedy: again };
    case "paused":
      return { gate: "not-paused", reason: "typing was paused", remedy: "Run *Plimsoll: Resume Typing*." };
    case "mode":
      return { gate: "mode-allows", reason: "the mode no longer allows typing", remedy: "Set plimsoll.mode to ask." };
    case "trust":
      return {
        gate: "workspace-trusted",
        reason: "this workspace is not trusted",
        remedy: "Trust the workspace first.",
      };
    case "busy":
      return {
        gate: "no-other-reset",
        reason: "something else is being typed into this terminal",
        remedy: "Wait for it.",
      };
  }
}
