import type { Line } from "../server/protocol/lines.ts";
import type {
  EraseLine,
  LookAgain,
  PasteForPerson,
  PressEnter,
  ProbeScreen,
  SendEscape,
  TypeLine,
} from "../server/protocol/messages.ts";
import type { ScreenFacts, TypeRefusal } from "../server/protocol/terminals.ts";
import { exactlyShownAt } from "./screen/box.ts";
import { type Clock, systemClock } from "./screen/clock.ts";
import type { Mirror } from "./screen/mirror.ts";
import type { TerminalPort, TypingTerminal } from "./terminals.ts";
import { type AgentProcesses, linuxAgentProcesses } from "./typing/agentProcess.ts";
import { type Answer, type Order, refusedToPress, refusedToType } from "./typing/answers.ts";
import { deletes, enter, escapeKey, pasted } from "./typing/bytes.ts";
import { refusalForPerson } from "./typing/forPerson.ts";
import { probeScreen } from "./typing/probe.ts";
import { answersInTime } from "./typing/roundTrip.ts";
import { createSpentTokens } from "./typing/spentTokens.ts";
import {
  type Guard,
  guardRefusal,
  openTerminal,
  pasteRefusal,
  running,
  standing,
  type Target,
} from "./typing/standing.ts";
import { createSubmissions, isAbout, type Submission } from "./typing/submissions.ts";
import { seenGone, settled, takeBackOf } from "./typing/takeBack.ts";
import { type Held, textOf } from "./typing/textOf.ts";
import { shownUpToNow, watch } from "./typing/watch.ts";

export type Typist = {
  readonly probe: (order: Order<typeof ProbeScreen>) => Promise<ScreenFacts>;
  readonly type: (order: Order<typeof TypeLine>) => Promise<Answer<typeof TypeLine>>;
  readonly press: (order: Order<typeof PressEnter>) => Promise<Answer<typeof PressEnter>>;
  readonly lookAgain: (order: Order<typeof LookAgain>) => Promise<Answer<typeof LookAgain>>;
  readonly erase: (order: Order<typeof EraseLine>) => Promise<Answer<typeof EraseLine>>;
  readonly escape: (order: Target) => Promise<Answer<typeof SendEscape>>;
  readonly pasteForPerson: (order: Order<typeof PasteForPerson>) => Promise<Answer<typeof PasteForPerson>>;
  /** *Reconnect…*: as `pasteForPerson`, with the line that ends the agent. */
  readonly pasteExit: (target: Target) => Promise<Answer<typeof PasteForPerson>>;
};

export type TypistParts = {
  readonly terminals: TerminalPort;
  /** Asks the workbench something that only it can answer; settles when it did. */
  readonly roundTrip: () => PromiseLike<unknown>;
  readonly guard: () => Guard;
  readonly held: Held;
  readonly clock?: Clock;
  readonly processes?: AgentProcesses;
};

/** How long a pasted line may take to show, and a changed screen to show it again. */
const lookMs = 3000;

/**
 * Types our lines and a person's texts, and is the only one who does: type, look, press. The invariant: Enter is written
 * only where, at that very instant, the agent's prompt box shows exactly what we pasted and nothing else.
 */
export function createTypist(parts: TypistParts): Typist {
  const { terminals, guard, held, clock = systemClock, processes = linuxAgentProcesses } = parts;
  const submissions = createSubmissions(clock);
  const tokens = createSpentTokens();

  const connected = () => answersInTime(clock, parts.roundTrip);

  async function type(order: Order<typeof TypeLine>): Promise<Answer<typeof TypeLine>> {
    const opened = openTerminal(terminals, order);
    if (opened.kind === "refused") return refusedToType(opened.reason);
    const text = textOf(order.agent, order.line, held);
    if (text.kind === "refused") return refusedToType(text.reason);
    const submission = submissions.begin(order, text.ours);
    if (submission === undefined) return refusedToType("busy");
    let isShown = false;
    try {
      const sent = await paste(order, submission);
      if (sent.kind === "refused") return refusedToType(sent.reason);
      const sequence = await watch(clock, sent.mirror, { limitMs: lookMs }, () =>
        shownAt(sent.mirror, order, submission),
      );
      if (sequence !== undefined) {
        isShown = true;
        return { outcome: "shown", sequence, at: clock.wall() };
      }
      const erased = await takeBack(order, submission);
      return { outcome: "refused", reason: "not-shown", wrote: true, erased };
    } finally {
      submission.doing = undefined;
      if (isShown) submissions.keep(submission);
      else submissions.forget(submission);
    }
  }

  /** The number of the screen that shows what was pasted, if it may still be entered. */
  function shownAt(mirror: Mirror, { agent }: Target, submission: Submission): number | undefined {
    return submission.isDisturbed ? undefined : exactlyShownAt(mirror, agent, submission.ours);
  }

  type Sent =
    | { readonly kind: "sent"; readonly mirror: Mirror }
    | { readonly kind: "refused"; readonly reason: TypeRefusal };

  /** From the last look to the write nothing is awaited. */
  async function paste(order: Order<typeof TypeLine>, submission: Submission): Promise<Sent> {
    const before = guardRefusal(guard()) ?? standing(terminals, processes, order);
    if (typeof before === "string") return { kind: "refused", reason: before };
    if (before.kind === "refused") return before;
    if (!(await connected())) return { kind: "refused", reason: "not-connected" };
    await shownUpToNow(before.mirror);
    const stands = standing(terminals, processes, order);
    if (stands.kind === "refused") return stands;
    const isSame = stands.mirror === before.mirror && stands.birth === before.birth && !submission.isDisturbed;
    const refusal = guardRefusal(guard()) ?? (isSame ? pasteRefusal(stands.mirror, order.agent) : "changed");
    if (refusal !== undefined) return { kind: "refused", reason: refusal };
    submission.sentTo = { terminal: stands.terminal, birth: stands.birth };
    stands.terminal.sendText(pasted(submission.ours.text), false);
    stands.mirror.noteOwnWrite();
    return { kind: "sent", mirror: stands.mirror };
  }

  async function press(order: Order<typeof PressEnter>): Promise<Answer<typeof PressEnter>> {
    const receivedAt = clock.now();
    if (!tokens.spend(order.token)) return refusedToPress("token");
    const submission = ownSubmission(order);
    if (typeof submission === "string") return refusedToPress(submission);
    if (submission.isEntered) return refusedToPress("changed");
    submission.doing = "press";
    try {
      if (!(await connected())) return refusedToPress("not-connected");
      const stands = stillStands(order, submission);
      if (stands.kind === "refused") return refusedToPress(stands.reason);
      await shownUpToNow(stands.mirror);
      const refusal = pressNow(order, submission, receivedAt);
      if (refusal === undefined) {
        submission.isEntered = true;
        submissions.release(submission);
        return { outcome: "pressed", at: clock.wall() };
      }
      if (refusal !== "changed") return refusedToPress(refusal);
      const limitMs = lookMs - (clock.now() - receivedAt);
      const stillShown = await watch(clock, stands.mirror, { limitMs }, () =>
        shownAt(stands.mirror, order, submission),
      );
      return refusedToPress("changed", stillShown);
    } finally {
      submission.doing = undefined;
    }
  }

  /** One synchronous stretch: every question is asked again, and if none says no, the key is written. */
  function pressNow(
    order: Order<typeof PressEnter>,
    submission: Submission,
    receivedAt: number,
  ): TypeRefusal | undefined {
    if (clock.now() - receivedAt > order.validMs) return "token";
    const forbidden = guardRefusal(guard());
    if (forbidden !== undefined) return forbidden;
    const stands = stillStands(order, submission);
    if (stands.kind === "refused") return stands.reason;
    if (shownAt(stands.mirror, order, submission) !== order.sequence) return "changed";
    stands.terminal.sendText(enter, false);
    stands.mirror.noteOwnWrite();
    return undefined;
  }

  /** As `standing`, and it is still the terminal and the process that our line went to. */
  function stillStands(order: Order<typeof EraseLine>, submission: Submission): ReturnType<typeof standing> {
    const stands = standing(terminals, processes, order);
    if (stands.kind === "refused") return stands;
    if (stands.terminal !== submission.sentTo?.terminal) return { kind: "refused", reason: "terminal-closed" };
    return stands.birth === submission.sentTo.birth ? stands : { kind: "refused", reason: "agent-gone" };
  }

  /** The line that this order is about, if nobody else is at it. */
  function ownSubmission(order: Order<typeof EraseLine>): Submission | TypeRefusal {
    const submission = submissions.of(order.terminalId);
    if (submission === undefined)
      return terminals.terminalOf(order.terminalId) === undefined ? "terminal-closed" : "changed";
    return !isAbout(submission, order) || submission.doing !== undefined ? "busy" : submission;
  }

  async function erase(order: Order<typeof EraseLine>): Promise<Answer<typeof EraseLine>> {
    const submission = ownSubmission(order);
    if (typeof submission === "string") return { erased: false };
    submission.doing = "erase";
    try {
      return { erased: await takeBack(order, submission) };
    } finally {
      submission.doing = undefined;
      submissions.forget(submission);
    }
  }

  /**
   * Deletes our line where it stands directly before the cursor, and says whether it was seen gone. Anything else in the
   * box is not ours. A pause does not hold this up: it gives the person the prompt box back.
   */
  async function takeBack(order: Order<typeof EraseLine>, submission: Submission): Promise<boolean> {
    const before = stillStands(order, submission);
    if (before.kind === "refused") return false;
    await settled(clock, before.mirror, order.agent);
    if (!(await connected())) return false;
    await shownUpToNow(before.mirror);
    const stands = stillStands(order, submission);
    if (stands.kind === "refused") return false;
    const wanted = takeBackOf(stands.mirror, order.agent, submission.ours);
    if (wanted === undefined) return false;
    stands.terminal.sendText(deletes(wanted.deletes), false);
    stands.mirror.noteOwnWrite();
    return seenGone(clock, stands.mirror, order.agent, wanted);
  }

  async function lookAgain(order: Order<typeof LookAgain>): Promise<Answer<typeof LookAgain>> {
    const nothing = { shown: false, sequence: 0 };
    const text = textOf(order.agent, order.line, held);
    const before = standing(terminals, processes, order);
    if (text.kind === "refused" || before.kind === "refused") return nothing;
    await shownUpToNow(before.mirror);
    const stands = standing(terminals, processes, order);
    if (stands.kind === "refused") return nothing;
    const sequence = exactlyShownAt(stands.mirror, order.agent, text.ours);
    const own = ownSubmission(order);
    if (sequence !== undefined && typeof own !== "string") own.isEntered = false;
    return { shown: sequence !== undefined, sequence: sequence ?? stands.mirror.sequence() };
  }

  /** Past the lock, but not past what is being typed: that is not entered any more. */
  async function sendEscape(order: Target): Promise<Answer<typeof SendEscape>> {
    const before = escapable(order);
    if (before.kind === "refused") return { sent: false, reason: before.reason };
    if (!(await connected())) return { sent: false, reason: "not-connected" };
    const now = escapable(order);
    if (now.kind === "refused") return { sent: false, reason: now.reason };
    if (now.birth !== before.birth) return { sent: false, reason: "agent-gone" };
    submissions.disturb(order.terminalId);
    write(now.open, escapeKey);
    return { sent: true };
  }

  function escapable(order: Target): ReturnType<typeof running> {
    const forbidden = guardRefusal(guard());
    return forbidden === undefined ? running(terminals, processes, order) : { kind: "refused", reason: forbidden };
  }

  /** In one write; the screen, where it is seen, is older than it. */
  function write({ terminal, screen }: TypingTerminal, data: string): void {
    terminal.sendText(data, false);
    const seen = screen();
    if (seen.kind === "mirrored") seen.mirror.noteOwnWrite();
  }

  type ForPerson = Target & { readonly resetId: string; readonly line: Line };

  async function pasteForPerson(order: ForPerson): Promise<Answer<typeof PasteForPerson>> {
    const text = textOf(order.agent, order.line, held);
    if (text.kind === "refused") return { pasted: false, reason: text.reason };
    const submission = submissions.begin(order, text.ours);
    if (submission === undefined) return { pasted: false, reason: "busy" };
    try {
      const opened = openTerminal(terminals, order);
      if (opened.kind === "refused") return { pasted: false, reason: opened.reason };
      const isThere = await connected();
      const reason = isThere ? await refusalForPerson({ terminals, processes, guard }, order) : "not-connected";
      if (reason !== undefined) return { pasted: false, reason };
      if (submission.isDisturbed) return { pasted: false, reason: "changed" };
      opened.open.terminal.show(false);
      write(opened.open, pasted(text.ours.text));
      return { pasted: true };
    } finally {
      submission.doing = undefined;
      submissions.forget(submission);
    }
  }

  const probe = (order: Order<typeof ProbeScreen>) => probeScreen({ terminals, clock, connected }, order);

  const pasteExit = (target: Target) => pasteForPerson({ ...target, resetId: "reconnect", line: { kind: "exit" } });

  return { probe, type, press, lookAgain, erase, escape: sendEscape, pasteForPerson, pasteExit };
}
