import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";

/** The program of this name that a shell would start. */
export function onPath(name: string): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(path.delimiter).filter(Boolean);
  return folders.map((folder) => path.join(folder, name)).find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
