import { join } from "node:path";
import { type ClaudeSettings, parseClaudeSettings } from "../../agents/claude/settings.ts";
import { parseCompactLimit } from "../../agents/codex/settings.ts";
import type { CompactionSettings } from "../../core/pressure.ts";
import type { WindowSettings } from "../../core/window.ts";
import type { AgentId } from "../../protocol/agents.ts";
import { bytesOf, fileFacts, ifKnown } from "../files.ts";

/** What an agent's own settings say of its window and of when it compacts by itself. */
export type AgentSettings = { readonly window: WindowSettings; readonly compaction: CompactionSettings };

export type AgentSettingsReader = (
  agent: AgentId,
  configDir: string,
  /** Of the agent's process: goes before the files. */
  environment: ClaudeSettings,
  /** Folder of the conversation, whose own settings go before the person's. */
  cwd?: string,
) => Promise<AgentSettings>;

/** No settings file is longer, bytes. */
const fileMost = 256 * 1024;

/** A file is not looked at again within this time, ms: many conversations share it. */
const freshMs = 500;

type Known = { readonly stamp: string; readonly text: string; readonly lookedAt: number };

/** Reads settings files of config folders; a file that did not change is not read again. */
export function createAgentSettings(): AgentSettingsReader {
  const files = new Map<string, Known>();

  async function textOf(path: string): Promise<string> {
    const known = files.get(path);
    const lookedAt = Date.now();
    if (known !== undefined && lookedAt - known.lookedAt < freshMs) return known.text;
    const facts = ifKnown(await fileFacts(path));
    const stamp = facts === undefined ? "" : `${facts.size} ${facts.writtenAt}`;
    const text = facts === undefined ? "" : known?.stamp === stamp ? known.text : await read(path);
    files.set(path, { stamp, text, lookedAt });
    return text;
  }

  return async (agent, configDir, environment, cwd) => {
    if (agent === "codex") {
      const limit = parseCompactLimit(await textOf(join(configDir, "config.toml")));
      return { window: {}, compaction: limit === undefined ? {} : { codexLimit: limit } };
    }
    const project =
      cwd === undefined ? [] : [join(cwd, ".claude", "settings.json"), join(cwd, ".claude", "settings.local.json")];
    let merged: ClaudeSettings = {};
    for (const path of [join(configDir, "settings.json"), ...project])
      merged = { ...merged, ...parseClaudeSettings(await textOf(path)) };
    const { autoCompactWindow, ...window } = { ...merged, ...environment };
    return { window, compaction: autoCompactWindow === undefined ? {} : { claudeWindow: autoCompactWindow } };
  };
}

const read = async (path: string): Promise<string> => ifKnown(await bytesOf(path, fileMost))?.toString("utf8") ?? "";
