import { darwinProcesses } from "./darwin.ts";
import { linuxProcesses } from "./linux.ts";
import type { Processes } from "./process.ts";
import { windowsProcesses } from "./windows.ts";

/** Process facts of this machine; undefined on a system that we know no way for. */
export function processesHere(platform: string = process.platform): Processes | undefined {
  if (platform === "linux") return linuxProcesses();
  if (platform === "darwin") return darwinProcesses();
  return platform === "win32" ? windowsProcesses() : undefined;
}
