// An extension of the benchmarks: starts with the extension host and profiles it, whoever else runs in it.
import { writeFileSync } from "node:fs";
import { Session } from "node:inspector";
import path from "node:path";

/** How long is looked, ms. */
const forMs = 10_000;
const samplingMicroseconds = 250;

export function activate(): void {
  const folder = process.env["PLIMSOLL_BENCH_PROFILES"];
  if (folder === undefined) return;
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.setSamplingInterval", { interval: samplingMicroseconds });
  session.post("Profiler.start");
  const before = process.cpuUsage();
  setTimeout(() => {
    const { user, system } = process.cpuUsage(before);
    session.post("Profiler.stop", (_error, { profile }) => {
      const file = path.join(folder, `${process.pid}.json`);
      writeFileSync(file, JSON.stringify({ cpuMs: (user + system) / 1000, profile }));
    });
  }, forMs);
}
