import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { type RequestVariant, requestText } from "../../core/save/requestText.ts";
import type { AgentId } from "../../protocol/agents.ts";
import { ResetId } from "../../protocol/lines.ts";
import { excludeFromGit } from "./gitExclude.ts";
import { codeOf, orProblem, ownDir, type Problem, problem, publishInside } from "./inside.ts";
import { chainOf, fileNames, prune, removeSave, saveRoot, savesIn, writeMeta } from "./saves.ts";

export type SaveOrder = {
  /** The agent's folder. */
  readonly cwd: string;
  /** 12 hex digits; names the folder. */
  readonly resetId: string;
  /** 12 hex digits; new for every save. */
  readonly code: string;
  readonly conversationId: string;
  readonly instanceId: string;
  readonly agent: AgentId;
  /** Epoch ms. */
  readonly at: number;
  readonly variant: RequestVariant;
};

export type PreparedSave =
  | {
      readonly kind: "ready";
      /** Real and absolute, all of them. */
      readonly dir: string;
      readonly requestPath: string;
      readonly statePath: string;
      readonly briefPath: string;
      readonly chain: string;
      /** A sentence on what could not be done and does no harm. */
      readonly note?: string;
    }
  | Problem;

const writable = "Check that you may write into the agent's folder.";

/**
 * Makes `<cwd>/.plimsoll/<reset id>/` with the request in it, private (0700, 0600), out of git, and tidies older saves of
 * the same chain. Nothing is left behind where it fails. Never throws.
 */
export function prepareSave(order: SaveOrder): PreparedSave {
  if (!ResetId.safeParse(order.resetId).success || !Code.safeParse(order.code).success)
    return problem("the save has no proper id or check code", "Ask again.");
  return orProblem("the folder for the saved state could not be made", writable, () => prepare(order));
}

const Code = z.string().regex(/^[0-9a-f]{12}$/);

function prepare(order: SaveOrder): PreparedSave {
  const cwd = realpathSync(order.cwd);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the path becomes a line of the request.
  if (/[\u0000-\u001f\u007f]/.test(cwd))
    return problem("the agent's folder has a name that cannot be written in one line", "Rename the folder.");
  const root = join(cwd, saveRoot);
  ownDir(root);
  const dir = join(root, order.resetId);
  try {
    mkdirSync(dir, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    return problem("the folder for the saved state exists already", "Ask again.");
  }
  try {
    return fill(order, cwd, dir);
  } catch (error) {
    removeSave(dir);
    throw error;
  }
}

function fill(order: SaveOrder, cwd: string, dir: string): PreparedSave {
  const { resetId, code, conversationId, instanceId, agent, at, variant } = order;
  const chain = chainOf(savesIn(cwd), conversationId);
  const requestPath = join(dir, fileNames.request);
  const statePath = join(dir, fileNames.state);
  publishInside(cwd, requestPath, requestText(variant, { code, statePath, dir }));
  writeMeta(cwd, dir, { v: 1, resetId, chain, conversationId, instanceId, agent, at });
  const note = excludeFromGit(cwd);
  prune(cwd, chain);
  const briefPath = join(dir, fileNames.brief);
  return { kind: "ready", dir, requestPath, statePath, briefPath, chain, ...(note === undefined ? {} : { note }) };
}
