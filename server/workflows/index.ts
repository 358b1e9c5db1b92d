import type * as z from "zod";
import { snapshot } from "./snapshot.ts";
import { stateFile } from "./stateFile.ts";
import { stow } from "./stow.ts";
import { Definition, type Workflow, WorkflowId } from "./workflow.ts";

/** Every workflow that is built in: one file and one line each. The first is the default. */
export const workflows: readonly Workflow[] = [stateFile, snapshot, stow];

/** At most this many workflows of the person's own. */
const maxDefinitions = 32;

/**
 * The setting `plimsoll.workflows` (machine-scoped: a repository cannot set it), an object of name to definition. A bad
 * row is left out and gives a sentence; the others stand.
 */
export function parseWorkflows(setting: unknown): {
  readonly workflows: readonly Workflow[];
  readonly problems: readonly string[];
} {
  if (setting === undefined || setting === null) return { workflows: [], problems: [] };
  if (typeof setting !== "object" || Array.isArray(setting))
    return { workflows: [], problems: ["plimsoll.workflows must be an object of names and workflows."] };
  const rows = Object.entries(setting);
  if (rows.length > maxDefinitions)
    return { workflows: [], problems: [`plimsoll.workflows has more than ${maxDefinitions} workflows.`] };
  const parsed = rows.map(([name, row]) => parseRow(name, row));
  return {
    workflows: parsed.flatMap((row) => (typeof row === "string" ? [] : [row])),
    problems: parsed.flatMap((row) => (typeof row === "string" ? [row] : [])),
  };
}

/** One workflow, or the sentence that says what is wrong with it. */
function parseRow(name: string, row: unknown): Workflow | string {
  const label = `Workflow "${plain(name.slice(0, 40))}" in plimsoll.workflows`;
  const id = WorkflowId.safeParse(name);
  if (!id.success) return `${label}: its name ${firstProblem(id.error)}.`;
  if (workflows.some((builtIn) => builtIn.id === name)) return `${label} is built in; choose another name.`;
  const definition = Definition.safeParse(row);
  if (!definition.success) return `${label}: ${firstProblem(definition.error)}.`;
  return needsTask({ ...definition.data, id: name, title: definition.data.title ?? name }, label);
}

/** A task's id is known only where a snapshot names it. */
function needsTask(workflow: Workflow, label: string): Workflow | string {
  const { save, brief } = workflow;
  if (brief.kind === "command" && brief.argument === "taskId" && save.kind !== "snapshot")
    return `${label}: brief.argument taskId needs a save of kind snapshot, which names the task.`;
  return workflow;
}

function firstProblem({ issues }: z.ZodError): string {
  const issue = issues[0];
  const parts = issue === undefined ? ["is not right"] : [issue.path.join("."), issue.message];
  return plain(parts.filter((part) => part !== "").join(" "));
}

/** A name somebody typed stays inside its sentence. */
const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "?");

export type FoundWorkflow =
  | { readonly kind: "workflow"; readonly workflow: Workflow }
  | { readonly kind: "problem"; readonly problem: string };

/** The workflow of a name (undefined: the default), built in or from the person's own definitions. */
export function workflowFor(name: string | undefined, definitions: unknown): FoundWorkflow {
  const own = parseWorkflows(definitions);
  const id = name ?? stateFile.id;
  const workflow = [...workflows, ...own.workflows].find((candidate) => candidate.id === id);
  if (workflow !== undefined) return { kind: "workflow", workflow };
  const shown = plain(id.slice(0, 40));
  const why = own.problems.find((problem) => problem.startsWith(`Workflow "${shown}"`));
  return { kind: "problem", problem: why ?? `there is no workflow named "${shown}"` };
}
