import type { AgentView } from "../../server/protocol/view.ts";
import { plain, unslanted } from "./plain.ts";

/** Whether it can write its saved state as things stand; where nobody knows, it is tried. */
export const canSave = ({ saving }: AgentView): boolean => saving.kind !== "impossible";

/** A clear is the only thing left, and nothing can be saved before it. */
export const isTooFull = ({ saving }: AgentView): boolean => saving.kind === "too-full";

export const withoutSave = "Clear Without a Save";

/** Whether the one rule helps that lets it write without asking. */
export const canAllow = ({ agent, saving }: AgentView): boolean => agent === "claude" && saving.kind === "asks";

/** What there is to say about its saving before a click, as sentences. */
export function savingWords({ saving }: AgentView): readonly string[] {
  switch (saving.kind) {
    case "free":
    case "unknown":
      return [];
    case "asks":
      return ["It will ask you there to allow writing one file."];
    case "too-full":
      return ["The conversation no longer fits, so it can save nothing any more: it is cleared without a save."];
    case "impossible":
      return [`It can't save now: ${ended(unslanted(saving.why, 200))}`, ended(unslanted(saving.remedy, 300))];
  }
}

export const workflowWords = ({ workflow }: AgentView): readonly string[] =>
  workflow === undefined ? [] : [`This folder asks for the workflow “${plain(workflow, 40)}”.`];

const ended = (words: string): string => (/[.!?]$/u.test(words) ? words : `${words}.`);

export const allowWords = {
  ask: (name: string) => `Let the agent of ${name} write its saved state without asking?`,
  detail:
    "This adds one rule to .claude/settings.local.json in its folder:\n\n    Edit(.plimsoll/**)\n\nIt counts at once, for every Claude Code in that folder, and for nothing but the folder .plimsoll.",
  button: "Allow Always",
  done: (name: string) => `${name} saves without asking from now on.`,
  notDone: (name: string, reason: string) =>
    `${name}: the rule was not added. ${ended(reason || "It is not known why")}`,
  claudeOnly: "Only Claude Code has such a rule. In Codex choose other permissions with /permissions.",
};
