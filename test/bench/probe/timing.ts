import Module from "node:module";
import path from "node:path";

type Times = Record<string, { loadMs: number; activateMs?: number }>;

/**
 * CPU time of loading the main file of each extension that is loaded from now on, and of its `activate()`, by the name of
 * its folder. That is the whole process's: what its other threads do meanwhile is counted, too.
 */
export function timeActivations(): Times {
  const times: Times = {};
  const load: unknown = Reflect.get(Module.prototype, "load");
  if (typeof load !== "function") throw new Error("modules are loaded otherwise in this VS Code");
  Reflect.set(Module.prototype, "load", function (this: NodeJS.Module, file: string): void {
    const name = /[\\/]extensions[\\/]([^\\/]+)[\\/]/.exec(file)?.[1];
    const start = process.cpuUsage();
    Reflect.apply(load, this, [file]);
    if (name === undefined || name in times || !/^(main|extension)\.cjs$/.test(path.basename(file))) return;
    const entry: Times[string] = { loadMs: cpuMs(start) };
    times[name] = entry;
    const { activate, ...rest } = this.exports;
    this.exports = {
      ...rest,
      activate: (...args: readonly unknown[]) => {
        const before = process.cpuUsage();
        const result: unknown = activate(...args);
        entry.activateMs = cpuMs(before);
        return result;
      },
    };
  });
  return times;
}

function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}
