import * as z from "zod";

/** Id of a task, as trackers write it. Strict, because it is typed behind a command (DESIGN §8.2). */
export const taskIdPattern = /^[A-Z]+-[0-9]{1,10}$/;

const forbidden = new Set(["clear", "compact", "exit", "quit", "new", "reset", "resume", "rewind", "undo", "logout"]);

/** A slash command, with its slash. Never one that would drop the conversation which is to be saved. */
const Command = z
  .string()
  .regex(/^\/[a-z][a-z0-9:_-]{0,60}$/, "must be a slash command in small letters, such as /stow")
  .refine(
    (command) => !forbidden.has(command.slice(1)),
    "must not be a command that clears or leaves the conversation",
  );

/** Relative, inside the agent's folder; `{taskId}` at most once, in its last part. */
const RelativePath = z
  .string()
  .min(1)
  .max(300)
  .refine(isInside, "must be a relative path inside the agent's folder, with {taskId} at most once, in its file name");

function isInside(path: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a path may hold none.
  if (/[\\\u0000-\u001f\u007f]/.test(path) || /^[A-Za-z]:/.test(path) || path.startsWith("/")) return false;
  const parts = path.split("/");
  if (parts.some((part) => part === "" || part === "." || part === "..")) return false;
  const holes = path.split("{taskId}").length - 1;
  return holes === 0 || (holes === 1 && (parts.at(-1) ?? "").includes("{taskId}"));
}

/** How the agent's knowledge reaches disk. */
const Save = z.discriminatedUnion("kind", [
  /** It is asked to write one file. */
  z.strictObject({ kind: z.literal("state-file") }),
  /** The workflow keeps a file of its own after each stage: that one is checked and bound, nothing is asked (R102). */
  z.strictObject({
    kind: z.literal("snapshot"),
    path: RelativePath,
    /** The task's own description, which must be there too. */
    description: RelativePath.exactOptional(),
    /** Stages that are known; a list, so that nothing in a setting is run as a pattern. */
    stages: z
      .array(z.string().regex(/^[a-z][a-z0-9-]{0,30}$/))
      .min(1)
      .max(64),
  }),
  /** The agent has a command of its own that saves; a short file proves it afterwards. */
  z.strictObject({ kind: z.literal("command"), command: Command }),
]);

const BriefStyle = z.discriminatedUnion("kind", [
  /** One line that names the brief. */
  z.strictObject({ kind: z.literal("pointer") }),
  /** The workflow's own command goes on; `argument`: the task's id behind it. */
  z.strictObject({ kind: z.literal("command"), command: Command, argument: z.literal("taskId").exactOptional() }),
]);

const Label = z.string().regex(/^[A-Za-z][A-Za-z0-9 _-]{0,40}$/, "must be a short label of letters, digits and spaces");

/** What a person may write for one workflow under `plimsoll.workflows`. */
export const Definition = z.strictObject({
  title: z.string().trim().min(1).max(80).exactOptional(),
  save: Save.default({ kind: "state-file" }),
  /** Which sentence goes with `/compact`. */
  compact: z.enum(["default", "snapshot"]).default("default"),
  brief: BriefStyle.default({ kind: "pointer" }),
  /** Names without a value in the brief end the reset before the clear. */
  requiredFields: z.array(Label).max(32).default([]),
  /** Put into the brief as they stand. */
  fields: z.record(Label, z.string().max(2000)).default({}),
});

export const WorkflowId = z.string().regex(/^[a-z][a-z0-9-]{0,30}$/, "must be small letters, digits and hyphens");

/** A way of saving and briefing. Data only: nothing in it is run but the two commands, typed as any line is. */
export const Workflow = Definition.extend({ id: WorkflowId, title: z.string().max(80) });
export type Workflow = z.infer<typeof Workflow>;
export type SnapshotSave = Extract<Workflow["save"], { kind: "snapshot" }>;
