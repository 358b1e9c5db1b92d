import { homedir } from "node:os";
import type { Command, Console, ExitCode } from "./cli/command.ts";
import { measure } from "./cli/measure.ts";

/** Every command: one line each. */
const commands: readonly Command[] = [measure];

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
