import * as z from "zod";

/**
 * `<config>/sessions/<pid>.json`: what a running Claude says of itself. Made about 0.9 s after the start, gone when it
 * ends in order, left behind by SIGKILL: believed only when pid and birth are those of a live process.
 */
export type SessionRecord = {
  readonly pid: number;
  /** Start of the process as the system counts it: `/proc` ticks, `ps` text in UTC, or a Windows file time. */
  readonly birth?: string;
  readonly conversationId: string;
  readonly cwd: string;
  /** A person at a terminal: `kind` interactive and `entrypoint` cli. `claude -p` is interactive too, but sdk-cli. */
  readonly inTerminal: boolean;
  /** An editor's own panel runs it. */
  readonly inPanel: boolean;
  readonly version?: string;
  /** Name the person gave it; a derived one says nothing new. */
  readonly name?: string;
  readonly state?: "idle" | "busy" | "waiting" | "shell";
  readonly waitingFor?: string;
  /** Epoch ms of the last change of `state`. */
  readonly since?: number;
};

/** An id becomes part of a path: letters, digits and dashes only. */
const conversationId = z.string().regex(/^[0-9A-Za-z][0-9A-Za-z-]{7,63}$/);

const Raw = z.object({
  pid: z.number().int().positive(),
  sessionId: conversationId,
  cwd: z.string(),
  procStart: z.string().optional(),
  procStartFt: z.string().optional(),
  version: z.string().max(64).optional().catch(undefined),
  kind: z.string().optional(),
  entrypoint: z.string().optional(),
  name: z.string().max(200).optional().catch(undefined),
  nameSource: z.string().optional().catch(undefined),
  status: z.enum(["idle", "busy", "waiting", "shell"]).optional().catch(undefined),
  waitingFor: z.string().max(200).optional().catch(undefined),
  statusUpdatedAt: z.number().optional().catch(undefined),
});

/** The record in a session file, or what is wrong with it. Never the text itself. */
export function parseSessionRecord(text: string): SessionRecord | { readonly problem: string } {
  const parsed = Raw.safeParse(jsonOf(text));
  if (!parsed.success)
    return { problem: parsed.error.issues.map((issue) => issue.path.join(".") || "not JSON").join(", ") };
  const raw = parsed.data;
  const birth = raw.procStart ?? raw.procStartFt;
  const interactive = raw.kind === "interactive";
  return {
    pid: raw.pid,
    conversationId: raw.sessionId,
    cwd: raw.cwd,
    inTerminal: interactive && raw.entrypoint === "cli",
    inPanel: interactive && /^claude-/.test(raw.entrypoint ?? ""),
    ...(birth === undefined ? {} : { birth }),
    ...(raw.version === undefined ? {} : { version: raw.version }),
    ...(raw.name === undefined || raw.nameSource === "derived" ? {} : { name: raw.name }),
    ...(raw.status === undefined ? {} : { state: raw.status }),
    ...(raw.waitingFor === undefined ? {} : { waitingFor: raw.waitingFor }),
    ...(raw.statusUpdatedAt === undefined ? {} : { since: raw.statusUpdatedAt }),
  };
}

/** Name of the folder under `projects` for a real path. Not injective: two folders may share one. */
export function projectSlug(realCwd: string): string {
  const slug = realCwd.replace(/[^a-zA-Z0-9]/g, "-");
  if (slug.length <= 200) return slug;
  let hash = 0;
  for (let at = 0; at < realCwd.length; at++) hash = ((hash << 5) - hash + realCwd.charCodeAt(at)) | 0;
  return `${slug.slice(0, 200)}-${Math.abs(hash).toString(36)}`;
}

/** Subcommands that open no conversation. Taken only directly behind the program: later it may be an option's value. */
const errands = new Set(
  (
    "agents attach auth auto-mode config daemon doctor gateway install logs mcp plugin plugins project rm setup-token " +
    "stop update upgrade"
  ).split(" "),
);
const printing = new Set(["-p", "--print", "--bg", "--background", "-v", "--version", "-h", "--help"]);

/** Whether this command line is a Claude that holds a conversation with a person. */
export function isClaude(name: string, argv: readonly string[]): boolean {
  const args = claudeArguments(name, argv);
  if (args === undefined || errands.has(args[0] ?? "")) return false;
  const end = args.indexOf("--");
  return !(end < 0 ? args : args.slice(0, end)).some((arg) => printing.has(arg));
}

function claudeArguments(name: string, argv: readonly string[]): readonly string[] | undefined {
  const [program = "", script = ""] = argv;
  if (/(^|[\\/])claude(\.exe)?$/i.test(program) || /[\\/]claude[\\/]versions[\\/][^\\/]+$/.test(program))
    return argv.slice(1);
  const isInterpreter = /(^|[\\/])(node|bun|deno)(\.exe)?$/i.test(program);
  if (isInterpreter && /([\\/]claude-code[\\/]([^\\/]+[\\/])?(cli|claude)\.(c|m)?js|[\\/]claude)$/.test(script))
    return argv.slice(2);
  return name === "claude" && program === "" ? [] : undefined;
}

/** Version in the path of the program, as the native installer lays it out. */
export function versionInPath(path: string): string | undefined {
  return /[\\/]claude[\\/]versions[\\/](\d+\.\d+\.\d+[\w.-]*)$/.exec(path)?.[1];
}

const SubagentMeta = z.object({ agentType: z.string().max(100).catch("agent"), finished: z.boolean().optional() });

/** `agent-<id>.meta.json`: a sub-agent of a conversation. It is running while `finished` is not true. */
export function parseSubagent(text: string): { readonly name: string; readonly running: boolean } | undefined {
  const parsed = SubagentMeta.safeParse(jsonOf(text));
  return parsed.success ? { name: parsed.data.agentType, running: parsed.data.finished !== true } : undefined;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
