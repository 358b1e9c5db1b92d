import type { Mode } from "../protocol/settings.ts";
import type { Branch } from "../protocol/view.ts";
import type { Reading } from "./conversation.ts";
import type { Instance } from "./instance.ts";

export type BranchFacts = {
  readonly mode: Mode;
  readonly reading: Reading;
  readonly pressure: "none" | "selective" | "full";
  readonly place: Instance["place"];
  readonly binding: Instance["binding"];
  readonly platformMeasured: boolean;
};

/**
 * What follows from an agent's pressure: exactly one branch, in the order of DESIGN §11. `ask` is also what the question
 * is asked for, so that nothing is offered which would always be refused (R38).
 */
export function branchOf({ mode, reading, pressure, place, binding, platformMeasured }: BranchFacts): Branch {
  if (reading.kind === "unmeasured" || binding === "ambiguous") return "unenforced";
  if (pressure !== "full") return "none";
  if (mode === "gauge") return "none";
  return place === "terminal" && binding !== "none" && platformMeasured ? "ask" : "blocked";
}
