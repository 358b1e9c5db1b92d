/** A flag that may be given again when a conversation is resumed, and whether a value follows it. */
export type KeptFlag = { readonly names: readonly string[]; readonly hasValue: boolean };

/** What an agent was started with, for starting it again. Only known flags are repeated. */
export type ResumeRules = {
  readonly kept: readonly KeptFlag[];
  /** Flags that chose the conversation: they are left out, with their value. */
  readonly dropped: readonly KeptFlag[];
};

export type ResumePlan =
  | { readonly kind: "arguments"; readonly arguments: readonly string[] }
  | { readonly kind: "unknown-flag"; readonly flag: string };

/**
 * The flags of an old command line that are to be given again. A prompt that stood on it is not repeated. A flag that is
 * not known stops it: leaving out, say, a permission flag would change what the agent may do.
 */
export function resumeArguments(rules: ResumeRules, old: readonly string[]): ResumePlan {
  const kept: string[] = [];
  for (let at = 0; at < old.length; at += 1) {
    const argument = old[at] ?? "";
    if (!argument.startsWith("-")) continue;
    const [name = "", inline] = splitInline(argument);
    const next = old[at + 1];
    const keep = find(rules.kept, name);
    const drop = find(rules.dropped, name);
    if (keep === undefined && drop === undefined) return { kind: "unknown-flag", flag: name };
    const flag = keep ?? drop;
    const takesNext = flag?.hasValue === true && inline === undefined && next !== undefined && !next.startsWith("-");
    if (keep !== undefined) kept.push(argument, ...(takesNext && next !== undefined ? [next] : []));
    if (takesNext) at += 1;
  }
  return { kind: "arguments", arguments: kept };
}

const find = (flags: readonly KeptFlag[], name: string) => flags.find(({ names }) => names.includes(name));

function splitInline(argument: string): readonly [string, string?] {
  const at = argument.startsWith("--") ? argument.indexOf("=") : -1;
  return at < 0 ? [argument] : [argument.slice(0, at), argument.slice(at + 1)];
}
