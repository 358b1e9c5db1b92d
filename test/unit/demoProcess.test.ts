import { deepEqual, equal } from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { createDiscover } from "../../server/shell/discovery/discover.ts";
import { linuxProcesses } from "../../server/shell/processes/linux.ts";
import { type Demo, prepareDemo } from "../demo/prepare.ts";
import { endProcess } from "../support/processes.ts";
import { until } from "../support/until.ts";

describe("the demo agent as a process", () => {
  let demo: Demo;
  let terminal: ChildProcess | undefined;

  beforeEach(async function () {
    if (process.platform !== "linux") this.skip();
    demo = await prepareDemo();
  });
  afterEach(async () => {
    if (terminal?.pid !== undefined) await endProcess(terminal.pid);
    await demo?.remove();
  });

  function open(): ChildProcess {
    // Not the shell's last command: some shells become that one.
    const command = `stty cols 80 rows 24; '${demo.launcher}'; true`;
    return spawn("script", ["-qec", command, "/dev/null"], {
      cwd: demo.project,
      env: { PATH: process.env["PATH"], HOME: demo.root, SHELL: "/bin/sh", TERM: "xterm-256color" },
      stdio: ["pipe", "pipe", "ignore"],
    });
  }

  async function sessions(): Promise<readonly string[]> {
    return (await readdir(path.join(demo.config, "sessions")).catch(() => [])).filter((name) => name.endsWith(".json"));
  }

  it("is found as a Claude Code in its terminal, tied to its conversation, and leaves nothing behind", async () => {
    terminal = open();
    let screen = "";
    terminal.stdout?.on("data", (chunk) => {
      screen += String(chunk);
    });
    await until("the demo on the screen", () => screen.includes("DEMO"));
    const [name = ""] = await until("its session", async () => {
      const found = await sessions();
      return found.length === 1 && found;
    });
    const pid = Number.parseInt(name, 10);
    const processes = linuxProcesses();
    const self = await processes.one(pid);
    const shellPid = self.kind === "known" ? self.value.parent : 0;
    const look = createDiscover(processes);
    const request = { extraClaudeDirs: [], extraCodexHomes: [], picks: new Map(), environment: {}, now: Date.now() };
    const found = await look({ ...request, shells: [{ terminalId: "t1", shellPid }] });

    const [instance] = found.kind === "known" ? found.value : [];
    equal(instance?.pid, pid);
    equal(instance?.agent, "claude");
    equal(instance?.place, "terminal");
    equal(instance?.foreground, true);
    equal(instance?.binding, "process");
    equal(instance?.configDir, demo.config);
    equal(instance?.reported?.state, "idle");

    terminal.stdin?.write("hello");
    await until("the words in its box", () => screen.includes("hello"));
    terminal.stdin?.write("\r");
    const transcript = path.join(demo.config, "projects", demo.project.replaceAll(/[^a-zA-Z0-9]/g, "-"));
    await until("an answer", async () => {
      const text = await readFile(path.join(transcript, `${instance?.conversationId}.jsonl`), "utf8");
      return text.includes('"turn_duration"');
    });
    terminal.stdin?.write("\u0004");
    await until("its end", async () => (await sessions()).length === 0);
    deepEqual(await sessions(), []);
  });

  it("saves where a request says, when the line is pasted", async () => {
    const folder = path.join(demo.project, ".plimsoll/0123456789ab");
    await mkdir(folder, { recursive: true });
    const state = path.join(folder, "state.md");
    await writeFile(path.join(folder, "request.md"), `Write \`${state}\`\n\ncheck code: fedcba987654\n`);
    terminal = open();
    let screen = "";
    terminal.stdout?.on("data", (chunk) => {
      screen += String(chunk);
    });
    await until("the demo on the screen", () => screen.includes("DEMO"));
    terminal.stdin?.write("\u001b[200~[plimsoll save 0123456789ab] Read the request and do what it says.\u001b[201~");
    await until("the words in its box", () => screen.includes("[plimsoll save"));
    terminal.stdin?.write("\r");
    const text = await until("the state", () => readFile(state, "utf8"));
    equal(text.split("\n")[0], "<!-- plimsoll check code: fedcba987654 -->");
    await until("its answer", () => screen.includes("Saved."));
    equal((await readdir(folder)).length, 2);
    terminal.stdin?.write("\u0004");
    await until("its end", async () => (await sessions()).length === 0);
  });
});
