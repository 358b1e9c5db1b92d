import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createMachine, type MachineOptions, type Measured } from "../shell/machine.ts";
import { plain } from "../shell/plain.ts";
import { processesHere } from "../shell/processes/here.ts";

/** Where a command reads and writes. It never touches the process's own streams. */
export type CommandIo = {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The person's Ctrl+C. */
  readonly signal?: AbortSignal;
  /** The output is a screen, which may be wiped. */
  readonly isScreen?: boolean;
};

/** 0: done, 1: nothing found, 2: wrong usage. */
export type ExitCode = 0 | 1 | 2;

const usage = "Usage: plimsoll status [--json] [--watch]\n";
const watchMs = 2000;
const wipe = "\u001b[H\u001b[2J";

/** `plimsoll status`: the live agents of this machine, and how full each is. */
export async function status(
  args: readonly string[],
  io: CommandIo,
  machine: Partial<MachineOptions> = {},
): Promise<ExitCode> {
  const options = optionsOf(args);
  if (options === undefined) {
    io.err(`plimsoll status takes --json and --watch only.\n${usage}`);
    return 2;
  }
  const look = createMachine(hereWith(io, machine));
  for (;;) {
    const found = await look();
    if (found.kind !== "known") {
      io.err(`The processes of this machine could not be read (${found.kind === "unknown" ? found.why : "gone"}).\n`);
      return 1;
    }
    if (options.watch && io.isScreen === true && !options.json) io.out(wipe);
    if (options.json) io.out(`${JSON.stringify(found.value.map(row), undefined, options.watch ? 0 : 2)}\n`);
    else if (found.value.length > 0) io.out(table(found.value));
    if (!options.watch) {
      if (found.value.length > 0) return 0;
      io.err("No Claude Code or Codex of yours is running in a terminal here.\n");
      return 1;
    }
    await sleep(watchMs, undefined, io.signal === undefined ? {} : { signal: io.signal }).catch(() => undefined);
    if (io.signal?.aborted === true) return 0;
  }
}

/** This machine, as the command's own environment shows it. */
export function hereWith(io: CommandIo, machine: Partial<MachineOptions>): MachineOptions {
  return {
    processes: processesHere(),
    extraClaudeDirs: [],
    extraCodexHomes: [],
    environment: io.environment,
    now: Date.now,
    ...machine,
  };
}

function optionsOf(args: readonly string[]): { readonly json: boolean; readonly watch: boolean } | undefined {
  try {
    const options = { json: { type: "boolean", default: false }, watch: { type: "boolean", default: false } } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch {
    return undefined;
  }
}

/** One agent for a program to read. Absent: not known. */
function row({ name, instance, conversation, judgement, state, problem }: Measured) {
  const reading = conversation?.reading;
  return {
    name,
    agent: instance.agent,
    pid: instance.pid,
    place: instance.place,
    conversation: instance.conversationId,
    transcript: instance.transcript,
    cwd: instance.cwd,
    version: instance.version,
    model: conversation?.model,
    tokens: reading?.kind === "measured" ? reading.tokens : undefined,
    reading: reading?.kind,
    window: conversation?.window?.size,
    windowFrom: conversation?.window?.basis,
    percent: judgement?.percent,
    pressure: judgement?.pressure,
    breach: judgement?.breach,
    state,
    binding: instance.binding,
    candidates: instance.candidates,
    daemon: instance.daemon,
    badLines: conversation?.badLines,
    problem,
  };
}

const headings = ["NAME", "AGENT", "PID", "TOKENS", "PERCENT", "PRESSURE", "STATE", "BINDING"];
/** Numbers stand at the right of their column. */
const isNumber = [false, false, true, true, true, false, false, false];

function table(agents: readonly Measured[]): string {
  const rows = agents.map(({ name, instance, conversation, judgement, state }) => {
    const reading = conversation?.reading;
    const tokens = reading?.kind === "measured" ? `${reading.estimate ? "~" : ""}${grouped(reading.tokens)}` : "-";
    const percent = judgement?.percent === undefined ? "-" : `${Math.ceil(judgement.percent)}%`;
    const pressure = judgement === undefined ? "-" : judgement.breach ? `${judgement.pressure}!` : judgement.pressure;
    const { agent, pid, binding } = instance;
    return [name, agent, String(pid), tokens, percent, pressure, state, binding].map(plain);
  });
  const widths = headings.map((heading, at) =>
    Math.max(heading.length, ...rows.map((cells) => cells[at]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => (isNumber[at] ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join("  ")
      .trimEnd();
  const notes = agents.flatMap(({ name, problem }) => (problem === undefined ? [] : [`${plain(name)}: ${problem}`]));
  return `${[line(headings), ...rows.map(line), ...(notes.length > 0 ? ["", ...notes] : [])].join("\n")}\n`;
}

const grouped = (tokens: number): string => String(tokens).replace(/\B(?=(\d{3})+$)/g, " ");
