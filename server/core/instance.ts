import type { AgentId } from "../protocol/agents.ts";

/**
 * How we know which conversation an agent process is in, strongest first (DESIGN §5).
 * `process`: the process's own record or lock on disk names it. `title`: the id stands in this terminal's own live title.
 * `birth`: the only lock born with this process. `picked`: the person said so. `ambiguous`: more than one candidate, or
 * two processes on one conversation. `none`: nothing names one.
 */
export type BindingGrade = "process" | "title" | "birth" | "picked" | "ambiguous" | "none";

/** One agent process. terminal + pid + birth are its identity (incarnation). */
export type Instance = {
  /** `<agent>-<pid>-<birth>`: never the same for two incarnations. */
  readonly instanceId: string;
  readonly agent: AgentId;
  readonly pid: number;
  /** Start of the process as the system counts it; opaque, compared for equality only. */
  readonly birth: string;
  readonly startedAt?: number;
  /** Terminal of this window whose shell is an ancestor; absent: it runs elsewhere on this machine. */
  readonly terminalId?: string;
  readonly place: "terminal" | "multiplexer" | "panel" | "elsewhere";
  /** The process group of the agent is the foreground group of its terminal. */
  readonly foreground: boolean;
  readonly cwd?: string;
  /** Config folder: `CLAUDE_CONFIG_DIR` or `~/.claude`; `CODEX_HOME` or `~/.codex`, of that process. Real path. */
  readonly configDir?: string;
  readonly conversationId?: string;
  /** Absolute path of the transcript; absent while none was written. */
  readonly transcript?: string;
  readonly binding: BindingGrade;
  /** Conversations it may be in where the binding is `ambiguous` or `none`. */
  readonly candidates: readonly string[];
  /** What the agent itself says of its state outside the transcript. */
  readonly reported?: ReportedState;
  readonly version?: string;
  /** Name the person gave the session (Claude). Codex names one after its first prompt, which is nobody's to show. */
  readonly sessionName?: string;
  /** Codex talks to its shared background daemon. */
  readonly daemon: boolean;
  /** Variables of that process which change a window's size; ids and numbers only. */
  readonly windowEnv: {
    readonly disable1m: boolean;
    readonly maxContextTokens?: number;
    /** Claude compacts by itself short of this size. */
    readonly autoCompactWindow?: number;
  };
};

export type ReportedState = {
  readonly state: "idle" | "busy" | "waiting" | "shell";
  readonly waitingFor?: string;
  readonly since?: number;
};

/** The agent an instance id speaks of: ids outlive their processes, in journals. */
export const agentOf = (instanceId: string): AgentId => (instanceId.startsWith("codex-") ? "codex" : "claude");

/** The process an instance id speaks of. */
export function processOf(instanceId: string): { readonly pid: number; readonly birth: string } {
  const [, pid = "0", ...birth] = instanceId.split("-");
  return { pid: Number(pid), birth: birth.join("-") };
}
