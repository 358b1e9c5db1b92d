/**
 * Reads the outer members of a JSON object of which only the beginning or only the end is there: lines of many MiB are
 * never held whole. A cut member is left out; nothing is guessed.
 */
type Member = { readonly depth: number; readonly key: string; readonly value: unknown };

/** Members at depth 1 and 2 that stand complete in the beginning of an object; `inside` names the depth-1 key. */
export function membersAtStart(text: string): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  let inside = "";
  walk(
    text,
    (member) => {
      if (member.depth === 1) found.set(member.key, member.value);
      else found.set(`${inside}.${member.key}`, member.value);
    },
    (key) => {
      inside = key;
    },
  );
  return found;
}

/** Walks forward; calls `onMember` for complete scalars and containers at depth 1 and 2, `onEnter` for a depth-1 key. */
function walk(text: string, onMember: (member: Member) => void, onEnter: (key: string) => void): void {
  const keys: (string | undefined)[] = [];
  const isObject: boolean[] = [];
  const starts: number[] = [];
  let key: string | undefined;
  let at = 0;
  while (at < text.length) {
    const character = text[at];
    if (character === '"') {
      const end = endOfString(text, at);
      if (end === undefined) return;
      const next = skipSpace(text, end);
      if (isObject.at(-1) === true && key === undefined && text[next] === ":") {
        key = unquoted(text.slice(at, end));
        at = next + 1;
        continue;
      }
      report(text.slice(at, end));
      at = end;
    } else if (character === "{" || character === "[") {
      if (keys.length === 1 && key !== undefined) onEnter(key);
      keys.push(key);
      isObject.push(character === "{");
      starts.push(at);
      key = undefined;
      at += 1;
    } else if (character === "}" || character === "]") {
      key = keys.pop();
      isObject.pop();
      const start = starts.pop() ?? at;
      if (keys.length > 0 && keys.length <= 2) report(text.slice(start, at + 1));
      key = undefined;
      at += 1;
    } else if (character === "," || character === ":" || isBlank(character)) {
      if (character === ",") key = undefined;
      at += 1;
    } else {
      const end = endOfScalar(text, at);
      if (end === text.length) return;
      report(text.slice(at, end));
      at = end;
    }
  }

  function report(raw: string): void {
    if (key !== undefined && isObject.at(-1) === true && keys.length <= 2) {
      const value = parsed(raw);
      if (value !== undefined) onMember({ depth: keys.length, key, value });
    }
    key = undefined;
  }
}

/** Members at depth 1 and 2 that stand complete at the end of an object. Those of depth 2 are found as `?.key`. */
export function membersAtEnd(text: string): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  let depth = 0;
  /** End (exclusive) of the member's value that is walked over, per depth. */
  const ends: (number | undefined)[] = [];
  let at = text.length - 1;
  while (at >= 0) {
    const character = text[at];
    if (character === '"') {
      const start = startOfString(text, at);
      if (start === undefined) return found;
      const after = skipSpace(text, at + 1);
      const end = ends[depth];
      if (text[after] === ":" && depth <= 2 && end !== undefined) {
        const key = unquoted(text.slice(start, at + 1)) ?? "";
        const value = parsed(text.slice(after + 1, end));
        const name = depth === 1 ? key : `?.${key}`;
        if (value !== undefined && !found.has(name)) found.set(name, value);
      }
      if (text[after] !== ":" && end === undefined) ends[depth] = at + 1;
      at = start - 1;
    } else if (character === "}" || character === "]") {
      if (ends[depth] === undefined) ends[depth] = at + 1;
      depth += 1;
      ends[depth] = undefined;
      at -= 1;
    } else if (character === "{" || character === "[") {
      ends[depth] = undefined;
      depth -= 1;
      if (depth < 0) return found;
      at -= 1;
    } else {
      if (character === ",") ends[depth] = undefined;
      else if (character !== ":" && !isBlank(character) && ends[depth] === undefined) ends[depth] = at + 1;
      at -= 1;
    }
  }
  return found;
}

function startOfString(text: string, quote: number): number | undefined {
  for (
    let start = text.lastIndexOf('"', quote - 1);
    start >= 0 && quote > 0;
    start = text.lastIndexOf('"', start - 1)
  ) {
    let slashes = 0;
    while (text[start - 1 - slashes] === "\\") slashes += 1;
    // At the cut itself nobody knows whether a slash stood before.
    if (start - slashes === 0) return undefined;
    if (slashes % 2 === 0) return start;
  }
  return undefined;
}

function endOfString(text: string, quote: number): number | undefined {
  for (let end = text.indexOf('"', quote + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === "\\") slashes += 1;
    if (slashes % 2 === 0) return end + 1;
  }
  return undefined;
}

function endOfScalar(text: string, from: number): number {
  let end = from;
  while (end < text.length && !/[,}\]\s]/.test(text[end] ?? "")) end += 1;
  return end;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (isBlank(text[at])) at += 1;
  return at;
}

const isBlank = (character: string | undefined): boolean =>
  character === " " || character === "\n" || character === "\t" || character === "\r";

const unquoted = (raw: string): string | undefined => {
  const value = parsed(raw);
  return typeof value === "string" ? value : undefined;
};

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}
