// An extension of the benchmarks: starts with the extension host, first of all, and looks at what the others cost in it.
import { mkdirSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector";
import path from "node:path";
import { timeActivations } from "./timing.ts";

/** How long is looked, ms. */
const forMs = 10_000;
const samplingMicroseconds = 250;

export function activate(): void {
  const folder = process.env["PLIMSOLL_BENCH_FOLDER"];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  const write = (value: unknown) => writeFileSync(path.join(folder, `${process.pid}.json`), JSON.stringify(value));
  if (process.env["PLIMSOLL_BENCH_LOOK"] === "profile") profile(write);
  else {
    const times = timeActivations();
    setTimeout(() => write(times), forMs);
  }
}

function profile(write: (value: unknown) => void): void {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.setSamplingInterval", { interval: samplingMicroseconds });
  session.post("Profiler.start");
  const before = process.cpuUsage();
  setTimeout(() => {
    const { user, system } = process.cpuUsage(before);
    session.post("Profiler.stop", (_error, { profile }) => write({ cpuMs: (user + system) / 1000, profile }));
  }, forMs);
}
