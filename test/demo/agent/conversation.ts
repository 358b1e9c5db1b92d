import { randomUUID } from "node:crypto";
import { word } from "../../support/steering.ts";
import { firstTokens, nextTokens, summaryTokens, turnMs } from "./growth.ts";
import { createRecords } from "./records.ts";
import type { Message } from "./screen.ts";
import type { Store } from "./store.ts";

export type Clock = {
  readonly now: () => number;
  /** Runs it later; the answer calls it off. */
  readonly after: (ms: number, run: () => void) => () => void;
};

export type Ports = {
  readonly store: Store;
  readonly clock: Clock;
  readonly cwd: string;
  /** There is something new to show. Called after it is on disk. */
  readonly changed: () => void;
  readonly quit: () => void;
};

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const commandMs = 350;
const compactMs = 1500;

/** What the demo does with what is sent to it: one thing at a time, the rest waits in a queue. */
export function createConversation({ store, clock, cwd, changed, quit }: Ports, resumed: string | undefined) {
  const launchId = resumed ?? randomUUID();
  const startedAt = clock.now();
  let id = launchId;
  let records = createRecords({ cwd, sessionId: id, launchId });
  let tokens = resumed === undefined ? undefined : store.tokensOf(resumed);
  let messages: readonly Message[] = resumed === undefined ? [] : [note(resumedWords(tokens))];
  let doing: string | undefined;
  let callOff: (() => void) | undefined;
  const queue: string[] = [];

  const say = (...more: readonly Message[]) => {
    messages = [...messages, ...more];
  };
  const tell = (status: "idle" | "busy") => store.report(id, status, clock.now());

  function begin(words: string, ms: number, finish: () => void): void {
    doing = words;
    tell("busy");
    callOff = clock.after(ms, () => {
      finish();
      rest();
    });
    changed();
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
    say({ kind: "prompt", text });
    store.append(id, records.prompt(clock.now(), text, isQueued));
    const ms = turnMs(text);
    begin("Pretending to work… (esc to interrupt)", ms, () => {
      const before = tokens;
      tokens = nextTokens(tokens, text);
      const answer = word(text, "SAY") ?? answerWords(before, tokens);
      store.append(id, records.answer(clock.now(), answer, tokens));
      store.append(id, records.turnEnded(clock.now(), ms));
      say({ kind: "answer", text: answer }, { kind: "done", text: `Pretended for ${(ms / 1000).toFixed(1)} s` });
    });
  }

  function clear(): void {
    begin("Clearing…", commandMs, () => {
      store.append(id, records.left(startedAt));
      id = randomUUID();
      records = createRecords({ cwd, sessionId: id, launchId });
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
    const found = uuid.test(wanted) ? store.tokensOf(wanted) : undefined;
    if (found === undefined) {
      say({ kind: "prompt", text: `/resume ${wanted}` }, note("The demo has no such conversation."));
      return;
    }
    begin("Resuming…", commandMs, () => {
      id = wanted;
      records = createRecords({ cwd, sessionId: id, launchId });
      tokens = found;
      messages = [note(resumedWords(tokens))];
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

const resumedWords = (tokens: number | undefined): string =>
  tokens === undefined ? "Resumed: nothing was said yet." : `Resumed: the context is ${thousands(tokens)} tokens.`;
