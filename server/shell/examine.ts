import { join } from "node:path";
import { resolveLines } from "../core/pressure.ts";
import type { AgentId } from "../protocol/agents.ts";
import { locksOf } from "./discovery/discoverLocks.ts";
import { knownRoots } from "./discovery/roots.ts";
import { names } from "./files.ts";
import { createMachine, type MachineOptions, type Measured } from "./machine.ts";
import { plain } from "./plain.ts";
import type { Lookup } from "./processes/process.ts";

/** The report, as Markdown. It holds paths, versions, counts and ids; never what was said in a conversation. */
export async function examine(options: MachineOptions): Promise<{ markdown: string; isAnyFound: boolean }> {
  const agents = await createMachine(options)();
  const found = agents.kind === "known" ? agents.value : [];
  const roots = [...(await rootsOf("claude", options, found)), ...(await rootsOf("codex", options, found))];
  const sections = [
    section("This machine", machineLines(options, agents)),
    section("Config folders", roots.map(rootLine)),
    section("Running agents", found.length === 0 ? ["none"] : found.map(agentLine)),
    section("What to do", adviceFor(options, roots, found)),
  ];
  return {
    markdown: `${sections.join("\n")}`,
    isAnyFound: found.length > 0 || roots.some((root) => root.conversations.kind === "known"),
  };
}

type Root = {
  readonly agent: AgentId;
  readonly path: string;
  /** Names in the folder that holds its conversations. */
  readonly conversations: Lookup<readonly string[]>;
  /** Names in the folder that tells of its live sessions. */
  readonly live: Lookup<readonly string[]>;
};

async function rootsOf(agent: AgentId, options: MachineOptions, agents: readonly Measured[]): Promise<readonly Root[]> {
  const inUse = agents.flatMap(({ instance }) => (instance.agent === agent ? (instance.configDir ?? []) : []));
  const paths = new Set([...(await knownRoots(agent, options, options.environment)), ...inUse]);
  return Promise.all(
    [...paths].map(async (path) => ({
      agent,
      path,
      conversations: await names(join(path, agent === "claude" ? "projects" : "sessions")),
      live: await names(agent === "claude" ? join(path, "sessions") : locksOf(path)),
    })),
  );
}

const section = (title: string, lines: readonly string[]): string =>
  `## ${title}\n\n${lines.map((line) => `- ${line}`).join("\n")}\n`;

function machineLines(
  { processes, environment }: MachineOptions,
  agents: Lookup<readonly Measured[]>,
): readonly string[] {
  const lines = resolveLines({}, environment);
  const { tokens, percent } = lines.kind === "lines" ? lines.lines : {};
  return [
    `platform: ${processes?.platform ?? process.platform}, Node ${process.versions.node}`,
    agents.kind === "known"
      ? "processes: readable"
      : `processes: not readable (${agents.kind === "unknown" ? agents.why : "gone"})`,
    lines.kind === "problem"
      ? `lines: ${lines.problem}`
      : `lines: ${tokens?.soft ?? "no"} and ${tokens?.hard ?? "no"} tokens, ${percent?.soft} and ${percent?.hard} %`,
  ];
}

function rootLine({ agent, path, conversations, live }: Root): string {
  if (conversations.kind === "gone" && live.kind === "gone") return `${agent}: ${shown(path)}: not there`;
  const failed = [conversations, live].find((lookup) => lookup.kind === "unknown");
  return `${agent}: ${shown(path)}: ${failed?.kind === "unknown" ? `not readable (${failed.why})` : "readable"}`;
}

function agentLine({ name, instance, conversation, state, problem }: Measured): string {
  const { agent, pid, version, binding, place, daemon } = instance;
  const window = conversation?.window;
  const parts = [
    `${agent} ${version ?? "of unknown version"}, process ${pid}, ${place}${daemon ? ", through its daemon" : ""}`,
    `conversation ${binding === "none" || binding === "ambiguous" ? "not known" : `known by ${binding}`}`,
    window === undefined ? "window size not known" : `window ${window.size} (${window.basis})`,
    `${state}${conversation === undefined ? "" : `, ${conversation.records} records, ${conversation.badLines} bad lines`}`,
    ...(problem === undefined ? [] : [problem]),
  ];
  return `${shown(name)}: ${parts.join("; ")}`;
}

function adviceFor(
  { processes, environment }: MachineOptions,
  roots: readonly Root[],
  agents: readonly Measured[],
): readonly string[] {
  const isUnreadable = roots.some(({ conversations, live }) =>
    [conversations, live].some(({ kind }) => kind === "unknown"),
  );
  const isBlind = agents.some(
    ({ instance }) => instance.daemon && (instance.binding === "none" || instance.binding === "ambiguous"),
  );
  const advice: readonly (readonly [boolean, string])[] = [
    [processes === undefined, "This system is not supported: agents are not found here."],
    [
      processes?.platform === "win32",
      "On Windows a Codex process cannot be tied to its conversation: pick it by hand.",
    ],
    [
      isUnreadable,
      "A config folder cannot be read: give yourself the right to read it, or remove it from the settings.",
    ],
    [
      isBlind,
      'Codex shares one daemon between its terminals. To tell them apart add `terminal_title = ["thread-id", "run-state"]` under `[tui]` in its config.toml; it counts for terminals opened afterwards.',
    ],
    [
      agents.some(({ instance }) => instance.agent === "claude" && instance.binding === "ambiguous"),
      "Two Claude processes write one conversation: end one of them.",
    ],
    [
      agents.some(({ conversation }) => (conversation?.badLines ?? 0) > 0),
      "Some transcript lines could not be read. The reading is still the last good one; report it if the agent was just updated.",
    ],
    [
      agents.some(({ conversation }) => conversation?.reading.kind === "measured" && conversation.window === undefined),
      "A window size is not known: set plimsoll.windowTokens for that model, or only the token line counts.",
    ],
    [
      resolveLines({}, environment).kind === "problem",
      "The lines in the environment cannot be used; correct them as said above.",
    ],
  ];
  const due = advice.flatMap(([isDue, sentence]) => (isDue ? [sentence] : []));
  return due.length === 0 ? ["nothing"] : due;
}

/** Names and paths come from disk: they are shown as they are, never as Markdown. */
const shown = (text: string): string => `\`${plain(text).replaceAll("`", "'")}\``;
