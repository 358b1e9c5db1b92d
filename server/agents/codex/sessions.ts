import * as z from "zod";

const threadId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Thread id of `thread-writer-locks/<id>.lock`. */
export function threadOfLock(fileName: string): string | undefined {
  const id = fileName.endsWith(".lock") ? fileName.slice(0, -".lock".length) : "";
  return threadId.test(id) ? id : undefined;
}

/** Thread id of `rollout-<local time>-<id>.jsonl`, packed ones included. */
export function threadOfRollout(fileName: string): string | undefined {
  const id = /^rollout-.*-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl(?:\.zst)?$/.exec(fileName)?.[1];
  return id;
}

/**
 * Day folders under `sessions` where a thread of this time can lie. They are named in the agent's own local zone, which
 * is nowhere on disk, so the day before and the day after are looked at too.
 */
export function dayFolders(at: number): readonly string[] {
  return [0, -1, 1].map((days) => {
    const [year, month, day] = new Date(at + days * 86_400_000).toISOString().slice(0, 10).split("-");
    return `${year}/${month}/${day}`;
  });
}

/**
 * The id in a terminal title. With `tui.terminal_title = ["thread-id", …]` Codex shows its first 29 characters and `...`
 * (measured); more is taken where more stands there.
 */
export function titleIdOf(title: string): string | undefined {
  return /(?:^|[\s|])([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{5,12})(?:\.\.\.|…|[\s|]|$)/.exec(
    title,
  )?.[1];
}

export type RolloutHead = {
  readonly conversationId: string;
  readonly cwd?: string;
  readonly version?: string;
  /** Made by the agent for itself, not by the person. */
  readonly subagent: boolean;
};

const Head = z.object({
  type: z.literal("session_meta"),
  payload: z.object({
    id: z.string().regex(threadId),
    cwd: z.string().optional().catch(undefined),
    cli_version: z.string().max(64).optional().catch(undefined),
    source: z.unknown().optional(),
    thread_source: z.unknown().optional(),
  }),
});

/** The first line of a rollout. */
export function parseRolloutHead(line: string): RolloutHead | undefined {
  const parsed = Head.safeParse(jsonOf(line));
  if (!parsed.success) return undefined;
  const { id, cwd, cli_version, source, thread_source } = parsed.data.payload;
  return {
    conversationId: id,
    subagent: mentionsSubagent(source) || mentionsSubagent(thread_source),
    ...(cwd === undefined ? {} : { cwd }),
    ...(cli_version === undefined ? {} : { version: cli_version }),
  };
}

const mentionsSubagent = (source: unknown): boolean => /sub_?agent/i.test(JSON.stringify(source ?? ""));

export type CodexCommand =
  /** The node script in front of the program itself. */
  | { readonly kind: "launcher" }
  | {
      readonly kind: "terminal";
      /** Arguments that keep Codex off its shared background daemon (measured: `--no-daemon`, any `-c`, `--search`). */
      readonly embedded: boolean;
      /** Talks to a server elsewhere: nothing of it is on this machine. */
      readonly remote: boolean;
      /** Started on an earlier conversation: no new lock need have been born with it. */
      readonly continues: boolean;
      readonly resumes?: string;
      /** `-C`: where the agent works, when not in the folder of its process. */
      readonly folder?: string;
    };

const withValue = new Set(
  (
    "-c --config -m --model -i --image -p --profile -s --sandbox -a --ask-for-approval -C --cd --add-dir --enable --disable " +
    "--remote --remote-auth-token-env --local-provider"
  ).split(" "),
);
const errands = new Set(
  (
    "agents exec e review login logout mcp mcp-server plugin app-server remote-control completion update doctor sandbox debug " +
    "apply a queue archive delete migrate-rollouts migrate-nfs-db unarchive cloud exec-server features help proto"
  ).split(" "),
);

/** What this command line is to Codex; undefined: no conversation with a person in a terminal. */
export function recogniseCodex(argv: readonly string[]): CodexCommand | undefined {
  const [program = "", script = ""] = argv;
  if (argv.includes("app-server")) return undefined;
  if (/(^|[\\/])(node|bun|deno)(\.exe)?$/i.test(program)) {
    return /[\\/]codex(\.js)?$/.test(script) ? { kind: "launcher" } : undefined;
  }
  if (!/(^|[\\/])codex(-(x86_64|aarch64)-[\w-]+)?(\.exe)?$/i.test(program)) return undefined;
  return terminalCommand(argv.slice(1));
}

function terminalCommand(args: readonly string[]): CodexCommand | undefined {
  const positional: string[] = [];
  const given = new Map<string, string>();
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    const [option = "", glued] = splitOption(arg);
    if (arg === "--") {
      positional.push(...args.slice(at + 1));
      break;
    }
    if (!arg.startsWith("-")) positional.push(arg);
    else if (glued !== undefined) given.set(option, glued);
    else given.set(option, withValue.has(option) ? (args[++at] ?? "") : "");
  }
  const has = (...names: readonly string[]) => names.some((name) => given.has(name));
  const [command = "", target] = positional;
  if (errands.has(command) || has("-h", "--help", "-V", "--version")) return undefined;
  const continues = command === "resume" || command === "fork";
  const folder = given.get("-C") ?? given.get("--cd");
  return {
    kind: "terminal",
    embedded: has("--no-daemon", "-c", "--config", "--search"),
    remote: has("--remote"),
    continues,
    ...(command === "resume" && target !== undefined && threadId.test(target) ? { resumes: target } : {}),
    ...(folder === undefined ? {} : { folder }),
  };
}

function splitOption(arg: string): readonly [string, string?] {
  const long = /^(--[^=]+)=(.*)$/s.exec(arg);
  if (long?.[1] !== undefined) return [long[1], long[2] ?? ""];
  const short = /^(-[a-zA-Z])(.+)$/s.exec(arg);
  return short?.[1] !== undefined && withValue.has(short[1]) ? [short[1], short[2] ?? ""] : [arg];
}

/** Version in the path of the program (a package manager's cellar or a versioned folder). */
export function versionInPath(path: string): string | undefined {
  return /[\\/]codex[^\\/]*[\\/](\d+\.\d+\.\d+[\w.-]*)[\\/]/i.exec(path)?.[1];
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
