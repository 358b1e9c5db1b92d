import { basename, dirname } from "node:path";
import {
  gone,
  known,
  type Lookup,
  type ProcessDetails,
  type Processes,
  type ProcessFacts,
  unknown,
} from "./process.ts";
import { argumentsOf, environmentBehind, parseCommands, parseLsof, parsePs, psColumns } from "./psText.ts";
import { run } from "./run.ts";
import { below } from "./tree.ts";

/** Process facts from `ps` and `lsof`. Dates in English and UTC, whatever the person's settings. */
export function darwinProcesses(tool: typeof run = run): Processes {
  const ps = (...args: readonly string[]) => tool("/bin/ps", args, { LC_ALL: "C", TZ: "UTC" });
  const lsof = (...args: readonly string[]) => tool("/usr/sbin/lsof", ["-n", "-P", ...args], { LC_ALL: "C" });

  async function snapshot(...which: readonly string[]): Promise<Lookup<readonly ProcessFacts[]>> {
    const text = await ps(...which, "-o", psColumns);
    if (text.kind !== "known") return text;
    const parsed = parsePs(text.value);
    return parsed === undefined ? unknown("unreadable ps output") : known(parsed);
  }

  async function withArguments(processes: readonly ProcessFacts[]): Promise<Lookup<readonly ProcessFacts[]>> {
    if (processes.length === 0) return known([]);
    const text = await ps("-ww", "-o", "pid=,command=", "-p", processes.map((process) => process.pid).join(","));
    if (text.kind !== "known") return text;
    const commands = parseCommands(text.value);
    return known(
      processes.flatMap((process) => {
        const command = commands.get(process.pid);
        return command === undefined ? [] : [{ ...process, argv: argumentsOf(process.argv[0] ?? "", command) }];
      }),
    );
  }

  async function under(roots: readonly number[], isLeaf: (process: ProcessFacts) => boolean) {
    if (roots.length === 0) return known([]);
    const all = await snapshot("-ax");
    if (all.kind !== "known") return all;
    const whole = await withArguments(below(all.value, roots, () => false));
    return whole.kind === "known" ? known(below(whole.value, roots, isLeaf)) : whole;
  }

  async function one(pid: number): Promise<Lookup<ProcessFacts>> {
    const found = await snapshot("-p", String(pid));
    if (found.kind !== "known") return found;
    const whole = await withArguments(found.value);
    if (whole.kind !== "known") return whole;
    const [process] = whole.value;
    return process === undefined ? gone : known(process);
  }

  async function details(pid: number): Promise<Lookup<ProcessDetails>> {
    const user = await ps("-o", "uid=", "-p", String(pid));
    if (user.kind !== "known") return user;
    if (user.value.trim() === "") return gone;
    const own = Number(user.value) === process.getuid?.();
    if (!own) return known({ own, foreignNamespace: false });
    const command = await ps("-ww", "-o", "command=", "-p", String(pid));
    const behind = await ps("-E", "-ww", "-o", "command=", "-p", String(pid));
    const files = await lsof("-a", "-p", String(pid), "-d", "cwd,txt", "-Ffn");
    const isBoth = command.kind === "known" && behind.kind === "known";
    const environment = isBoth ? environmentBehind(command.value.trimEnd(), behind.value.trimEnd()) : undefined;
    const open = files.kind === "known" ? parseLsof(files.value) : [];
    const cwd = open.find((file) => file.descriptor === "cwd")?.path;
    const executable = open.find((file) => file.descriptor === "txt")?.path;
    return known({
      own,
      foreignNamespace: false,
      ...(cwd === undefined ? {} : { cwd }),
      ...(executable === undefined ? {} : { executable }),
      ...(environment === undefined ? {} : { environment }),
    });
  }

  async function heldIn(pid: number, folder: string): Promise<Lookup<readonly string[]>> {
    const files = await lsof("-a", "-p", String(pid), "-Ffn");
    if (files.kind !== "known") return files;
    const open = parseLsof(files.value);
    if (open.length === 0) return unknown("lsof shows no open file");
    return known(open.flatMap(({ path }) => (dirname(path) === folder ? [basename(path)] : [])));
  }

  return {
    platform: "darwin",
    under,
    one,
    all: async () => {
      const all = await snapshot("-ax");
      return all.kind === "known" ? withArguments(all.value) : all;
    },
    details,
    heldIn,
    lockersOf: async () => unknown("this system does not list locks"),
  };
}
