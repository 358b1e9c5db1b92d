/** Where a command writes, and what it sees of the process. Injected, so that a test can run one. */
export type Console = {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The person's home folder. */
  readonly home: string;
  /** Settles when the person or the reader of our output ends the command. */
  readonly ended: Promise<void>;
};

/** Exit codes: 0 done, 1 there was nothing, 2 it could not be done as asked. */
export type ExitCode = 0 | 1 | 2;

export type Command = {
  readonly name: string;
  /** One line of the overview. */
  readonly summary: string;
  readonly run: (args: readonly string[], console: Console) => Promise<ExitCode>;
};
