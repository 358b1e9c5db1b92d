import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiscover, type DiscoverRequest } from "../../../server/shell/discovery/discover.ts";
import { linuxProcesses } from "../../../server/shell/processes/linux.ts";
import { endProcess } from "../../support/processes.ts";

/** Does nothing, for as long as it is let; opens the files it is given first. */
const idle =
  "for (const f of process.argv.slice(1)) require('fs').openSync(f, 'a'); console.log('up'); setInterval(() => {}, 1e4)";

/** A home folder and small processes that look like agents: same name, environment and records, nothing else. */
export function createStandIns() {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "plimsoll-")));
  const cwd = join(home, "api");
  const children: ChildProcess[] = [];
  const inTerminals: number[] = [];
  const processes = linuxProcesses();
  const discover = createDiscover(processes);
  mkdirSync(cwd);

  return {
    home,
    cwd,
    write(path: string, content: string | object): string {
      const file = join(home, path);
      mkdirSync(join(file, ".."), { recursive: true });
      writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
      return file;
    },
    /** A process named as the agent; `args` stand behind the program, `files` are held open. */
    async start(
      name: string,
      options: { args?: readonly string[]; files?: readonly string[]; environment?: object } = {},
    ) {
      const child = spawn(process.execPath, ["-e", idle, "--", ...(options.files ?? []), ...(options.args ?? [])], {
        argv0: name,
        cwd,
        env: { HOME: home, ...options.environment },
        stdio: ["ignore", "pipe", "ignore"],
      });
      children.push(child);
      await once(child.stdout, "data");
      const pid = child.pid ?? 0;
      const facts = await processes.one(pid);
      if (facts.kind !== "known") throw new Error(`the stand-in ${name} ended`);
      return { pid, birth: facts.value.birth };
    },
    /** The same below a shell, in the foreground of a terminal of its own, as in an integrated terminal. */
    async startInTerminal(name: string) {
      const program = `console.log('up ' + process.pid); setInterval(() => {}, 1e4)`;
      const command = `(exec -a ${name} '${process.execPath}' -e "${program}"); true`;
      const child = spawn(
        "script",
        ["-qec", `bash -c ${JSON.stringify(command.replaceAll("$", "\\$"))}`, "/dev/null"],
        {
          cwd,
          env: { HOME: home, PATH: process.env["PATH"], SHELL: "/bin/bash" },
          stdio: ["ignore", "pipe", "ignore"],
        },
      );
      children.push(child);
      const [output] = await once(child.stdout, "data");
      const pid = Number(/up (\d+)/.exec(String(output))?.[1]);
      const facts = await processes.one(pid);
      if (facts.kind !== "known") throw new Error(`the stand-in ${name} ended`);
      inTerminals.push(pid);
      return { pid, birth: facts.value.birth, shellPid: facts.value.parent };
    },
    async find(over: Partial<DiscoverRequest> = {}) {
      const found = await discover({
        shells: [{ terminalId: "t1", shellPid: process.pid }],
        picks: new Map(),
        extraClaudeDirs: [],
        extraCodexHomes: [],
        environment: {},
        now: Date.now(),
        ...over,
      });
      if (found.kind !== "known") throw new Error("the processes could not be read");
      return found.value;
    },
    async dispose() {
      // From the inside out: `script` waits two seconds for what still runs in its terminal.
      await Promise.all(inTerminals.map((pid) => endProcess(pid)));
      await Promise.all(children.map(async (child) => child.pid !== undefined && endProcess(child.pid)));
      rmSync(home, { recursive: true, force: true });
    },
  };
}
