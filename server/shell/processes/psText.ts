import { type Environment, type EnvironmentName, environmentNames, type ProcessFacts } from "./process.ts";

/** Columns for `parsePs`; the last one holds spaces. */
export const psColumns = "pid=,ppid=,pgid=,tpgid=,tty=,lstart=,comm=";

const line =
  /^\s*(\d+)\s+(\d+)\s+(-?\d+)\s+(-?\d+)\s+(\S+)\s+([A-Z][a-z]{2} [A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d \d{4})\s+(.+)$/;

/**
 * Output of `LC_ALL=C TZ=UTC ps -axo <psColumns>`; undefined where any line is not of that form. The start is kept as
 * the text that Claude writes of itself (`lstart` in UTC).
 */
export function parsePs(text: string): readonly ProcessFacts[] | undefined {
  const found: ProcessFacts[] = [];
  for (const row of text.split("\n")) {
    if (row.trim() === "") continue;
    const [, pid, parent, group, foreground, tty, birth = "", path = ""] = line.exec(row) ?? [];
    const startedAt = Date.parse(`${birth} UTC`);
    if (pid === undefined || Number.isNaN(startedAt)) return undefined;
    const isOnTty = tty !== undefined && !/^\?+$|^-$/.test(tty);
    found.push({
      pid: Number(pid),
      parent: Number(parent),
      birth,
      startedAt,
      name: path.slice(path.lastIndexOf("/") + 1).replace(/^-/, ""),
      argv: [path],
      group: Number(group),
      ...(isOnTty ? { tty, foregroundGroup: Number(foreground) } : {}),
    });
  }
  return found;
}

/** `ps -o pid=,command=`: command lines by pid. */
export function parseCommands(text: string): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const row of text.split("\n")) {
    const [, pid, command] = /^\s*(\d+) (.*)$/.exec(row) ?? [];
    if (pid !== undefined && command !== undefined) found.set(Number(pid), command);
  }
  return found;
}

/** Arguments of a command line whose program is known: only the program's path may hold spaces and stay whole. */
export function argumentsOf(path: string, command: string): readonly string[] {
  if (command.startsWith(`${path} `)) return [path, ...command.slice(path.length + 1).split(/\s+/)];
  return command.split(/\s+/).filter((part) => part !== "");
}

/**
 * The chosen variables of `ps -E`, which prints the environment behind the command line. Undefined where it printed
 * none. A value ends where the next variable begins, so one that holds ` X=` itself is cut: then its folder is not there.
 */
export function environmentBehind(command: string, withEnvironment: string): Environment | undefined {
  const tail = withEnvironment.startsWith(command) ? withEnvironment.slice(command.length) : "";
  if (!/^ [A-Za-z_]\w*=/.test(tail)) return undefined;
  const picked: { [Name in EnvironmentName]?: string } = {};
  for (const name of environmentNames) {
    const value = new RegExp(` ${name}=(.*?)(?= [A-Za-z_]\\w*=|\\s*$)`, "s").exec(tail)?.[1];
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}

/** `lsof -Ffn`: a line `f<descriptor>`, then `n<path>`, for each open file. */
export function parseLsof(text: string): readonly { readonly descriptor: string; readonly path: string }[] {
  const found: { descriptor: string; path: string }[] = [];
  let descriptor = "";
  for (const row of text.split("\n")) {
    if (row.startsWith("f")) descriptor = row.slice(1);
    else if (row.startsWith("n")) found.push({ descriptor, path: row.slice(1) });
  }
  return found;
}
