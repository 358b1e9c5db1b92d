// A real folder for the saves of one test, and what a good saved state looks like.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PreparedSave, prepareSave, type SaveOrder } from "../../../server/shell/save/saveFolder.ts";

export const code = "0123456789ab";
export const otherCode = "ba9876543210";
export const at = 1_796_072_133_000;

/** A folder that is made anew for each test of the suite. */
export function testFolder(): { readonly path: string } {
  const folder = { path: "" };
  beforeEach(() => {
    folder.path = realpathSync(mkdtempSync(join(tmpdir(), "plimsoll-save-")));
  });
  afterEach(() => rmSync(folder.path, { recursive: true, force: true }));
  return folder;
}

export const order = (cwd: string, more: Partial<SaveOrder> = {}): SaveOrder => ({
  cwd,
  resetId: "aaaaaaaaaaaa",
  code,
  conversationId: "first",
  instanceId: "claude-7-1",
  agent: "claude",
  at,
  variant: "state-file",
  ...more,
});

/** The prepared save; fails the test where there is none. */
function ready(save: PreparedSave): Extract<PreparedSave, { kind: "ready" }> {
  if (save.kind !== "ready") throw new Error(`${save.reason} ${save.remedy}`);
  return save;
}

export const prepared = (cwd: string, more: Partial<SaveOrder> = {}) => ready(prepareSave(order(cwd, more)));

/** Stands in every saved state of these tests and may come back in nothing. */
export const canary = "the-canary-sings-4711";

export const stateText = (size = 1200, firstLine = `<!-- plimsoll check code: ${code} -->`): string =>
  `${firstLine}\n# Role and mission\n${canary}\n`.padEnd(size, "state ");

export const resetIdOf = (number: number): string => number.toString(16).padStart(12, "0");
