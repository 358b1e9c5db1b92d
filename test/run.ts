// `npm test`: every stage, one after the other, then one line with the sum. `npm test -- --only unit` runs a single one.
import path from "node:path";
import { add, type Counts, judgeStage, nothing, totalLine } from "./run/counts.ts";
import { type CommandEnd, runCommand } from "./run/runCommand.ts";
import { type Stage, stages } from "./run/stages.ts";

const root = path.resolve(import.meta.dirname, "..");
const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => interrupted.abort());

const chosen = choose(process.argv.slice(2));
const results: { readonly stage: Stage; readonly counts: Counts; readonly note: string }[] = [];
for (const stage of chosen) results.push({ stage, ...(await runStage(stage)) });

console.log("\n");
for (const { stage, counts, note } of results) console.log(`${stage.name.padEnd(10)} ${totalLine(counts)}  (${note})`);
const total = results.map(({ counts }) => counts).reduce(add, nothing);
console.log(`\n${totalLine(total)}`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;

async function runStage(stage: Stage): Promise<{ readonly counts: Counts; readonly note: string }> {
  console.log(`\n── ${stage.name}: ${stage.does}\n`);
  if (stage.skipped !== undefined) return { counts: { ...nothing, skipped: 1 }, note: stage.skipped };
  if (interrupted.signal.aborted) return { counts: { ...nothing, failed: 1 }, note: "the run was interrupted" };
  const started = performance.now();
  const { counts, note } = judgeStage(stage, await runCommands(stage));
  const seconds = `${Math.round((performance.now() - started) / 1000)} s`;
  return { counts, note: note === undefined ? seconds : `${seconds}, ${note}` };
}

async function runCommands({ commands, limitMinutes }: Stage): Promise<CommandEnd> {
  const until = performance.now() + limitMinutes * 60_000;
  let last: CommandEnd = { well: true, lines: [] };
  for (const command of commands) {
    last = await runCommand(command, root, Math.max(1000, until - performance.now()), interrupted.signal);
    if (!last.well) break;
  }
  return last;
}

function choose(args: readonly string[]): readonly Stage[] {
  const names = stages.map(({ name }) => name).join(", ");
  const [option, name, ...rest] = args;
  if (option === undefined) return stages;
  const stage = stages.find((one) => one.name === name);
  if (option !== "--only" || stage === undefined || rest.length > 0) {
    console.error(`usage: npm test [-- --only STAGE], where STAGE is one of ${names}`);
    process.exit(2);
  }
  return [stage];
}
