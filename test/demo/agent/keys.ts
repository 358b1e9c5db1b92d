export type Key =
  | { readonly kind: "text" | "paste"; readonly text: string }
  | {
      readonly kind:
        | "enter"
        | "backspace"
        | "erase"
        | "interrupt"
        | "end-of-input"
        | "escape"
        | "left"
        | "right"
        | "first"
        | "last";
    };

const pasteStart = "\u001b[200~";
const pasteEnd = "\u001b[201~";

/** As in Claude Code: this many characters in one read are a paste, and an Enter among them is only a new line. */
const burst = 64;

const controls: ReadonlyMap<string, Key["kind"]> = new Map([
  ["\r", "enter"],
  ["\u007f", "backspace"],
  ["\b", "backspace"],
  ["\u0015", "erase"],
  ["\u0003", "interrupt"],
  ["\u0004", "end-of-input"],
  ["\u0001", "first"],
  ["\u0005", "last"],
  ["\u001b[D", "left"],
  ["\u001b[C", "right"],
  ["\u001b[H", "first"],
  ["\u001b[F", "last"],
]);

/** Takes the terminal's input apart. Keeps what a read has cut in two. */
export function createKeys(): (input: string) => readonly Key[] {
  let rest = "";

  return (input) => {
    if (rest === "" && input.length >= burst && !input.includes("\u001b")) return [{ kind: "paste", text: input }];
    rest += input;
    const keys: Key[] = [];
    for (let next = keyIn(rest); next !== undefined; next = keyIn(rest)) {
      if (next.key !== undefined) keys.push(next.key);
      rest = rest.slice(next.length);
    }
    return keys;
  };
}

type Taken = { readonly length: number; readonly key?: Key };

/** The first key of the input; undefined: more of it has to come. */
function keyIn(input: string): Taken | undefined {
  if (input === "") return undefined;
  if (input.startsWith(pasteStart)) {
    const end = input.indexOf(pasteEnd);
    if (end < 0) return undefined;
    return { length: end + pasteEnd.length, key: { kind: "paste", text: input.slice(pasteStart.length, end) } };
  }
  if (input.startsWith("\u001b")) return escapeIn(input);
  if (isControl(input.charAt(0))) return taken(input.charAt(0));
  const characters = [...input];
  const end = characters.findIndex(isControl);
  const text = characters.slice(0, end < 0 ? undefined : end).join("");
  return { length: text.length, key: { kind: "text", text } };
}

const isControl = (character: string): boolean => character < " " || character === "\u007f";

function escapeIn(input: string): Taken | undefined {
  const after = input.slice(1);
  const sequence = /^(?:\[[\d;?]*[@-~]|O[A-Z])/.exec(after)?.[0];
  if (sequence !== undefined) return taken(`\u001b${sequence}`);
  // A sequence that was cut in two; a lone escape is the key itself.
  if (/^\[[\d;?]*$/.test(after)) return undefined;
  return { length: 1, key: { kind: "escape" } };
}

function taken(input: string): Taken {
  const kind = controls.get(input.startsWith("\u001bO") ? input.replace("O", "[") : input);
  return kind === undefined || kind === "text" || kind === "paste"
    ? { length: input.length }
    : { length: input.length, key: { kind } };
}
