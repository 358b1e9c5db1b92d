import * as z from "zod";

/** What the host sees of its terminals and their screens: facts and refusals, never text. Times are epoch ms. */
const at = z.number().finite();
const id = z.string().min(1).max(200);

/** Why a terminal's screen cannot be read. */
export const Unobservable = z.enum([
  "started-before", // the agent was there before Plimsoll, or the window was reloaded
  "no-shell-integration",
  "overflow", // more than 256 KiB came before an agent was known to run there
  "size-unknown",
  "platform",
]);
export type Unobservable = z.infer<typeof Unobservable>;

/** One integrated terminal of this window, as the host sees it. */
export const TerminalFacts = z.strictObject({
  terminalId: id,
  name: z.string().max(500),
  shellPid: z.number().int().positive().optional(),
  /** Whether the running command's output is held since its start. */
  stream: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("held"), since: at }),
    z.strictObject({ kind: z.literal("none"), why: Unobservable, since: at }),
  ]),
  /** Codex: the first 29 characters of the thread id in the terminal's own title. */
  titleId: z.string().max(36).optional(),
  /** Codex: what it says of itself by OSC 7501. */
  reported: z.enum(["idle", "working", "blocked", "done", "error"]).optional(),
});
export type TerminalFacts = z.infer<typeof TerminalFacts>;

/** What the mirror shows of the prompt box, never its text. */
export const ScreenFacts = z.strictObject({
  observable: z.boolean(),
  why: Unobservable.optional(),
  box: z.enum(["none", "empty", "draft", "shell-mode"]),
  /** Bumped by every chunk and every write of ours: an old number names an old screen. */
  sequence: z.number().int().nonnegative(),
  /** Since the last chunk, monotonic. Absent: no chunk yet. */
  quietForMs: z.number().nonnegative().optional(),
  /** A chunk came after our own last write. */
  freshSinceOwnWrite: z.boolean(),
  terminalOpen: z.boolean(),
  shellPid: z.number().int().positive().optional(),
  /** The workbench answered a round trip within its time. */
  connected: z.boolean(),
});
export type ScreenFacts = z.infer<typeof ScreenFacts>;

export const TypeRefusal = z.enum([
  "terminal-closed",
  "not-observable",
  "box-not-empty",
  "box-not-found",
  "shell-mode",
  "not-connected",
  "not-shown", // pasted, but the box did not show exactly our line within 3 s
  "changed", // something changed between the look and the key
  "token", // the one-use token was wrong, used or too old
  "agent-gone",
  "paused",
  "mode",
  "trust",
  "busy", // another submission holds this terminal
  "text-unknown", // a person's text that is no longer held, is not the one meant, or has nothing in it to type
  "text-command", // a prompt to be carried over that would now run as a command
]);
export type TypeRefusal = z.infer<typeof TypeRefusal>;
