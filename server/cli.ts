import { homedir } from "node:os";
import type { Command, Console, ExitCode } from "./cli/command.ts";
import { doctor } from "./cli/doctor.ts";
import { measure } from "./cli/measure.ts";
import { type CommandIo, status } from "./cli/status.ts";

/** Every command: one line each. */
const commands: readonly Command[] = [
  measure,
  {
    name: "status",
    summary: "the agents that run on this machine, and how full each is",
    run: (args, console) => status(args, ioOf(console)),
  },
  {
    name: "doctor",
    summary: "what can be measured here, what cannot, and what to do about it",
    run: (args, console) => doctor(args, ioOf(console)),
  },
];

function ioOf({ out, error, environment, ended }: Console): CommandIo {
  const ending = new AbortController();
  // A promise that only ever resolves.
  void ended.then(() => ending.abort());
  return { out, err: error, environment, signal: ending.signal, isScreen: process.stdout.isTTY === true };
}

const overview = `plimsoll: how full the contexts of coding agents are

${commands.map(({ name, summary }) => `  plimsoll ${name.padEnd(8)} ${summary}`).join("\n")}

plimsoll <command> --help tells more.
`;

async function run(args: readonly string[], console: Console): Promise<ExitCode> {
  const [name, ...rest] = args;
  if (name === "--help" || name === "-h" || name === "help") {
    console.out(overview);
    return 0;
  }
  const command = commands.find((known) => known.name === name);
  if (command !== undefined) return command.run(rest, console);
  console.error(name === undefined ? overview : `plimsoll: there is no command “${name}”.\n\n${overview}`);
  return 2;
}

function createConsole(): Console {
  const ended = new Promise<void>((resolve) => {
    // A reader that went away (`| head`) is no error of ours.
    process.stdout.on("error", () => resolve());
    process.once("SIGINT", resolve);
    process.once("SIGTERM", resolve);
  });
  return {
    out: (text) => void process.stdout.write(text),
    error: (text) => void process.stderr.write(text),
    environment: process.env,
    home: homedir(),
    ended,
  };
}

run(process.argv.slice(2), createConsole()).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`plimsoll: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  },
);
