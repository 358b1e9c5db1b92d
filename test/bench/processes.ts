import { readFileSync } from "node:fs";

/** Clock ticks of `/proc/<pid>/stat`: 100 a second on every Linux that VS Code runs on. */
const ticksPerSecond = 100;

/** CPU time that a process has used so far, all its threads, seconds. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name in brackets may hold spaces; user and system time are the 12th and 13th word behind it.
  const words = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(words[11]) + Number(words[12])) / ticksPerSecond;
}

/** The most memory that the process has held at once, bytes. */
export const peakBytes = (pid: number): number => statusOf(pid, "VmHWM");

/** The memory that it holds now, bytes. */
export const heldBytes = (pid: number): number => statusOf(pid, "VmRSS");

function statusOf(pid: number, key: string): number {
  const kibibytes = new RegExp(`^${key}:\\s+(\\d+) kB`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kibibytes) * 1024;
}
