import { type Environment, type EnvironmentName, environmentNames, type ProcessFacts } from "./process.ts";

/** Clock ticks a second of `/proc` times. A constant of the Linux ABI (USER_HZ), whatever the kernel runs at. */
const ticksPerSecond = 100;

/** `/proc/<pid>/stat`. The name stands in parentheses and may itself hold parentheses and spaces: the last one ends it. */
export function parseStat(text: string, bootedAt: number): Omit<ProcessFacts, "argv"> | undefined {
  const open = text.indexOf("(");
  const close = text.lastIndexOf(")");
  if (open < 0 || close < open) return undefined;
  const pid = Number(text.slice(0, open));
  const [, parent, group, , tty, foreground, ...rest] = text.slice(close + 2).split(" ");
  const birth = rest[13];
  if (birth === undefined || !/^\d+$/.test(birth)) return undefined;
  const numbers = [pid, Number(parent), Number(group), Number(foreground)];
  if (!numbers.every(Number.isInteger) || pid <= 0) return undefined;
  return {
    pid,
    parent: Number(parent),
    birth,
    startedAt: Math.round(bootedAt + (Number(birth) * 1000) / ticksPerSecond),
    name: text.slice(open + 1, close),
    group: Number(group),
    ...(tty === undefined || tty === "0" ? {} : { tty, foregroundGroup: Number(foreground) }),
  };
}

/** `/proc/<pid>/cmdline`: NUL after each argument. A program that rewrites its title leaves one string without NULs. */
export function parseCmdline(text: string): readonly string[] {
  const parts = text.split("\0");
  while (parts.at(-1) === "") parts.pop();
  return parts;
}

/** Takes the chosen variables out of an environment block and nothing else. */
export function pickEnvironment(block: Buffer): Environment {
  const picked: { [Name in EnvironmentName]?: string } = {};
  for (const name of environmentNames) {
    const value = variableIn(block, name);
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}

function variableIn(block: Buffer, name: string): string | undefined {
  const head = `${name}=`;
  if (block.subarray(0, head.length).toString("latin1") === head) return untilNul(block, head.length);
  const at = block.indexOf(`\0${head}`);
  return at < 0 ? undefined : untilNul(block, at + 1 + head.length);
}

function untilNul(block: Buffer, from: number): string {
  const end = block.indexOf(0, from);
  return block.subarray(from, end < 0 ? block.length : end).toString("utf8");
}

export type HeldLock = { readonly pid: number; readonly inode: bigint };

/**
 * `/proc/locks`: `33: FLOCK  ADVISORY  WRITE 32030 fe:00:2319808 0 EOF`. A waiter's line (`->`) holds nothing. The device
 * is left out on purpose: btrfs and overlays show another one here than in `stat`.
 */
export function parseLocks(text: string): readonly HeldLock[] {
  return text.split("\n").flatMap((line) => {
    const found = /^\d+: (?:FLOCK|POSIX|OFDLCK) +\S+ +\S+ +(\d+) [0-9a-f]+:[0-9a-f]+:(\d+) /.exec(line);
    const [, pid, inode] = found ?? [];
    return pid === undefined || inode === undefined ? [] : [{ pid: Number(pid), inode: BigInt(inode) }];
  });
}

/** Effective user of `/proc/<pid>/status`: `Uid: real effective saved fs`. */
export function parseUid(status: string): number | undefined {
  const found = /^Uid:\s+\d+\s+(\d+)/m.exec(status);
  return found?.[1] === undefined ? undefined : Number(found[1]);
}
