import type * as z from "zod";
import { type LineId, lineText } from "../server/protocol/lines.ts";
import type {
  EraseLine,
  LookAgain,
  PasteForPerson,
  PressEnter,
  ProbeScreen,
  TypeLine,
} from "../server/protocol/messages.ts";
import type { ScreenFacts, TypeRefusal } from "../server/protocol/terminals.ts";
import { exactlyShownAt } from "./screen/box.ts";
import { type Clock, systemClock } from "./screen/clock.ts";
import type { Mirror } from "./screen/mirror.ts";
import type { TerminalPort } from "./terminals.ts";
import { type AgentProcesses, linuxAgentProcesses } from "./typing/agentProcess.ts";
import { deletes, enter, pasted } from "./typing/bytes.ts";
import { probeScreen } from "./typing/probe.ts";
import { createSpentTokens } from "./typing/spentTokens.ts";
import { type Guard, guardRefusal, openTerminal, pasteRefusal, standing, type Target } from "./typing/standing.ts";
import { createSubmissions, type Submission } from "./typing/submissions.ts";
import { seenGone, settled, textWithoutOurs } from "./typing/takeBack.ts";
import { shownUpToNow, watch } from "./typing/watch.ts";

type Order<M extends { params: z.ZodType }> = z.output<M["params"]>;
type Answer<M extends { result: z.ZodType }> = z.output<M["result"]>;

export type Typist = {
  readonly probe: (order: Order<typeof ProbeScreen>) => Promise<ScreenFacts>;
  readonly type: (order: Order<typeof TypeLine>) => Promise<Answer<typeof TypeLine>>;
  readonly press: (order: Order<typeof PressEnter>) => Promise<Answer<typeof PressEnter>>;
  readonly lookAgain: (order: Order<typeof LookAgain>) => Promise<Answer<typeof LookAgain>>;
  readonly erase: (order: Order<typeof EraseLine>) => Promise<Answer<typeof EraseLine>>;
  readonly pasteForPerson: (order: Order<typeof PasteForPerson>) => Promise<Answer<typeof PasteForPerson>>;
  /** *Reconnect…*: as `pasteForPerson`, with the line that ends the agent. */
  readonly pasteExit: (target: Target) => Promise<Answer<typeof PasteForPerson>>;
};

export type TypistParts = {
  readonly terminals: TerminalPort;
  /** Asks the workbench something that only it can answer; settles when it did. */
  readonly roundTrip: () => PromiseLike<unknown>;
  readonly guard: () => Guard;
  readonly clock?: Clock;
  readonly processes?: AgentProcesses;
};

/** Without an answer in this time the window is not there, and a key would be kept and pressed whenever it comes back. */
const roundTripMs = 250;

/** How long a pasted line may take to show, and a changed screen to show it again. */
const lookMs = 3000;

/**
 * Types our fixed lines, and is the only one who does: type, look, press. The invariant: Enter is written only where, at
 * that very instant, the agent's prompt box shows exactly our line and nothing else.
 */
export function createTypist(parts: TypistParts): Typist {
  const { terminals, guard, clock = systemClock, processes = linuxAgentProcesses } = parts;
  const submissions = createSubmissions(clock);
  const tokens = createSpentTokens();

  function connected(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = clock.after(roundTripMs, () => resolve(false));
      const settle = (isThere: boolean) => {
        timer.cancel();
        resolve(isThere);
      };
      parts.roundTrip().then(
        () => settle(true),
        () => settle(false),
      );
    });
  }

  async function type(order: Order<typeof TypeLine>): Promise<Answer<typeof TypeLine>> {
    const opened = openTerminal(terminals, order);
    if (opened.kind === "refused") return refusedToType(opened.reason);
    const text = lineText(order.agent, order.line);
    const submission = submissions.begin({ ...order, text });
    if (submission === undefined) return refusedToType("busy");
    let isShown = false;
    try {
      const sent = await paste(order, submission);
      if (sent.kind === "refused") return refusedToType(sent.reason);
      const sequence = await watch(clock, sent.mirror, { limitMs: lookMs }, () =>
        exactlyShownAt(sent.mirror, order.agent, text),
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
    const isSame = stands.mirror === before.mirror && stands.birth === before.birth;
    const refusal = guardRefusal(guard()) ?? (isSame ? pasteRefusal(stands.mirror, order.agent) : "changed");
    if (refusal !== undefined) return { kind: "refused", reason: refusal };
    submission.sentTo = { terminal: stands.terminal, birth: stands.birth };
    stands.terminal.sendText(pasted(submission.text), false);
    stands.mirror.noteOwnWrite();
    return { kind: "sent", mirror: stands.mirror };
  }

  async function press(order: Order<typeof PressEnter>): Promise<Answer<typeof PressEnter>> {
    const receivedAt = clock.now();
    if (!tokens.spend(order.token)) return refusedToPress("token");
    const submission = ownSubmission(order);
    if (typeof submission === "string") return refusedToPress(submission);
    submission.doing = "press";
    try {
      if (!(await connected())) return refusedToPress("not-connected");
      const stands = stillStands(order, submission);
      if (stands.kind === "refused") return refusedToPress(stands.reason);
      await shownUpToNow(stands.mirror);
      const refusal = pressNow(order, submission, receivedAt);
      if (refusal === undefined) {
        submissions.release(submission);
        return { outcome: "pressed", at: clock.wall() };
      }
      if (refusal !== "changed") return refusedToPress(refusal);
      const limitMs = lookMs - (clock.now() - receivedAt);
      const stillShown = await watch(clock, stands.mirror, { limitMs }, () =>
        exactlyShownAt(stands.mirror, order.agent, submission.text),
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
    if (exactlyShownAt(stands.mirror, order.agent, submission.text) !== order.sequence) return "changed";
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
    const isOwn = submission.resetId === order.resetId && submission.line === order.line;
    return !isOwn || submission.doing !== undefined ? "busy" : submission;
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
    const rest = textWithoutOurs(stands.mirror, order.agent, submission.text);
    if (rest === undefined) return false;
    stands.terminal.sendText(deletes(submission.text), false);
    stands.mirror.noteOwnWrite();
    return seenGone(clock, stands.mirror, order.agent, rest);
  }

  async function lookAgain(order: Order<typeof LookAgain>): Promise<Answer<typeof LookAgain>> {
    const before = standing(terminals, processes, order);
    if (before.kind === "refused") return { shown: false, sequence: 0 };
    await shownUpToNow(before.mirror);
    const stands = standing(terminals, processes, order);
    if (stands.kind === "refused") return { shown: false, sequence: 0 };
    const sequence = exactlyShownAt(stands.mirror, order.agent, lineText(order.agent, order.line));
    return { shown: sequence !== undefined, sequence: sequence ?? stands.mirror.sequence() };
  }

  type ForPerson = Target & { readonly resetId: string; readonly line: LineId };

  async function pasteForPerson(order: ForPerson): Promise<Answer<typeof PasteForPerson>> {
    const text = lineText(order.agent, order.line);
    const submission = submissions.begin({ ...order, text });
    if (submission === undefined) return { pasted: false, reason: "busy" };
    try {
      const opened = openTerminal(terminals, order);
      if (opened.kind === "refused") return { pasted: false, reason: opened.reason };
      const isThere = await connected();
      const reason = isThere ? await refusalForPerson(order) : "not-connected";
      if (reason !== undefined) return { pasted: false, reason };
      opened.open.terminal.show(false);
      opened.open.terminal.sendText(pasted(text), false);
      const screen = opened.open.screen();
      if (screen.kind === "mirrored") screen.mirror.noteOwnWrite();
      return { pasted: true };
    } finally {
      submission.doing = undefined;
      submissions.forget(submission);
    }
  }

  /** Where the screen can be seen it has to be an empty box here too; where not, the person looks. */
  async function refusalForPerson(order: Target): Promise<TypeRefusal | undefined> {
    const screen = terminals.terminalOf(order.terminalId)?.screen();
    if (screen?.kind === "mirrored") await shownUpToNow(screen.mirror);
    const forbidden = guardRefusal(guard());
    if (forbidden !== undefined) return forbidden;
    const opened = openTerminal(terminals, order);
    if (opened.kind === "refused") return opened.reason;
    const isGone = processes.isMeasured && processes.birthIn(order.shellPid, order.agentPid) === undefined;
    if (isGone) return "agent-gone";
    return screen?.kind === "mirrored" ? pasteRefusal(screen.mirror, order.agent) : undefined;
  }

  const probe = (order: Order<typeof ProbeScreen>) => probeScreen({ terminals, clock, connected }, order);

  const pasteExit = (target: Target) => pasteForPerson({ ...target, resetId: "reconnect", line: "exit" });

  return { probe, type, press, lookAgain, erase, pasteForPerson, pasteExit };
}

const refusedToType = (reason: TypeRefusal): Answer<typeof TypeLine> => ({
  outcome: "refused",
  reason,
  wrote: false,
  erased: false,
});

const refusedToPress = (reason: TypeRefusal, stillShown?: number): Answer<typeof PressEnter> => ({
  outcome: "refused",
  reason,
  ...(stillShown === undefined ? {} : { stillShown }),
});
