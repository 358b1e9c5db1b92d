import type { Workflow } from "./workflow.ts";

/**
 * Datarim: every stage leaves `datarim/snapshots/<task>.snapshot.md` behind, whose head names task and stage; `/dr-next
 * <task>` goes on from it (R102, R103; paths and stages as its `snapshot-writer.sh` has them).
 */
export const snapshot: Workflow = {
  id: "snapshot",
  title: "Datarim snapshot",
  save: {
    kind: "snapshot",
    path: "datarim/snapshots/{taskId}.snapshot.md",
    description: "datarim/tasks/{taskId}-task-description.md",
    stages: [
      "init",
      "prd",
      "plan",
      "design",
      "do",
      "qa",
      "verify",
      "compliance",
      "archive",
      "edit",
      "publish",
      "write",
      "dream",
      "doctor",
      "optimize",
    ],
  },
  compact: "snapshot",
  brief: { kind: "command", command: "/dr-next", argument: "taskId" },
  requiredFields: ["taskId"],
  fields: {},
};
