import { parseArgs } from "node:util";
import { examine } from "../shell/examine.ts";
import type { MachineOptions } from "../shell/machine.ts";
import { type CommandIo, type ExitCode, hereWith } from "./status.ts";

const usage = "Usage: plimsoll doctor\n";

/** `plimsoll doctor`: what can be measured here, what cannot, and what to do about it. */
export async function doctor(
  args: readonly string[],
  io: CommandIo,
  machine: Partial<MachineOptions> = {},
): Promise<ExitCode> {
  if (!isEmpty(args)) {
    io.err(`plimsoll doctor takes no arguments.\n${usage}`);
    return 2;
  }
  const { markdown, isAnyFound } = await examine(hereWith(io, machine));
  io.out(markdown);
  if (isAnyFound) return 0;
  io.err("Neither a running agent nor a config folder of one was found.\n");
  return 1;
}

function isEmpty(args: readonly string[]): boolean {
  try {
    return parseArgs({ args: [...args], options: {} }).positionals.length === 0;
  } catch {
    return false;
  }
}
