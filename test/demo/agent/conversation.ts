import { randomUUID } from "node:crypto";
import { type Next, nextAct, type Turn, taggedIn } from "../../support/saving.ts";
import { word } from "../../support/steering.ts";
import { firstTokens, nextTokens, stepTokens, summaryTokens, turnMs } from "./growth.ts";
import type { Past } from "./past.ts";
import { createRecords } from "./records.ts";
import type { Message } from "./screen.ts";
import type { Store } from "./store.ts";
import { callTool, type Files } from "./tools.ts";

export type Clock = {
  readonly now: () => number;
  /** Runs it later; the answer calls it off. */
  readonly after: (ms: number, run: () => void) => () => void;
};

export type Ports = {
  readonly store: Store;
  readonly files: Files;
  readonly clock: Clock;
  readonly cwd: string;
  /** There is something new to show. Called after it is on disk. */
  readonly changed: () => void;
  readonly quit: () => void;
};

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const commandMs = 350;
const compactMs = 1500;
/** One tool, or the answer after them. */
const stepMs = 800;

/** What the demo does with what is sent to it: one thing at a time, the rest waits in a queue. */
export function createConversation(ports: Ports, resumed: string | undefined) {
  const { store, files, clock, cwd, changed, quit } = ports;
  const launchId = resumed ?? randomUUID();
  const startedAt = clock.now();
  const past = resumed === undefined ? undefined : store.past(resumed);
  let id = launchId;
  let records = recordsOf(past);
  let tokens = past?.tokens;
  let messages: readonly Message[] = resumed === undefined ? [] : repainted(past);
  let doing: string | undefined;
  let callOff: (() => void) | undefined;
  const queue: string[] = [];

  function recordsOf(from?: Past) {
    const after = from?.lastUuid;
    return createRecords({ cwd, sessionId: id, launchId, ...(after === undefined ? {} : { after }) });
  }
  const say = (...more: readonly Message[]) => {
    messages = [...messages, ...more];
  };
  const tell = (status: "idle" | "busy") => store.report(id, status, clock.now());

  function later(words: string, ms: number, go: () => void): void {
    doing = words;
    tell("busy");
    callOff = clock.after(ms, go);
    changed();
  }

  function begin(words: string, ms: number, finish: () => void): void {
    later(words, ms, () => {
      finish();
      rest();
    });
  }

  /** First on disk, then on the screen: what is shown after a turn proves that the turn is over. */
  function rest(): void {
    doing = undefined;
    callOff = undefined;
    tell("idle");
    const next = queue.shift();
    if (next !== undefined) {
      store.append(id, records.queued(clock.now(), "dequeue", next));
      run(next, true);
    }
    changed();
  }

  function run(text: string, isQueued: boolean): void {
    const [name = "", ...args] = text.split(/\s+/);
    store.typed(id, text, clock.now());
    if (!/^\/[a-z]/.test(text)) prompt(text, isQueued);
    else if (/^\/(clear|reset|new)$/.test(name)) clear();
    else if (name === "/compact") compact(text.slice(name.length).trim());
    else if (name === "/resume") resume(args[0] ?? "");
    else if (/^\/(exit|quit)$/.test(name)) quit();
    else say({ kind: "prompt", text }, note(`The demo knows no ${name}.`));
  }

  function prompt(text: string, isQueued: boolean): void {
    const turn = { prompt: text, results: [], said: saidIn(messages) };
    say({ kind: "prompt", text });
    store.append(id, records.prompt(clock.now(), text, isQueued));
    const next = nextAct(turn, "well");
    if (next !== undefined) {
      play(turn, next, clock.now());
      return;
    }
    const ms = turnMs(text);
    begin("Pretending to work… (esc to interrupt)", ms, () => {
      const before = tokens;
      tokens = nextTokens(tokens, text);
      answer(word(text, "SAY") ?? answerWords(before, tokens), tokens, ms);
    });
  }

  function answer(text: string, size: number, ms: number): void {
    store.append(id, records.answer(clock.now(), text, size));
    store.append(id, records.turnEnded(clock.now(), ms));
    say({ kind: "answer", text }, { kind: "done", text: `Pretended for ${(ms / 1000).toFixed(1)} s` });
  }

  /** What one of Plimsoll's own prompts asks for: one tool after the other, and an answer. */
  function play(turn: Turn, { act, ...next }: Next, from: number): void {
    later(`${doingWords[act.kind]} (esc to interrupt)`, stepMs, () => {
      const size = next.tokens ?? (tokens ?? firstTokens) + stepTokens;
      tokens = size;
      if (act.kind === "read" || act.kind === "write") {
        const call = callTool(files, cwd, act);
        store.append(id, records.toolCall(clock.now(), call, size));
        say({ kind: "answer", text: call.title }, note(call.outcome));
        const after = { ...turn, results: [...turn.results, call.result] };
        const then = nextAct(after, "well");
        if (then !== undefined) return play(after, then, from);
      } else answer(act.kind === "say" ? act.text : "The demo has no shell.", size, clock.now() - from);
      rest();
    });
  }

  function clear(): void {
    begin("Clearing…", commandMs, () => {
      store.append(id, records.left(startedAt));
      id = randomUUID();
      records = recordsOf();
      tokens = undefined;
      messages = [{ kind: "prompt", text: "/clear" }];
      store.append(id, records.cleared(clock.now()));
    });
  }

  function compact(args: string): void {
    say({ kind: "prompt", text: args === "" ? "/compact" : `/compact ${args}` });
    const before = tokens;
    if (before === undefined) {
      store.append(id, records.tooLittle(clock.now(), args));
      say(note("Not enough messages to compact."));
      return;
    }
    begin("Compacting conversation…", compactMs, () => {
      const sizes = { before, after: summaryTokens, durationMs: compactMs };
      tokens = firstTokens + summaryTokens;
      store.append(id, records.compacted(clock.now(), { args, ...sizes }));
      say(note("Compacted (ctrl+o to see full summary)"));
    });
  }

  function resume(wanted: string): void {
    const found = uuid.test(wanted) ? store.past(wanted) : undefined;
    if (found === undefined) {
      say({ kind: "prompt", text: `/resume ${wanted}` }, note("The demo has no such conversation."));
      return;
    }
    begin("Resuming…", commandMs, () => {
      if (store.past(id) !== undefined) store.append(id, records.left(startedAt));
      id = wanted;
      records = recordsOf(found);
      tokens = found.tokens;
      messages = repainted(found);
      store.append(id, records.resumed(saidIn(messages).at(-1) ?? ""));
    });
  }

  tell("idle");
  return {
    messages: () => messages,
    doing: () => doing,
    submit(text: string): void {
      const said = text.trim();
      if (said === "") return;
      if (doing === undefined) run(said, false);
      else {
        queue.push(said);
        store.append(id, records.queued(clock.now(), "enqueue", said));
        say(note(`Queued: ${said}`));
      }
      changed();
    },
    interrupt(): void {
      if (callOff === undefined) return;
      callOff();
      store.append(id, records.interrupted(clock.now()));
      say(note("Interrupted"));
      rest();
    },
    close(): void {
      callOff?.();
      store.close();
    },
  };
}

const note = (text: string): Message => ({ kind: "note", text });
const thousands = (tokens: number): string => `${Math.floor(tokens / 1000)}k`;

function answerWords(before: number | undefined, tokens: number): string {
  const from = before === undefined ? "" : ` It was ${thousands(before)}.`;
  return `This is a demo: nothing was asked of any model. My context is now ${thousands(tokens)} tokens.${from}`;
}

const doingWords: Readonly<Record<Next["act"]["kind"], string>> = {
  read: "Reading…",
  write: "Writing…",
  shell: "Running…",
  say: "Thinking…",
};

/** The person's own prompts. */
const saidIn = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap(({ kind, text }) =>
    kind === "prompt" && !text.startsWith("/") && taggedIn(text) === undefined ? [text] : [],
  );

const repainted = (past: Past | undefined): readonly Message[] => [
  ...(past?.messages ?? []),
  note(resumedWords(past?.tokens)),
];

const resumedWords = (tokens: number | undefined): string =>
  tokens === undefined ? "Resumed: nothing was said yet." : `Resumed: the context is ${thousands(tokens)} tokens.`;
