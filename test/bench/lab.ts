import path from "node:path";
import { projectSlug } from "../../server/agents/claude/sessions.ts";
import { TerminalsChanged } from "../../server/protocol/messages.ts";
import type { View } from "../../server/protocol/view.ts";
import { tell } from "../../server/protocol/wire.ts";
import { createStandIns } from "../unit/discover/standIn.ts";
import type { Bench } from "./figure.ts";
import { randomFrom } from "./records.ts";
import { type Made, makeTranscript } from "./transcripts.ts";
import { startWorker, type WorkerUnderTest } from "./worker.ts";

export type Lab = {
  readonly home: string;
  readonly worker: WorkerUnderTest;
  /** Transcripts that an agent in one of the terminals is in. */
  readonly active: readonly Made[];
  readonly stop: () => Promise<void>;
};

export type LabOptions = {
  /** Transcripts besides the active ones. */
  readonly others: number;
  /** Makes the transcript of each active conversation. */
  readonly make: readonly ((folder: string) => Made)[];
};

const otherProjects = 20;

/** Every kind of size between 30 KB and 1 MB, small ones more often. */
const usualBytes = (random: () => number): number => 30_000 * 33 ** random();

export const usualActive = Array.from(
  { length: 5 },
  (_, at) => (folder: string) => makeTranscript(folder, 400_000 * (at + 1), 5000 + at),
);

/** A home with transcripts, agents in terminals, and the worker; all of the agents' readings have been told. */
export async function createLab(bench: Bench, { others, make }: LabOptions): Promise<Lab> {
  const standIns = createStandIns();
  const { home, cwd } = standIns;
  const projects = path.join(home, ".claude/projects");
  const random = randomFrom(11);
  for (let at = 0; at < others; at += 1) {
    // A share of them lies beside the active ones, in a folder whose events the worker hears.
    const project = at % (otherProjects + 1) === 0 ? projectSlug(cwd) : `-w-project-${at % otherProjects}`;
    makeTranscript(path.join(projects, project), usualBytes(random), at);
  }
  const active = make.map((one) => one(path.join(projects, projectSlug(cwd))));
  const terminals: { terminalId: string; name: string; shellPid: number; stream: { kind: "held"; since: number } }[] =
    [];
  for (const [at, { sessionId }] of active.entries()) {
    const agent = await standIns.startInTerminal("claude");
    standIns.write(`.claude/sessions/${agent.pid}.json`, {
      pid: agent.pid,
      procStart: agent.birth,
      sessionId,
      cwd,
      kind: "interactive",
      entrypoint: "cli",
      version: "2.1.332",
      status: "idle",
      statusUpdatedAt: Date.now() - 30_000,
    });
    terminals.push({
      terminalId: `t${at}`,
      name: "bash",
      shellPid: agent.shellPid,
      stream: { kind: "held", since: 1 },
    });
  }
  bench.say(`${others} transcripts, ${active.length} agents`);
  const worker = await startWorker(path.join(bench.dist, "server.cjs"), home);
  await tell(worker.peer, TerminalsChanged, { terminals });
  await worker.seen("a reading of every agent", (view) =>
    active.every(({ sessionId }) => tokensOf(view, sessionId) !== undefined),
  );
  return {
    home,
    worker,
    active,
    async stop() {
      await worker.stop();
      await standIns.dispose();
    },
  };
}

export function tokensOf(view: View, sessionId: string): number | undefined {
  const reading = view.agents.find(({ conversationId }) => conversationId === sessionId)?.reading;
  return reading?.kind === "measured" ? reading.tokens : undefined;
}
