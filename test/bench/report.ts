import { cpus, totalmem } from "node:os";
import type { Figure, Measured, Row } from "./figure.ts";

export type Done = { readonly figure: Figure; readonly measured: Measured };

export function consoleTable({ rows, notes }: Measured): string {
  const width = Math.max(...rows.map(({ what }) => what.length));
  const lines = rows.map(
    (row) => `  ${row.what.padEnd(width)}  ${row.measured.padStart(12)}  ${row.limit.padStart(10)}  ${verdict(row)}`,
  );
  return [...lines, ...notes.map((note) => `  - ${note}`)].join("\n");
}

export function markdownOf(done: readonly Done[]): string {
  const table = done.flatMap(({ figure, measured }) =>
    measured.rows.map((row) => `| ${figure.title}: ${row.what} | ${row.measured} | ${row.limit} | ${verdict(row)} |`),
  );
  const sections = done.map(({ figure, measured }) =>
    [
      `### ${figure.title}`,
      "",
      `\`npm run bench -- ${figure.id}\``,
      "",
      ...measured.notes.map((note) => `- ${note}`),
      "",
    ].join("\n"),
  );
  return `# Benchmarks

Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: ${machine()}.
Where machines differ the figures are ratios of two programs in the same run. CPU time is what the system charged the
process, not the time that passed, unless a line says otherwise: it depends less on what else the machine was doing. No test
depends on any of this. A figure that is missed is said to be missed.

The transcripts are made for the run, with records like Claude Code's: a prompt about every twenty records, the response in
one record for each part of it, results of tools with 2 to 60 KB, the system prompt at the start. Each ends after a turn. How
much further back the person's last prompt lies than the last response decides what a first reading costs.

| What | Measured | At most | |
| --- | --- | --- | --- |
${table.join("\n")}

## How it was measured

${sections.join("\n")}`;
}

const verdict = ({ met }: Row): string => (met === undefined ? "" : met ? "met" : "**missed**");

function machine(): string {
  const gibibytes = Math.round(totalmem() / 1024 ** 3);
  return `${cpus().length} cores, ${gibibytes} GiB, ${process.platform} ${process.arch}, Node ${process.versions.node}`;
}
