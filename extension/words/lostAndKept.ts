import type { AgentId } from "../../server/protocol/agents.ts";
import type { AgentView } from "../../server/protocol/view.ts";
import { count, list } from "./amounts.ts";
import { productOf } from "./fullness.ts";

type Measured = {
  /** The version it was measured with. */
  readonly version: string;
  readonly lost: readonly string[];
  readonly kept: readonly string[];
  readonly besides: readonly string[];
};

/** What `/clear` takes out of the window and what it leaves, as it was measured (the README has the same table). */
const lostAndKept: Readonly<Record<AgentId, Measured>> = {
  claude: {
    version: "2.1.332",
    lost: ["the conversation", "the terminal's scrollback", "the rewind points"],
    kept: ["files", "the permission mode", "the model"],
    besides: ["The task list is shown on, but belongs to the old conversation."],
  },
  codex: {
    version: "0.171.0",
    lost: ["the conversation", "the terminal's scrollback", "plan mode"],
    kept: ["files", "the permissions chosen", "the model"],
    besides: [],
  },
};

/** Two sentences, for the question. */
export function lostAndKeptShort(agent: AgentView): string {
  const { lost, kept } = lostAndKept[agent.agent];
  return `Lost from the window: ${list(lost)}. Kept: ${list([...kept, ...shellsOf(agent)])}.`;
}

/** All of it, for the dialog; of another version than the measured one it is said. */
export function lostAndKeptLong(agent: AgentView): string {
  const { version, lost, kept, besides } = lostAndKept[agent.agent];
  return [
    `/clear starts a new conversation. Lost from the window: ${list(lost)}.`,
    ...besides,
    `Kept: ${list([...kept, ...shellsOf(agent)])}.`,
    ...(agent.version === version ? [] : [`(Measured with ${productOf(agent)} ${version}.)`]),
  ].join(" ");
}

const shellsOf = ({ backgroundShells }: AgentView): readonly string[] =>
  backgroundShells === 0 ? [] : [`${count(backgroundShells, "background command")} running on`];

/** Of those that keep running, as a sentence of its own. */
export const shellsRunOn = ({ backgroundShells }: AgentView): readonly string[] =>
  backgroundShells === 0
    ? []
    : [`${count(backgroundShells, "background command")} ${backgroundShells === 1 ? "keeps" : "keep"} running.`];
