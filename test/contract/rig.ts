import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type * as z from "zod";
import { digestOf } from "../../server/core/digest.ts";
import * as messages from "../../server/protocol/messages.ts";
import { Settings } from "../../server/protocol/settings.ts";
import { ask, tell } from "../../server/protocol/wire.ts";
import { readLine, type StepLine } from "../../server/shell/reset/journalRecord.ts";
import { type Agent, type AgentOptions, startAgent } from "./agent.ts";
import { type Ending, type Host, inTerminal, resetOf, startWorker } from "./support.ts";
import { createWindow, type Window, type WindowOptions } from "./window.ts";

export type Act = z.input<typeof messages.Act>;

export const fullReset: Act = { kind: "reset", then: "wait", review: false, carry: [] };

export type RigOptions = {
  readonly agent?: AgentOptions;
  /** The window may need the agent it shows. */
  readonly window?: WindowOptions | ((agent: Agent) => WindowOptions);
  readonly settings?: z.input<typeof Settings>;
  /** Before the worker is there. */
  readonly prepare?: (agent: Agent) => void;
};

export type Rig = Awaited<ReturnType<typeof openRig>>;

/** A worker, a window and an agent, ready for a click. */
export async function openRig({ agent: agentOptions, window: windowOptions = {}, settings, prepare }: RigOptions = {}) {
  const storageDir = mkdtempSync(join(tmpdir(), "plimsoll-state-"));
  const agent = await startAgent(agentOptions);
  const window = createWindow(agent, typeof windowOptions === "function" ? windowOptions(agent) : windowOptions);
  prepare?.(agent);
  const hosts: Host[] = [];
  const quick = { quietMs: 500, ...settings };

  const start = async (shown: Window = window): Promise<Host> => {
    const host = await startWorker(storageDir, { settings: quick, attach: shown.attach, keepStorage: true });
    hosts.push(host);
    await host.tellTerminals(agent.process.shellPid);
    return host;
  };
  const host = () => hosts.at(-1) ?? assert.fail("no worker");
  const instanceId = `claude-${agent.process.pid}-${agent.process.birth}`;
  const journalFile = join(storageDir, "journal", `${instanceId}.jsonl`);

  return {
    agent,
    window,
    storageDir,
    instanceId,
    journalFile,
    start,
    host,
    async ready(measured = inTerminal) {
      const view = await host().viewWhere("the agent, measured", measured);
      assert.equal(view.agents[0]?.instanceId, instanceId);
      return view;
    },
    /** Clicks. A second ago: what is saved has to be saved after it, to the second. */
    click: (act: Act, at = Date.now() - 1000) =>
      ask(host().peer, messages.Approve, {
        approvalId: randomUUID(),
        instanceId,
        conversationId: agent.conversationId(),
        act,
        shownTokens: 150_000,
        at,
      }),
    async clicked(act: Act): Promise<void> {
      await this.ready();
      assert.deepEqual(await this.click(act), { outcome: "started" });
    },
    /** Clicks, and waits for the end. */
    async run(act: Act, ms = 40_000): Promise<Ending> {
      await this.clicked(act);
      return host().ended(ms);
    },
    stepIs: (step: string, ms = 30_000) =>
      host().viewWhere(step, (view) => resetOf(view)?.step === step || resetOf(view)?.phase === step, ms),
    tellSettings: (change: z.input<typeof Settings>) =>
      tell(host().peer, messages.SettingsChanged, Settings.parse({ ...quick, ...change })),
    tellWindow: (change: Partial<{ trusted: boolean; paused: boolean }>) =>
      tell(host().peer, messages.WindowChanged, { trusted: true, paused: false, ...change }),
    steps: (): readonly StepLine[] => stepsIn(journalFile),
    claims: () => heldClaims(storageDir),
    async dispose() {
      const ended = await Promise.allSettled(hosts.map((one) => one.dispose()));
      await agent.dispose();
      rmSync(storageDir, { recursive: true, force: true });
      for (const one of ended) if (one.status === "rejected") throw one.reason;
    },
  };
}

/** Runs a test with a rig of its own, and clears it away. */
export async function withRig(options: RigOptions, test: (rig: Rig) => Promise<void>): Promise<void> {
  const rig = await openRig(options);
  try {
    await rig.start();
    await test(rig);
  } finally {
    await rig.dispose();
  }
}

function stepsIn(file: string): readonly StepLine[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .flatMap((line) => {
      const told = readLine(line)?.told;
      return told?.kind === "step" ? [told] : [];
    });
}

/** Claims that somebody holds: the highest number of each agent names its holder. */
function heldClaims(storageDir: string): readonly string[] {
  const dir = join(storageDir, "claims");
  if (!existsSync(dir)) return [];
  const top = new Map<string, { number: number; file: string }>();
  for (const file of readdirSync(dir)) {
    const [, name = "", number] = /^(.*)\.(\d+)\.claim$/.exec(file) ?? [];
    if (number === undefined || Number(number) < (top.get(name)?.number ?? 0)) continue;
    top.set(name, { number: Number(number), file });
  }
  return [...top.values()].map(({ file }) => readFileSync(join(dir, file), "utf8")).filter((text) => text !== "free");
}

export const held = (textId: string, text: string) => ({ textId, digest: digestOf(text) });
