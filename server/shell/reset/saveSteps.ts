import { randomBytes } from "node:crypto";
import { agentOf, type Instance } from "../../core/instance.ts";
import type { EventOf, Order, Saved, SavePlace } from "../../core/reset/types.ts";
import { bytesWanted } from "../../core/save/receipt.ts";
import type { LineRef } from "../../protocol/lines.ts";
import type { StateLook } from "../../protocol/save.ts";
import type { Settings } from "../../protocol/settings.ts";
import { type FoundWorkflow, workflowFor } from "../../workflows/index.ts";
import type { Workflow } from "../../workflows/workflow.ts";
import { fileFacts, ifKnown } from "../files.ts";
import { isSavingAllowed } from "../save/allowRule.ts";
import { assembleBrief, stillSame } from "../save/brief.ts";
import { noteNextConversation } from "../save/lastSaved.ts";
import { prepareSave } from "../save/saveFolder.ts";
import { findSnapshot, lookAtSnapshot } from "../save/snapshotFile.ts";
import { digestOfFile, lookAtState } from "../save/stateFile.ts";
import { promptsAfter, promptText } from "../transcripts/carried.ts";
import type { Watched } from "../watched.ts";

type Problem = { readonly gate: string; readonly reason: string; readonly remedy: string };

/** What the steps of a save need of the disk. Failures are results, each with a reason and a remedy. */
export type SaveSteps = {
  readonly workflowProblem: () => string | undefined;
  /** The workflow binds what is saved before a compaction too. */
  readonly compactSaves: () => boolean;
  /** A rule of the agent's own settings lets it write there without asking. */
  readonly isAllowed: (instance: Instance) => boolean;
  readonly prepare: (order: Order, watched: Watched | undefined) => Promise<EventOf<"save-prepared">["result"]>;
  readonly look: (order: Order, place: SavePlace, instance: Instance | undefined) => Promise<StateLook>;
  readonly writeBrief: (
    order: Order,
    saved: Saved,
    watched: Watched | undefined,
  ) => Promise<EventOf<"brief-written">["result"]>;
  /** Digests as of now, for the gates. */
  readonly onDisk: (
    saved: Saved,
    instance: Instance | undefined,
  ) => Promise<{
    stateDigest: string | undefined;
    briefDigest: string | undefined;
    transcriptBytes: number | undefined;
  }>;
  readonly transcriptBytes: (instance: Instance | undefined) => Promise<number | undefined>;
  /** After the clear: the person's prompts that came in between, and whether all that was saved is still the same. */
  readonly collect: (
    order: Order,
    saved: Saved,
    claimedAt: number,
    watched: Watched | undefined,
  ) => Promise<Pick<EventOf<"collected">, "carried" | "lost" | "problem">>;
  readonly carriedText: (
    order: Order,
    saved: Saved | undefined,
    line: Extract<LineRef, { kind: "carried" }>,
  ) => Promise<string | undefined>;
  readonly noteNext: (saved: Saved, conversationId: string) => void;
};

export type SaveStepsPorts = {
  readonly settings: () => Settings;
  /** Whether a prompt with this digest is one of our own lines. */
  readonly isOurs: (digest: string) => boolean;
};

export function createSaveSteps({ settings, isOurs }: SaveStepsPorts): SaveSteps {
  const allowed = createCache<boolean>(allowedMs);
  const found = (name: string): FoundWorkflow => workflowFor(name, settings().workflows);
  const workflowOf = (name: string): Workflow | undefined => {
    const it = found(name);
    return it.kind === "workflow" ? it.workflow : undefined;
  };
  const transcriptBytes = async (instance: Instance | undefined): Promise<number | undefined> =>
    instance?.transcript === undefined ? undefined : ifKnown(await fileFacts(instance.transcript))?.size;
  const lookNow = (order: Order, place: SavePlace, instance: Instance | undefined): StateLook => {
    const save = workflowOf(order.workflow)?.save;
    if (instance?.cwd === undefined || save === undefined) return { kind: "missing" };
    if (save.kind === "snapshot") return lookAtSnapshot(instance.cwd, save, place.taskId ?? "");
    const minBytes = bytesWanted(save.kind === "command" ? "command" : "state-file");
    return lookAtState({ cwd: instance.cwd, statePath: place.statePath, code: place.code, minBytes });
  };

  return {
    workflowProblem() {
      const it = found(settings().workflow);
      return it.kind === "problem" ? it.problem : undefined;
    },
    compactSaves: () => workflowOf(settings().workflow)?.save.kind === "snapshot",
    isAllowed: ({ agent, cwd, configDir }) =>
      agent === "claude" &&
      cwd !== undefined &&
      allowed.get(`${cwd}\n${configDir}`, () =>
        isSavingAllowed({ cwd, ...(configDir === undefined ? {} : { configDir }) }),
      ),
    async prepare(order, watched) {
      const workflow = workflowOf(order.workflow);
      const { cwd, conversationId, transcript } = watched?.instance ?? {};
      if (workflow === undefined) return problem("workflow-usable", "the workflow is not known any more", "Ask again.");
      if (cwd === undefined || conversationId === undefined)
        return problem("save-possible", "the agent's folder is not known", "Look at the terminal.");
      const task = workflow.save.kind === "snapshot" ? findSnapshot(cwd, workflow.save) : undefined;
      if (task?.kind === "problem") return problem("saved-well", task.reason, task.remedy);
      const code = randomBytes(6).toString("hex");
      const made = prepareSave({
        cwd,
        resetId: order.resetId,
        code,
        conversationId,
        instanceId: order.instanceId,
        agent: agentOf(order.instanceId),
        at: order.at,
        variant: workflow.save.kind === "command" ? "command" : "state-file",
      });
      if (made.kind === "problem") return problem("save-possible", made.reason, made.remedy);
      const place = {
        dir: made.dir,
        statePath: task === undefined ? made.statePath : task.snapshot.path,
        code,
        ...(task === undefined ? {} : { taskId: task.snapshot.taskId }),
        ...(transcript === undefined ? {} : { transcript }),
      };
      return { place, lines: order.origin === "forced" ? [] : linesOf(workflow, order.resetId) };
    },
    look: async (order, place, instance) => lookNow(order, place, instance),
    async writeBrief(order, saved, watched) {
      const workflow = workflowOf(order.workflow);
      const { cwd, conversationId } = watched?.instance ?? {};
      if (workflow === undefined || cwd === undefined || conversationId === undefined)
        return problem("brief-complete", "the agent or its workflow is not known any more", "Ask again.");
      const { receipt, place } = saved;
      const hasWords = order.carry.length > 0;
      const written = assembleBrief(
        place.dir,
        {
          resetId: order.resetId,
          agent: agentOf(order.instanceId),
          cwd,
          oldConversationId: conversationId,
          workflow: workflow.id,
          ...(place.taskId === undefined ? {} : { taskId: place.taskId }),
          ...(receipt === undefined ? {} : { state: { path: place.statePath, digest: receipt.digest } }),
          backgroundShells: watched?.conversation?.backgroundShells ?? [],
          mode: hasWords ? "next" : order.then === "continue" && !order.asksPerson ? "continue" : "wait",
          asksPerson: order.asksPerson,
          fields: workflow.fields,
          isForced: order.origin === "forced",
        },
        workflow.requiredFields,
      );
      if (written.kind === "problem") return problem("brief-complete", written.reason, written.remedy);
      const { path, digest } = written;
      const line = resumeLine(workflow, place);
      return { path, digest, ...(line === undefined ? {} : { line }) };
    },
    async onDisk({ place, brief }, instance) {
      return {
        stateDigest: digestOfFile(place.statePath),
        briefDigest: brief === undefined ? undefined : digestOfFile(brief.path),
        transcriptBytes: await transcriptBytes(instance),
      };
    },
    transcriptBytes,
    async collect(order, { place, receipt, brief }, claimedAt, watched) {
      const cwd = watched?.instance.cwd;
      const files = [
        ...(receipt === undefined ? [] : [{ path: place.statePath, digest: receipt.digest }]),
        ...(brief === undefined ? [] : [{ path: brief.path, digest: brief.digest }]),
      ];
      const same = cwd === undefined ? undefined : stillSame(cwd, files);
      const changed = same?.kind === "problem" ? { problem: problem("saved-well", same.reason, same.remedy) } : {};
      const path = place.transcript;
      if (path === undefined) return { carried: [], lost: 0, ...changed };
      const late = await promptsAfter(agentOf(order.instanceId), path, claimedAt, isOurs);
      if (late.kind !== "known") return { carried: [], lost: 0, ...changed };
      const carried = late.prompts.slice(0, mostCarried).map(({ recordId, digest }) => ({ recordId, digest }));
      const images = late.prompts.reduce((sum, prompt) => sum + prompt.images, 0);
      return { carried, lost: images + late.prompts.length - carried.length, ...changed };
    },
    async carriedText(order, saved, { recordId, digest }) {
      const path = saved?.place.transcript;
      if (path === undefined) return undefined;
      const read = await promptText(agentOf(order.instanceId), path, { recordId, digest, images: 0 });
      return read.kind === "text" ? read.text : undefined;
    },
    noteNext({ place, receipt }, conversationId) {
      noteNextConversation(place.dir, conversationId, receipt?.digest);
    },
  };
}

/** So long a look at the agent's settings holds: they are asked for with every change of the view, ms. */
const allowedMs = 3000;

function createCache<T>(ms: number) {
  const entries = new Map<string, { readonly at: number; readonly value: T }>();
  return {
    get(key: string, look: () => T): T {
      const known = entries.get(key);
      if (known !== undefined && performance.now() - known.at < ms) return known.value;
      const value = look();
      entries.set(key, { at: performance.now(), value });
      return value;
    },
  };
}

/** More prompts than this in the second between claim and clear are not expected. */
const mostCarried = 8;

const problem = (gate: string, reason: string, remedy: string): Problem => ({ gate, reason, remedy });

function linesOf({ save }: Workflow, resetId: string): LineRef[] {
  switch (save.kind) {
    case "state-file":
      return [{ kind: "save", resetId }];
    case "command":
      return [
        { kind: "command", name: save.command.slice(1) },
        { kind: "receipt", resetId },
      ];
    case "snapshot":
      return [];
  }
}

/** The workflow's own way of going on; undefined: the line that names the brief. */
function resumeLine({ brief }: Workflow, { taskId }: SavePlace): LineRef | undefined {
  if (brief.kind === "pointer") return undefined;
  const withTask = brief.argument === "taskId" && taskId !== undefined;
  return { kind: "command", name: brief.command.slice(1), ...(withTask ? { taskId } : {}) };
}
