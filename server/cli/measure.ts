import { realpathSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { resolveLines } from "../core/pressure.ts";
import { measureFile } from "../shell/transcripts/measure.ts";
import { type Found, findTranscripts } from "../shell/transcripts/measureFiles.ts";
import { createAgentSettings } from "../shell/transcripts/measureSettings.ts";
import type { Command, Console, ExitCode } from "./command.ts";
import { type MeasureArguments, parseMeasureArguments, usage } from "./measureArguments.ts";
import { followAll } from "./measureFollow.ts";
import type { Job } from "./measureJob.ts";
import { outputOf } from "./measureOutput.ts";
import { readTyped } from "./measureTyped.ts";

export const measure: Command = {
  name: "measure",
  summary: "size, pressure and state of each conversation, one JSON object a line",
  async run(args, console) {
    const parsed = parseMeasureArguments(args);
    if (parsed.kind === "help") {
      console.out(usage);
      return 0;
    }
    if (parsed.kind === "problem")
      return refuse(console, `${parsed.problem}\nplimsoll measure --help shows how it is used.`);
    return measureAll(parsed.arguments, console);
  },
};

async function measureAll(asked: MeasureArguments, console: Console): Promise<ExitCode> {
  const { environment } = console;
  const typed = asked.typed === undefined ? [] : await readTyped(asked.typed);
  if (typeof typed === "string") return refuse(console, typed);
  const lines = resolveLines({}, environment);
  if (lines.kind === "problem") return refuse(console, lines.problem);
  const home = asked.home === undefined ? console.home : resolve(asked.home);
  const found = await search(asked, home, console);
  if (typeof found === "string") return refuse(console, found);
  const job: Job = {
    options: { home, environment, typed, now: asked.now, settings: createAgentSettings() },
    lines: lines.lines,
    isWanted: await cwdFilter(asked.cwd),
    print: (record) => console.out(`${JSON.stringify(record)}\n`),
  };
  if (asked.follow) {
    await followAll({ ...job, found, search: () => search(asked, home, console), ended: console.ended });
    return 0;
  }
  return printOnce(job, found, asked, console);
}

async function printOnce(
  job: Job,
  found: readonly Found[],
  asked: MeasureArguments,
  console: Console,
): Promise<ExitCode> {
  let printed = 0;
  let isComplete = true;
  let isEnded = false;
  // A promise that only ever resolves.
  void console.ended.then(() => {
    isEnded = true;
  });
  for (const file of found) {
    const measured = await measureFile(file, job.options);
    if (isEnded) return 0;
    if (measured.kind === "failed") {
      isComplete = false;
      refuse(
        console,
        `${file.path} cannot be read (${measured.problem}). Check who may read it, or name another path.`,
      );
      continue;
    }
    if (measured.kind === "gone" || !job.isWanted(measured.conversation)) continue;
    job.print(outputOf(file.path, measured.conversation, job.lines, measured.settings.compaction));
    printed += 1;
  }
  if (!isComplete) return 2;
  if (printed > 0) return 0;
  const where = asked.cwd === undefined ? "" : ` of ${asked.cwd}`;
  console.error(`plimsoll: no conversation${where} was found in ${asked.paths.join(", ")}.\n`);
  return 1;
}

/** Transcripts of all paths, each once; a sentence where a path cannot be searched. */
async function search(
  asked: MeasureArguments,
  home: string,
  { environment }: Console,
): Promise<readonly Found[] | string> {
  const files = new Map<string, Found>();
  for (const path of asked.paths) {
    const found = await findTranscripts(path, { agent: asked.agent, home, environment });
    if (found.kind === "failed")
      return `${found.path} cannot be read (${found.problem}). Name a transcript or a folder that you may read.`;
    for (const file of found.files) files.set(file.path, file);
  }
  return [...files.values()];
}

async function cwdFilter(cwd: string | undefined): Promise<Job["isWanted"]> {
  if (cwd === undefined) return ({ subAgent }) => !subAgent;
  const real = await realpath(cwd).catch(() => undefined);
  const wanted = new Set([cwd, resolve(cwd), ...(real === undefined ? [] : [real])].map(plain));
  return ({ subAgent, cwd: own }) =>
    !subAgent && own !== undefined && (wanted.has(plain(own)) || wanted.has(realOf(own)));
}

/** The folder that a record's folder really is, where it is one of this machine. */
function realOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

/** Folders are compared as they stand in the records; only a separator at the end says nothing. */
const plain = (folder: string): string => (folder.length > 1 ? folder.replace(/[\\/]+$/, "") : folder);

function refuse({ error }: Console, sentence: string): ExitCode {
  error(`plimsoll: ${sentence}\n`);
  return 2;
}
