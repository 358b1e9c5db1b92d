import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { endProcess } from "../support/processes.ts";
import { until } from "../support/until.ts";
import { type Bench, type Figure, limited, median, megabytes, ofCore } from "./figure.ts";
import { createLab, usualActive } from "./lab.ts";
import { cpuSeconds, heldBytes, peakBytes } from "./processes.ts";

const others = 995;
const windowSeconds = 60;
const windows = 3;
/** Until what the start brought about is over. */
const settleMs = 15_000;
const limit = 0.005;

export const idle: Figure = {
  id: "idle",
  title: "Nothing happens, with 5 active of 1 000 transcripts",
  async measure(bench) {
    const lab = await createLab(bench, { others, make: usualActive });
    const follow = await startFollow(bench, lab.home, others + usualActive.length);
    try {
      await pause(settleMs);
      const shares: { readonly worker: number; readonly follow: number }[] = [];
      for (let window = 0; window < windows; window += 1) {
        shares.push(await sharesOf({ worker: lab.worker.pid, follow: follow.pid }));
        bench.say(shares.map(({ worker, follow }) => `${ofCore(worker)} and ${ofCore(follow)}`).join("; "));
      }
      return {
        rows: [
          limited("CPU of the worker, of one core", median(shares.map(({ worker }) => worker)), limit, ofCore),
          limited(
            "CPU of `plimsoll measure --follow` over all 1 000",
            median(shares.map(({ follow }) => follow)),
            limit,
            ofCore,
          ),
          limited("memory the worker held at most", peakBytes(lab.worker.pid), 100e6, megabytes),
          limited("memory `plimsoll measure --follow` held at most", peakBytes(follow.pid), 100e6, megabytes),
        ],
        notes: [
          `User and system time from \`/proc\`, the median of ${windows} times ${windowSeconds} s, both processes side by side.`,
          `\`plimsoll measure --follow\` holds ${megabytes(heldBytes(follow.pid))} at the end, of which some 15 MB are in use: its first reading of a thousand files at once makes garbage faster than V8 of its own accord collects it. The worker is started with a limit to that; a command that a person starts cannot give itself one.`,
        ],
      };
    } finally {
      await endProcess(follow.pid);
      await lab.stop();
    }
  },
};

/** `plimsoll measure --follow` over a home, once it has printed every conversation. */
async function startFollow({ dist }: Bench, home: string, conversations: number): Promise<{ readonly pid: number }> {
  const args = [path.join(dist, "cli.cjs"), "measure", "--follow", "--home", home, home];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  await once(child, "spawn");
  let lines = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    for (const byte of chunk) if (byte === 0x0a) lines += 1;
  });
  await until("a line of every conversation", () => lines >= conversations, 120_000);
  return { pid: child.pid ?? 0 };
}

async function sharesOf<Name extends string>(pids: Readonly<Record<Name, number>>): Promise<Record<Name, number>>;
async function sharesOf(pids: Readonly<Record<string, number>>): Promise<Record<string, number>> {
  const before = Object.entries(pids).map(([name, pid]) => ({
    name,
    pid,
    cpu: cpuSeconds(pid),
    at: performance.now(),
  }));
  await pause(windowSeconds * 1000);
  return Object.fromEntries(
    before.map(({ name, pid, cpu, at }) => [name, (cpuSeconds(pid) - cpu) / ((performance.now() - at) / 1000)]),
  );
}
