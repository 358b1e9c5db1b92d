import { cimQuery, parseCim, type WindowsProcess, withoutReusedParents } from "./cimText.ts";
import {
  gone,
  known,
  type Lookup,
  type ProcessDetails,
  type Processes,
  type ProcessFacts,
  unknown,
} from "./process.ts";
import { run } from "./run.ts";
import { below } from "./tree.ts";

/** How long (ms) one answer serves: PowerShell takes about a second each time. */
const staleMs = 3000;

/** Process facts from CIM. Open files, environments and folders of other processes are not to be had there. */
export function windowsProcesses(tool: typeof run = run, clock: () => number = Date.now): Processes {
  let last: { readonly at: number; readonly answer: Promise<Lookup<readonly WindowsProcess[]>> } | undefined;

  function snapshot(): Promise<Lookup<readonly WindowsProcess[]>> {
    const now = clock();
    if (last === undefined || now - last.at > staleMs) last = { at: now, answer: ask() };
    return last.answer;
  }

  async function ask(): Promise<Lookup<readonly WindowsProcess[]>> {
    const text = await tool("powershell.exe", ["-NoProfile", "-NonInteractive", "-Command", cimQuery]);
    if (text.kind !== "known") return text;
    const parsed = parseCim(text.value);
    return parsed === undefined ? unknown("unreadable CIM output") : known(withoutReusedParents(parsed));
  }

  async function find(pid: number): Promise<Lookup<WindowsProcess>> {
    const all = await snapshot();
    if (all.kind !== "known") return all;
    const found = all.value.find((process) => process.pid === pid);
    return found === undefined ? gone : known(found);
  }

  async function details(pid: number): Promise<Lookup<ProcessDetails>> {
    const found = await find(pid);
    if (found.kind !== "known") return found;
    const { argv, executable } = found.value;
    return known({
      own: argv.length > 0,
      foreignNamespace: false,
      ...(executable === undefined ? {} : { executable }),
    });
  }

  async function under(roots: readonly number[], isLeaf: (process: ProcessFacts) => boolean) {
    const all = await snapshot();
    return all.kind === "known" ? known(below(all.value, roots, isLeaf)) : all;
  }

  return {
    platform: "win32",
    under,
    one: find,
    all: snapshot,
    details,
    heldIn: async () => unknown("this system does not list open files"),
    lockersOf: async () => unknown("this system does not list locks"),
  };
}
