import type { Workflow } from "./workflow.ts";

/** The default: the agent writes one file that tells a reader who knows nothing how to go on. */
export const stateFile: Workflow = {
  id: "state-file",
  title: "State file",
  save: { kind: "state-file" },
  compact: "default",
  brief: { kind: "pointer" },
  requiredFields: [],
  fields: {},
};
