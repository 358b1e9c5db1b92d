import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { ensureAgents } from "./ensureAgents.ts";
import { makeSandbox, type Sandbox, writeLauncher } from "./sandbox.ts";

export type ClaudeSandbox = Sandbox & {
  /** CLAUDE_CONFIG_DIR: settings, sessions and transcripts. */
  readonly config: string;
  /** The transcripts of the project are in here, one per session. */
  readonly transcripts: string;
};

export type AgentOptions = {
  readonly dir: string;
  /** Where the fake model answers. */
  readonly api: { readonly port: number };
  /** More variables for the agent. */
  readonly env?: Readonly<Record<string, string>>;
};

export type ClaudeOptions = AgentOptions & {
  /** Rules of what it may do in the project without asking, as `Edit(docs/**)`. */
  readonly allow?: readonly string[];
};

const KEY = "sk-ant-fake-000000000000000000000000";

/** Claude Code past its first-run questions, trusting the project folder. */
export async function prepareClaude(options: ClaudeOptions): Promise<ClaudeSandbox> {
  const { claude } = await ensureAgents();
  const sandbox = await makeSandbox(options.dir);
  const config = path.join(sandbox.home, ".claude");
  await mkdir(config, { recursive: true });
  const seed = {
    hasCompletedOnboarding: true,
    theme: "dark",
    customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
    projects: { [sandbox.project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  };
  await writeFile(path.join(config, ".claude.json"), JSON.stringify(seed));
  await writeFile(path.join(config, "settings.json"), "{}");
  if (options.allow !== undefined) {
    await mkdir(path.join(sandbox.project, ".claude"), { recursive: true });
    const settings = { permissions: { allow: options.allow } };
    await writeFile(path.join(sandbox.project, ".claude/settings.local.json"), JSON.stringify(settings));
  }
  await writeLauncher(sandbox, "claude", [claude], {
    CLAUDE_CONFIG_DIR: config,
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${options.api.port}`,
    ANTHROPIC_API_KEY: KEY,
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    ...options.env,
  });
  const transcripts = path.join(config, "projects", sandbox.project.replaceAll(/[^a-zA-Z0-9]/g, "-"));
  return { ...sandbox, config, transcripts };
}
