import { join } from "node:path";
import { type ClaudeSettings, claudeEnvironment } from "../../agents/claude/settings.ts";
import { adapters } from "../../agents/registry.ts";
import type { Conversation } from "../../core/conversation.ts";
import { conversationOf, type FoldView } from "../../core/fold.ts";
import { inheritHuman, isTyped, type TypedEntry } from "../../core/humanPrompts.ts";
import type { Found } from "./measureFiles.ts";
import { predecessorOf } from "./measurePredecessor.ts";
import type { AgentSettings, AgentSettingsReader } from "./measureSettings.ts";
import { createTail, type TailState } from "./tail.ts";

export type MeasureOptions = {
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly typed: readonly TypedEntry[];
  /** Present time, epoch ms; without it no turn is called stalled. */
  readonly now?: number | undefined;
  readonly settings: AgentSettingsReader;
};

export type Measured =
  | { readonly kind: "measured"; readonly conversation: Conversation; readonly settings: AgentSettings }
  | { readonly kind: "gone" }
  | { readonly kind: "failed"; readonly problem: string };

/** Clears followed back in search of the person's last prompt. */
const clearsMost = 8;

/** One transcript, read once. */
export async function measureFile(found: Found, options: MeasureOptions): Promise<Measured> {
  const { agent, path, root } = found;
  const result = await createTail({
    adapter: adapters[agent],
    path,
    root,
    isOurs: (prompt) => isTyped(options.typed, prompt),
  }).read();
  switch (result.kind) {
    case "read":
      return { kind: "measured", ...(await judgeState(found, result.state, options)) };
    case "gone":
    case "failed":
      return result;
    case "unchanged":
      return { kind: "failed", problem: "it cannot be read" };
  }
}

type Judged = { readonly conversation: Conversation; readonly settings: AgentSettings };

/** What a reading means under the settings of its agent; a cleared conversation inherits the person's last prompt. */
export async function judgeState(found: Found, state: TailState, options: MeasureOptions): Promise<Judged> {
  const view: FoldView = {
    ...(options.now === undefined ? {} : { now: options.now }),
    typed: options.typed,
    humanSearchComplete: state.isWhole,
    records: state.records,
    badLines: state.badLines,
  };
  const plain = conversationOf(state.fold, view);
  const settings = await settingsOf(found, plain.cwd, options);
  const conversation = conversationOf(state.fold, { ...view, windowSettings: settings.window });
  const conversationId = adapters[found.agent].conversationIdOf(found.path) ?? conversation.conversationId;
  const named = conversationId === undefined ? conversation : { ...conversation, conversationId };
  return { conversation: await inherited(found, named, options, clearsMost), settings };
}

async function settingsOf(found: Found, cwd: string | undefined, options: MeasureOptions): Promise<AgentSettings> {
  const { agent, configDir } = found;
  const named = options.environment[agent === "claude" ? "CLAUDE_CONFIG_DIR" : "CODEX_HOME"];
  const folder = configDir ?? (named || join(options.home, agent === "claude" ? ".claude" : ".codex"));
  const environment: ClaudeSettings = agent === "claude" ? claudeEnvironment(options.environment) : {};
  return options.settings(agent, folder, environment, cwd);
}

async function inherited(
  found: Found,
  child: Conversation,
  options: MeasureOptions,
  left: number,
): Promise<Conversation> {
  if (child.lastHuman.kind !== "none" || left === 0) return child;
  const path = await predecessorOf(found.path, child);
  if (path === undefined) return child;
  const tail = createTail({ adapter: adapters[found.agent], path, root: found.root });
  const result = await tail.read();
  if (result.kind !== "read") return child;
  const { state } = result;
  const parent = conversationOf(state.fold, { typed: options.typed, humanSearchComplete: state.isWhole });
  const older = await inherited({ ...found, path }, parent, options, left - 1);
  return { ...child, lastHuman: inheritHuman(child.lastHuman, older.lastHuman) };
}
