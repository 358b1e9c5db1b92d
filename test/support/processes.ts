// Tests end only what they started: by process id, or by the process group of a child started `detached`.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { until } from "./until.ts";

/** SIGTERM, and SIGKILL for what is still there after the grace time. A negative id is a process group. */
export async function endProcess(id: number, graceMs = 5_000): Promise<void> {
  if (!signal(id, "SIGTERM")) return;
  try {
    await until(`the end of process ${id}`, () => !isAlive(id), graceMs);
  } catch {
    signal(id, "SIGKILL");
    await until(`the end of process ${id} after SIGKILL`, () => !isAlive(id), graceMs);
  }
}

/** For a run that is cut short: ends the process when this one exits. Returns how to take that back. */
export function endWithUs(id: number): () => void {
  const end = () => {
    signal(id, "SIGKILL");
  };
  process.once("exit", end);
  return () => process.off("exit", end);
}

export function isAlive(id: number): boolean {
  return signal(id, 0);
}

/** Children of children too. Terminals have process groups of their own, so ending a server's group misses them. */
export function descendants(root: number): readonly number[] {
  const rows = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
  const family = new Set([root]);
  const pairs = rows.map((row) => row.trim().split(/\s+/).map(Number));
  for (let before = 0; before !== family.size; ) {
    before = family.size;
    for (const [pid, parent] of pairs) {
      if (pid !== undefined && parent !== undefined && family.has(parent)) family.add(pid);
    }
  }
  family.delete(root);
  return [...family];
}

/** Processes whose program lies in this folder: a sandbox's own, whoever their parent is now. */
export function runningFrom(folder: string): readonly number[] {
  const rows = execFileSync("ps", ["-A", "-ww", "-o", "pid=,args="], { encoding: "utf8" }).trim().split("\n");
  return rows.flatMap((row) => {
    const [, pid, command = ""] = /^\s*(\d+)\s+(.*)$/.exec(row) ?? [];
    return pid !== undefined && command.startsWith(`${folder}/`) ? [Number(pid)] : [];
  });
}

function signal(id: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(id, name);
    return true;
  } catch {
    return false;
  }
}

/** The words a process was started with; Linux only, empty where it is gone. */
export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}
