import { mkdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { descendants, endProcess, runningFrom } from "../support/processes.ts";
import type { AgentOptions } from "./claude.ts";
import { ensureAgents } from "./ensureAgents.ts";
import { makeSandbox, type Sandbox, writeLauncher } from "./sandbox.ts";

export type CodexSandbox = Sandbox & {
  /** CODEX_HOME: configuration, threads and rollouts. */
  readonly config: string;
  readonly daemonPid: () => Promise<number | undefined>;
  /** Ends the background daemon, which outlives every terminal. */
  readonly stop: () => Promise<void>;
};

export type CodexOptions = AgentOptions & {
  /** False: every `codex` runs with `--no-daemon`. True, the default: as Codex itself decides. */
  readonly daemon?: boolean;
  /** More tables for config.toml. */
  readonly toml?: string;
};

/** Codex with a fake provider, trusting the project folder. */
export async function prepareCodex(options: CodexOptions): Promise<CodexSandbox> {
  const { codexLauncher } = await ensureAgents();
  const sandbox = await makeSandbox(options.dir);
  const config = path.join(sandbox.home, ".codex");
  await mkdir(config, { recursive: true });
  await writeFile(path.join(config, "config.toml"), settings(sandbox.project, options.api.port) + (options.toml ?? ""));
  const command = [process.execPath, codexLauncher, ...(options.daemon === false ? ["--no-daemon"] : [])];
  await writeLauncher(sandbox, "codex", command, { CODEX_HOME: config, FAKE_KEY: "fake", ...options.env });
  const daemonPid = () => readDaemonPid(path.join(config, "app-server-daemon/daemon.pid"));
  const stop = async () => {
    const pid = await daemonPid();
    // Its socket lies in a folder shared by all daemons of this user.
    const socket = await realpath(path.join(config, "app-server-control/app-server-control.sock")).catch(
      () => undefined,
    );
    // Beside the daemon a small process looks for updates; both lost their parent long ago.
    const family = new Set([...(pid === undefined ? [] : [pid, ...descendants(pid)]), ...runningFrom(config)]);
    await Promise.all([...family].map((member) => endProcess(member)));
    if (socket) await rm(socket, { force: true });
  };
  return { ...sandbox, config, daemonPid, stop };
}

function settings(project: string, port: number): string {
  return `model = "gpt-fake"
model_provider = "fake"
model_context_window = 272000
approval_policy = "on-request"
sandbox_mode = "workspace-write"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.fake]
name = "fake"
base_url = "http://127.0.0.1:${port}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
request_max_retries = 0
stream_max_retries = 0

[projects."${project}"]
trust_level = "trusted"
`;
}

async function readDaemonPid(file: string): Promise<number | undefined> {
  try {
    const record: unknown = JSON.parse(await readFile(file, "utf8"));
    return z.object({ pid: z.number().int().positive() }).parse(record).pid;
  } catch {
    return undefined;
  }
}
