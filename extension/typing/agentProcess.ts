import { readFileSync } from "node:fs";

/** Whether an agent's process can be typed to, asked synchronously: nothing may happen between this and the key. */
export type AgentProcesses = {
  /** Linux only; elsewhere nobody knows, and only the person presses keys. */
  readonly isMeasured: boolean;
  /** The start of the process as the system counts it, if it lives in the foreground of this shell's terminal. */
  readonly birthIn: (shellPid: number, agentPid: number) => string | undefined;
};

export const linuxAgentProcesses: AgentProcesses = {
  isMeasured: process.platform === "linux",
  birthIn(shellPid, agentPid) {
    const agent = statOf(agentPid);
    const shell = statOf(shellPid);
    if (agent === undefined || shell === undefined) return undefined;
    const isRunning = !/^[ZXxTt]$/.test(agent.state);
    const isInFront = agent.group === agent.foregroundGroup && agent.tty === shell.tty && agent.tty !== "0";
    return isRunning && isInFront ? agent.birth : undefined;
  },
};

type Stat = {
  readonly state: string;
  readonly group: string;
  readonly tty: string;
  readonly foregroundGroup: string;
  readonly birth: string;
};

function statOf(pid: number): Stat | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return undefined; // it ended: that is the answer
  }
}

/** `/proc/<pid>/stat`. The name stands in parentheses and may itself hold parentheses: the last one ends it. */
export function parseStat(text: string): Stat | undefined {
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, , group, , tty, foregroundGroup] = fields;
  const birth = fields[19];
  if (state === undefined || group === undefined || tty === undefined) return undefined;
  if (foregroundGroup === undefined || birth === undefined || !/^\d+$/.test(birth)) return undefined;
  return { state, group, tty, foregroundGroup, birth };
}
