/**
 * First line of every request. A saved state that holds it is the request written back, not a state (R89). People never
 * read it; agents do.
 */
export const requestMarker = "Plimsoll asks you to save your working state. This page is the request, not the state.";

/** What is put into the request; everything else in it is constant (R97). */
export type RequestParts = {
  /** 12 hex digits. */
  readonly code: string;
  /** Absolute. */
  readonly statePath: string;
  /** Absolute: the folder the state file lies in. */
  readonly dir: string;
};

/** `command`: the workflow's own command has saved already, and a short file proves it. */
export type RequestVariant = "state-file" | "command";

/** The whole text of `request.md`. No line of it passes as the first line of a saved state, so writing it back fails. */
export const requestText = (variant: RequestVariant, parts: RequestParts): string =>
  `${[requestMarker, "", opening, "", `- State file: ${parts.statePath}`, `- Its folder: ${parts.dir}`, `- Check code: ${parts.code}`, "", demands[variant]].join("\n")}\n`;

const opening =
  "Your conversation is about to be cleared. What you do not write down now is gone. The one who reads it next is you, with nothing but this file and the working tree.";

const firstLineDemand = `The first line is exactly \`<!-- plimsoll check code: CODE -->\`, with the check code above in place of CODE. Nothing stands before it.`;

const rules = `How:

- Write the file in one go, as the last act of this turn. No tool call after it. Then stop and wait: no further work, no question.
- If you do any work after writing it, write it again: it must be true when you stop.
- Do not put a key, password or token into it; say where it is kept instead.
- Do not copy this page into it, in whole or in part. Put nothing else into the folder.`;

const demands: Readonly<Record<RequestVariant, string>> = {
  "state-file": `Write the state file now.

${firstLineDemand} After it, at least 1000 bytes of Markdown for a reader who knows nothing, under these headings, each with what is true now ("none" where there is nothing):

1. Role and mission: who you are here, for whom you work, and what the whole task is.
2. Position: where you are in the plan; what is done, what is under way, what comes after.
3. Written versus verified: what you changed and where, with commit hashes or file digests; apart from that, what was checked, by which command, and what it said. What was written and not checked is named as such.
4. In flight: commands that still run, background jobs, agents, servers, locks, temporary files; how to look at each and how to end it.
5. Open task list: every open item of your list, in order.
6. Open questions to the person: word for word as you asked them, with what depends on the answer.
7. Standing orders: what the person told you to do always or never, in their words.
8. Next action: the one thing to do first, precise enough to begin at once.

${rules}`,
  command: `Your own save command has run. Prove it: write the state file now, a short one.

${firstLineDemand} After it, at least 200 bytes:

1. What was saved, and where: each path or name, so that it can be found again. What could not be saved is named as such.
2. In flight: commands that still run, background jobs; how to look at each and how to end it.
3. Open questions to the person: word for word.
4. Next action: the one thing to do first.

${rules}`,
};
