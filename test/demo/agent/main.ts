// A stand-in for Claude Code, to try Plimsoll without any account: it draws the same prompt box and writes the same
// files, into a configuration folder of its own. Bundled into one file named `claude`, and run by plain Node.
import { realpathSync } from "node:fs";
import { processesHere } from "../../../server/shell/processes/here.ts";
import { createConversation } from "./conversation.ts";
import { type Draft, edit, emptyDraft } from "./draft.ts";
import { createKeys, type Key } from "./keys.ts";
import { version } from "./records.ts";
import { draw, enterScreen, leaveScreen } from "./screen.ts";
import { createStore } from "./store.ts";
import { files } from "./tools.ts";

const config = process.env["CLAUDE_CONFIG_DIR"];
const args = process.argv.slice(2);
if (args.some((arg) => /^(-v|--version)$/.test(arg))) {
  console.log(`${version} (Plimsoll's demo agent)`);
} else if (!config || !process.stdin.isTTY || !process.stdout.isTTY || args.some((arg) => /^(-p|--print)$/.test(arg))) {
  console.error("The demo agent is a program for a terminal, started by npm start.");
  process.exitCode = 1;
} else {
  run(config).catch((error: unknown) => {
    process.stdout.write(leaveScreen);
    console.error(error);
    process.exit(1);
  });
}

async function run(config: string): Promise<void> {
  const { stdin, stdout } = process;
  const cwd = realpathSync(process.cwd());
  const self = await processesHere()?.one(process.pid);
  const birth = self?.kind === "known" ? self.value.birth : "";
  const store = createStore(config, cwd, { pid: process.pid, birth, startedAt: Date.now() });
  const clock = {
    now: Date.now,
    after: (ms: number, run: () => void) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  };
  const conversation = createConversation({ store, files, clock, cwd, changed: show, quit }, resumedId(args));
  const keys = createKeys();
  let draft: Draft = emptyDraft;
  let isLeaving = false;

  function show(): void {
    const doing = conversation.doing();
    const shown = {
      cwd,
      messages: conversation.messages(),
      draft,
      ...(doing === undefined ? {} : { doing }),
      footer: isLeaving ? "Press Ctrl+C again to exit" : "demo agent · type a prompt and press Enter",
    };
    const size = { cols: stdout.columns, rows: stdout.rows };
    stdout.write(`\u001b]0;${doing === undefined ? "✳" : "◐"} Claude Code\u0007${draw(shown, size)}`);
  }

  function press(key: Key): void {
    const wasLeaving = isLeaving;
    isLeaving = false;
    if (key.kind === "enter") {
      const { text } = draft;
      draft = emptyDraft;
      conversation.submit(text);
    } else if (key.kind === "escape") conversation.interrupt();
    else if (key.kind === "end-of-input" && draft.text === "") quit();
    else if (key.kind === "interrupt") interrupt(wasLeaving);
    else draft = edit(draft, key);
  }

  function interrupt(wasLeaving: boolean): void {
    if (conversation.doing() !== undefined) conversation.interrupt();
    else if (wasLeaving) quit();
    else {
      isLeaving = draft.text === "";
      draft = emptyDraft;
    }
  }

  function quit(): void {
    conversation.close();
    stdin.setRawMode(false);
    stdout.write(`${leaveScreen}The demo agent has ended. Type claude to start it again.\r\n`);
    process.exit(0);
  }

  stdout.write(enterScreen);
  stdin.setRawMode(true);
  stdin.setEncoding("utf8");
  stdin.on("data", (input) => {
    for (const key of keys(String(input))) press(key);
    show();
  });
  stdin.on("end", quit);
  stdout.on("resize", show);
  for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"] as const) process.on(signal, quit);
  show();
}

function resumedId(args: readonly string[]): string | undefined {
  const at = args.findIndex((arg) => /^(-r|--resume)$/.test(arg));
  return at < 0 ? undefined : args[at + 1];
}
