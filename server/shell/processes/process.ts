/**
 * What the system knows of a process. A failed lookup is `unknown` and never an answer: "not there" is `gone`, and only
 * that is evidence of absence (R16).
 */
export type Lookup<T> =
  | { readonly kind: "known"; readonly value: T }
  | { readonly kind: "gone" }
  | { readonly kind: "unknown"; readonly why: string };

export const known = <T>(value: T): Lookup<T> => ({ kind: "known", value });
export const gone: Lookup<never> = { kind: "gone" };
export const unknown = (why: string): Lookup<never> => ({ kind: "unknown", why });

export type ProcessFacts = {
  readonly pid: number;
  readonly parent: number;
  /** Start of the process as the system counts it; opaque, compared for equality only. */
  readonly birth: string;
  /** Epoch ms, to about 20 ms on Linux, to the second elsewhere. */
  readonly startedAt?: number;
  /** Name of the executable, without folder. */
  readonly name: string;
  /** Whole arguments on Linux and Windows; on macOS split at white space, good enough to recognise a program. */
  readonly argv: readonly string[];
  /** Process group, and the group in front on its terminal; absent where the system has no such thing. */
  readonly group?: number;
  readonly foregroundGroup?: number;
  /** Controlling terminal, opaque; absent: none. */
  readonly tty?: string;
};

/** The only variables that are ever taken out of a process's environment; none of them is a secret. */
export const environmentNames = [
  "HOME",
  "USERPROFILE",
  "CLAUDE_CONFIG_DIR",
  "CODEX_HOME",
  "CLAUDE_CODE_DISABLE_1M_CONTEXT",
  "CLAUDE_CODE_MAX_CONTEXT_TOKENS",
  "CLAUDE_CODE_AUTO_COMPACT_WINDOW",
] as const;
export type EnvironmentName = (typeof environmentNames)[number];
export type Environment = { readonly [Name in EnvironmentName]?: string };

/** What costs more to ask, and is asked of agents only. */
export type ProcessDetails = {
  /** Belongs to the user we run as; nothing of another user's process is read. */
  readonly own: boolean;
  /** Lives in a pid namespace of its own: its pid is not the one its records name. */
  readonly foreignNamespace: boolean;
  readonly cwd?: string;
  readonly executable?: string;
  /** Absent: unreadable (another user, or a process that hides from its own user), which is not "empty". */
  readonly environment?: Environment;
};

export type Processes = {
  readonly platform: "linux" | "darwin" | "win32";
  /** The given processes and everything below them, parents first. Nothing below a process that `isLeaf` names. */
  readonly under: (
    roots: readonly number[],
    isLeaf: (process: ProcessFacts) => boolean,
  ) => Promise<Lookup<readonly ProcessFacts[]>>;
  readonly one: (pid: number) => Promise<Lookup<ProcessFacts>>;
  /** Every process that can be seen. Dear: for `plimsoll status` and to find a terminal multiplexer's server. */
  readonly all: () => Promise<Lookup<readonly ProcessFacts[]>>;
  readonly details: (pid: number) => Promise<Lookup<ProcessDetails>>;
  /** Names of the files directly in `folder` (a real path) that this process has open or holds a lock on. */
  readonly heldIn: (pid: number, folder: string) => Promise<Lookup<readonly string[]>>;
  /** Processes that hold a lock on each of these files; `unknown` where the system does not tell. */
  readonly lockersOf: (paths: readonly string[]) => Promise<Lookup<ReadonlyMap<string, readonly number[]>>>;
};
