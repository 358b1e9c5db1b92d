import type { Workflow } from "./workflow.ts";

/** The agent's own `/stow` saves; a short file with the check code proves that it ran. */
export const stow: Workflow = {
  id: "stow",
  title: "Stow",
  save: { kind: "command", command: "/stow" },
  compact: "default",
  brief: { kind: "pointer" },
  requiredFields: [],
  fields: {},
};
