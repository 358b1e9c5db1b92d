// What a fake model does with Plimsoll's own prompts: it plays an agent that saves, well or badly, and reads its brief.
import { briefedText, codeLine, requestIn, type SaveRequest, stateFileIn, stateText } from "./savedState.ts";
import { amount } from "./steering.ts";

export type SavingStyle =
  | "well"
  /** The request itself, with the code in front. */
  | "echo"
  | "small"
  | "wrong-code"
  /** Words only; nothing is written. */
  | "none"
  | "slow"
  /** Goes on calling tools after it has written. */
  | "keeps-working"
  /** Writes a second, longer one. */
  | "grows"
  /** Ends with a question to the person. */
  | "asks"
  /** A good file, but what the request names is a link to it. */
  | "link"
  /** A good file, but its folder is a link to one that is not in `.plimsoll`. */
  | "outside";

export type Act =
  | { readonly kind: "read"; readonly file: string }
  | { readonly kind: "write"; readonly file: string; readonly text: string }
  | { readonly kind: "shell"; readonly command: string }
  | { readonly kind: "say"; readonly text: string };

export type Turn = {
  readonly prompt: string;
  /** What the tools answered since the prompt, oldest first. */
  readonly results: readonly string[];
  /** What the person said before, oldest first. */
  readonly said: readonly string[];
};

/** What the model does next. `tokens` absent: as big as before. */
export type Next = { readonly act: Act; readonly delayMs: number; readonly tokens?: number };

export type Tagged = {
  readonly kind: "save" | "proof" | "brief";
  readonly id: string;
  /** The file to be read, in the agent's working directory. */
  readonly file: string;
};

/** What one of Plimsoll's own prompts asks for; undefined: it is none. */
export function taggedIn(prompt: string): Tagged | undefined {
  const [, kind, id = ""] = /^\s*\[plimsoll (save|proof|brief) ([0-9a-f]{12})\]/.exec(prompt) ?? [];
  if (kind !== "save" && kind !== "proof" && kind !== "brief") return undefined;
  return { kind, id, file: `.plimsoll/${id}/${kind === "brief" ? "brief" : "request"}.md` };
}

/** Undefined: the prompt is none of Plimsoll's. */
export function nextAct(turn: Turn, style: SavingStyle): Next | undefined {
  const tagged = taggedIn(turn.prompt);
  if (tagged === undefined) return undefined;
  return tagged.kind === "brief" ? reading(tagged, turn) : saving(tagged, turn, style);
}

/** As big as the conversation was: a save adds little. `SAVE_USAGE=` in any prompt is what the save itself reports. */
export function savingTokens({ prompt, said }: Turn, otherwise: number): number {
  const prompts = [prompt, ...said.toReversed()];
  const given = (name: string) => prompts.map((text) => amount(text, name, -1)).find((tokens) => tokens >= 0);
  return given("SAVE_USAGE") ?? given("USAGE") ?? otherwise;
}

function reading({ file }: Tagged, { results }: Turn): Next {
  const [brief, ...more] = results;
  const tokens = 19_000 + 1000 * results.length;
  const state = brief === undefined ? file : stateFileIn(brief);
  const act: Act =
    state === undefined || more.length > 0 ? { kind: "say", text: briefedText } : { kind: "read", file: state };
  return { act, delayMs: 0, tokens };
}

type Asked = SaveRequest & { readonly text: string; readonly said: readonly string[]; readonly request: string };
type Style = { readonly acts: (asked: Asked) => readonly Act[]; readonly pauseMs?: number; readonly ending?: string };

const write = ({ file }: Asked, text: string): Act => ({ kind: "write", file, text });
const good = ({ code, said }: Asked): string => stateText(code, said);
const wellActs = (asked: Asked): readonly Act[] => [write(asked, good(asked))];

const styles: Readonly<Record<Exclude<SavingStyle, "none">, Style>> = {
  well: { acts: wellActs },
  echo: { acts: (asked) => [write(asked, `${codeLine(asked.code)}\n${asked.text}`)] },
  small: { acts: (asked) => [write(asked, `${codeLine(asked.code)}\n\nNothing to say.\n`)] },
  "wrong-code": { acts: (asked) => [write(asked, stateText("0".repeat(12), asked.said))] },
  slow: { acts: wellActs, pauseMs: 4000 },
  "keeps-working": {
    acts: (asked) => [...wellActs(asked), ...Array<Act>(4).fill({ kind: "read", file: asked.request })],
    pauseMs: 1000,
  },
  grows: { acts: (asked) => [...wellActs(asked), write(asked, `${good(asked)}\nOne more line.\n`)], pauseMs: 3000 },
  asks: { acts: wellActs, ending: "Saved. Shall I remove the old branch as well?" },
  link: { acts: (asked) => [write({ ...asked, file: `${asked.file}.real` }, good(asked)), shell(linkOf(asked.file))] },
  outside: { acts: (asked) => [...wellActs(asked), shell(moveOf(asked.file))] },
};

const shell = (command: string): Act => ({ kind: "shell", command });
const linkOf = (file: string): string => `ln -s '${file}.real' '${file}'`;

/** Moves the folder of the save out of `.plimsoll`, and leaves a link to it. */
function moveOf(file: string): string {
  const [, project = "", id = ""] = /^(.*)[/\\]\.plimsoll[/\\]([0-9a-f]{12})[/\\]/.exec(file) ?? [];
  const [from, to] = [`'${project}/.plimsoll/${id}'`, `'${project}/elsewhere-${id}'`];
  return `mv ${from} ${to} && ln -s ${to} ${from}`;
}

function saving({ file: request }: Tagged, { results, said }: Turn, style: SavingStyle): Next {
  if (style === "none") return { act: { kind: "say", text: "I keep all of it in mind." }, delayMs: 0 };
  const { acts, pauseMs = 0, ending = "Saved." } = styles[style];
  const [text, ...more] = results;
  if (text === undefined) return { act: { kind: "read", file: request }, delayMs: pauseMs };
  const found = requestIn(text);
  const act = found && acts({ ...found, text: withoutFrame(text), said, request })[more.length];
  const last = found === undefined ? "There is no request that I could read." : ending;
  return { act: act ?? { kind: "say", text: last }, delayMs: more.length === 0 && style !== "slow" ? 0 : pauseMs };
}

/** What a tool showed, without Claude Code's line numbers or Codex's heading. */
const withoutFrame = (text: string): string =>
  text.replace(/^Chunk ID:[\s\S]*?\nOutput:\n/, "").replaceAll(/^ *\d+[\t→]/gm, "");
