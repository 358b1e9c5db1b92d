import path from "node:path";
import { ensureInstalled } from "../support/pinned.ts";

export type Agents = {
  /** The program itself; the package's own install script would only link it. */
  readonly claude: string;
  /** Codex's launcher, a Node program that starts the native one, as for a person who installed it with npm. */
  readonly codexLauncher: string;
};

export async function ensureAgents(): Promise<Agents> {
  const root = await ensureInstalled({ name: "agents", manifest: import.meta.dirname, recipe: "" });
  const modules = path.join(root, "node_modules");
  return {
    claude: path.join(modules, `@anthropic-ai/claude-code-${process.platform}-${process.arch}`, "claude"),
    codexLauncher: path.join(modules, "@openai/codex/bin/codex.js"),
  };
}
