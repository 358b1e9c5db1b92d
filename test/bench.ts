// `npm run bench` measures every figure and writes BENCHMARKS.md; `npm run bench -- first-reading` measures one and only
// prints it. Nothing here fails because of a figure.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { appended } from "./bench/appended.ts";
import { buildInto } from "./bench/bundles.ts";
import type { Bench, Figure } from "./bench/figure.ts";
import { firstReading } from "./bench/firstReading.ts";
import { host } from "./bench/host.ts";
import { idle } from "./bench/idle.ts";
import { latency } from "./bench/latency.ts";
import { memory } from "./bench/memory.ts";
import { consoleTable, type Done, markdownOf } from "./bench/report.ts";
import { reset } from "./bench/reset.ts";
import { sizes } from "./bench/sizes.ts";

const root = path.resolve(import.meta.dirname, "..");
const figures: readonly Figure[] = [firstReading, appended, latency, idle, memory, host, reset, sizes];

const dir = mkdtempSync(path.join(tmpdir(), "plimsoll-bench-"));
process.once("exit", () => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(1));

const names = process.argv.slice(2);
const chosen = names.length === 0 ? figures : figures.filter(({ id }) => names.includes(id));
if (chosen.length < Math.max(names.length, 1)) {
  console.error(`usage: npm run bench [-- FIGURE …], where FIGURE is one of ${figures.map(({ id }) => id).join(", ")}`);
  process.exit(2);
}

const bench: Bench = {
  dir,
  dist: await buildInto(path.join(dir, "dist")),
  say: (sentence) => console.log(`  ${sentence}`),
};
const done: Done[] = [];
for (const figure of chosen) {
  console.log(`\n${figure.title}`);
  const measured = await figure.measure(bench);
  done.push({ figure, measured });
  console.log(consoleTable(measured));
}
if (chosen.length === figures.length) {
  writeFileSync(path.join(root, "BENCHMARKS.md"), markdownOf(done));
  console.log("\nBENCHMARKS.md is written.");
}
process.exit(0);
