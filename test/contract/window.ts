import type * as z from "zod";
import { type Line, lineText } from "../../server/protocol/lines.ts";
import * as messages from "../../server/protocol/messages.ts";
import type { ScreenFacts } from "../../server/protocol/terminals.ts";
import { answer, type Peer } from "../../server/protocol/wire.ts";
import type { Agent } from "./agent.ts";

type Answers = {
  readonly probe: z.input<typeof messages.ProbeScreen.result>;
  readonly type: z.input<typeof messages.TypeLine.result>;
  readonly press: z.input<typeof messages.PressEnter.result>;
  readonly look: z.input<typeof messages.LookAgain.result>;
  readonly erase: z.input<typeof messages.EraseLine.result>;
  readonly texts: z.input<typeof messages.HoldsTexts.result>;
  readonly escape: z.input<typeof messages.SendEscape.result>;
  readonly paste: z.input<typeof messages.PasteForPerson.result>;
};
export type Asked = keyof Answers;

/** One request of the worker, as it came. */
export type Request = { readonly kind: Asked; readonly line?: Line; readonly nth: number };

export type WindowOptions = {
  /** What it shows besides an empty box. */
  readonly screen?: () => Partial<ScreenFacts>;
  readonly texts?: Readonly<Record<string, string>>;
  /** Right before it does what it was asked; it may wait, or answer instead of it. */
  readonly before?: {
    readonly [K in Asked]?: (request: Request) => Promise<Answers[K] | undefined> | Answers[K] | undefined;
  };
};

export type Window = ReturnType<typeof createWindow>;

/**
 * A window with one terminal, as the worker sees it: a prompt box that is empty or holds our line. It outlives a worker
 * that dies.
 */
export function createWindow(agent: Agent, options: WindowOptions = {}) {
  let box = "";
  let sequence = 1;
  const orders: string[] = [];
  const counts = new Map<Asked, number>();
  const texts = new Map(Object.entries(options.texts ?? {}));

  const textOf = (line: Line): string => {
    if (line.kind === "held") return texts.get(line.textId) ?? "";
    return line.kind === "carried" ? line.text : lineText("claude", line);
  };
  const word = (line: Line): string => (line.kind === "carried" ? `carried ${line.text}` : wordOf(line));
  const changed = (): number => {
    sequence += 1;
    return sequence;
  };
  async function asked<K extends Asked>(
    kind: K,
    line: Line | undefined,
    does: () => Answers[K] | Promise<Answers[K]>,
  ): Promise<Answers[K]> {
    const nth = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, nth);
    if (line !== undefined) orders.push(`${kind} ${word(line)}`);
    const instead = await options.before?.[kind]?.({ kind, nth, ...(line === undefined ? {} : { line }) });
    return instead ?? does();
  }

  return {
    /** What it was told to do, in order: `type clear`, `press clear`, … */
    orders,
    texts,
    box: () => box,
    count: (kind: Asked) => counts.get(kind) ?? 0,
    /** How often Enter was asked for with a line of this kind. */
    presses: (kind: Line["kind"]) => orders.filter((order) => order.startsWith(`press ${kind}`)).length,
    /** The person presses Enter on what stands in the box. */
    enter() {
      const text = box;
      box = "";
      changed();
      agent.submit(text);
    },
    attach(peer: Peer) {
      answer(peer, messages.ProbeScreen, () =>
        asked("probe", undefined, () => ({
          observable: true,
          box: box === "" ? ("empty" as const) : ("draft" as const),
          sequence,
          quietForMs: 9000,
          freshSinceOwnWrite: true,
          terminalOpen: true,
          connected: true,
          ...options.screen?.(),
        })),
      );
      answer(peer, messages.TypeLine, ({ line }) =>
        asked("type", line, () => {
          if (box !== "")
            return { outcome: "refused" as const, reason: "box-not-empty" as const, wrote: false, erased: false };
          box = textOf(line);
          return { outcome: "shown" as const, sequence: changed(), at: Date.now() };
        }),
      );
      answer(peer, messages.PressEnter, ({ line, sequence: expected }) =>
        asked("press", line, () => {
          if (box !== textOf(line) || sequence !== expected)
            return { outcome: "refused" as const, reason: "changed" as const };
          box = "";
          changed();
          agent.submit(textOf(line));
          return { outcome: "pressed" as const, at: Date.now() };
        }),
      );
      answer(peer, messages.LookAgain, ({ line }) =>
        asked("look", line, () => ({ shown: box === textOf(line), sequence })),
      );
      answer(peer, messages.EraseLine, ({ line }) =>
        asked("erase", line, () => {
          const erased = box === textOf(line);
          if (erased) box = "";
          changed();
          return { erased };
        }),
      );
      answer(peer, messages.HoldsTexts, ({ textIds }) =>
        asked("texts", undefined, () => ({ held: textIds.every((id) => texts.has(id)) })),
      );
      answer(peer, messages.SendEscape, () => {
        orders.push("escape");
        return asked("escape", undefined, () => ({ sent: true }));
      });
      answer(peer, messages.PasteForPerson, ({ line }) =>
        asked("paste", line, () => {
          box = textOf(line);
          changed();
          return { pasted: true };
        }),
      );
    },
  };
}

/** A line as tests name it. */
function wordOf(line: Exclude<Line, { kind: "carried" }>): string {
  switch (line.kind) {
    case "brief":
      return `brief ${line.then}`;
    case "held":
      return `held ${line.textId}`;
    case "compact":
    case "command":
    case "resume":
      return `${line.kind} ${lineText("claude", line)}`;
    default:
      return line.kind;
  }
}
