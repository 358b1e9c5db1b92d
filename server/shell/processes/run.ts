import { execFile } from "node:child_process";
import { known, type Lookup, unknown } from "./process.ts";

/** Longest a system tool may take (ms); PowerShell alone needs about one second to start. */
const timeoutMs = 10_000;
const outputLimit = 32 * 1024 * 1024;

/** Output of a system tool. Some end with code 1 after useful output (`ps`, `lsof`): then the output counts. */
export function run(
  program: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Lookup<string>> {
  return new Promise((resolve) => {
    const options = { timeout: timeoutMs, maxBuffer: outputLimit, env: environment, windowsHide: true };
    execFile(program, [...args], options, (error, stdout) => {
      const isCut = error !== null && (error.killed === true || typeof error.code === "string");
      resolve(isCut ? unknown(`${program}: ${error.code ?? "timeout"}`) : known(stdout));
    });
  });
}
