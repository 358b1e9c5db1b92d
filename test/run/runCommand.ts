import { execFileSync, spawn } from "node:child_process";
import { descendants, endProcess } from "../support/processes.ts";

export type CommandEnd = {
  readonly well: boolean;
  readonly lines: readonly string[];
  /** Why it was ended, where it was. */
  readonly endedBecause?: string;
};

/** Passes the output on as it comes, and ends the command with all its children when its time is over. */
export async function runCommand(
  command: readonly string[],
  cwd: string,
  limitMs: number,
  stop: AbortSignal,
  echo: Pick<NodeJS.WriteStream, "write"> = process.stdout,
): Promise<CommandEnd> {
  const child = spawn(process.execPath, command, {
    cwd,
    // No terminal is asked for anything, and a group of its own can be ended as a whole.
    stdio: ["ignore", "pipe", "pipe"],
    detached: process.platform !== "win32",
    env: { ...process.env, NO_COLOR: "1" },
  });
  const gather = lineGatherer();
  child.stdout.on("data", (chunk: Buffer) => {
    echo.write(chunk);
    gather.add(chunk);
  });
  child.stderr.on("data", (chunk: Buffer) => void process.stderr.write(chunk));

  let ending = Promise.resolve();
  let because: string | undefined;
  const end = (why: string) => {
    if (because !== undefined) return;
    because = why;
    ending = endAll(child.pid);
  };
  const timer = setTimeout(() => end(`it was still running after ${Math.round(limitMs / 1000)} s`), limitMs);
  const onStop = () => end("the run was interrupted");
  stop.addEventListener("abort", onStop);
  if (stop.aborted) onStop();

  const exited = new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(1));
    child.once("exit", resolve);
  });
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const code = await exited;
  clearTimeout(timer);
  stop.removeEventListener("abort", onStop);
  // A child of a child may hold the pipe open for ever; what it still says is not waited for.
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 2000))]);
  child.stdout.destroy();
  child.stderr.destroy();
  await ending;
  const well = code === 0 && because === undefined;
  return { well, lines: gather.lines(), ...(because === undefined ? {} : { endedBecause: because }) };
}

/** Terminals and servers have process groups of their own, so the group alone is not enough. */
async function endAll(pid: number | undefined): Promise<void> {
  if (pid === undefined) return;
  if (process.platform === "win32") {
    execFileSync("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore" });
    return;
  }
  const family = descendants(pid);
  await endProcess(-pid).catch(() => undefined);
  await Promise.all(family.map((member) => endProcess(member).catch(() => undefined)));
}

function lineGatherer() {
  const decoder = new TextDecoder();
  let text = "";
  return {
    add: (chunk: Buffer) => {
      text += decoder.decode(chunk, { stream: true });
    },
    lines: () => text.split("\n"),
  };
}
