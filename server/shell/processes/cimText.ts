import * as z from "zod";
import type { ProcessFacts } from "./process.ts";

/** Asks for every process as one JSON array. The birth is a Windows file time, as Claude writes it of itself. */
export const cimQuery =
  "[Console]::OutputEncoding=[Text.Encoding]::UTF8;" +
  "ConvertTo-Json -Compress @(Get-CimInstance Win32_Process|" +
  "Select-Object ProcessId,ParentProcessId,Name,ExecutablePath,CommandLine," +
  "@{n='Birth';e={if($_.CreationDate){$_.CreationDate.ToFileTimeUtc().ToString()}}})";

const Row = z.object({
  ProcessId: z.number().int().nonnegative(),
  ParentProcessId: z.number().int().nonnegative(),
  Name: z.string(),
  ExecutablePath: z.string().nullish(),
  CommandLine: z.string().nullish(),
  Birth: z.string().regex(/^\d+$/).nullish(),
});

/** `executable` and a command line are there for processes of this user only. */
export type WindowsProcess = ProcessFacts & { readonly executable?: string };

/** 100 ns steps between 1601 and 1970, in ms. */
const fileTimeEpochMs = 11_644_473_600_000n;

/** Undefined where it is not what was asked for. Processes without a birth (System, Idle) are left out. */
export function parseCim(text: string): readonly WindowsProcess[] | undefined {
  const parsed = z.array(Row).safeParse(jsonOf(text));
  return parsed.data?.flatMap((row) =>
    typeof row.Birth !== "string"
      ? []
      : [
          {
            pid: row.ProcessId,
            parent: row.ParentProcessId,
            birth: row.Birth,
            startedAt: Number(BigInt(row.Birth) / 10_000n - fileTimeEpochMs),
            name: row.Name.replace(/\.exe$/i, ""),
            argv: splitCommandLine(row.CommandLine ?? ""),
            ...(typeof row.ExecutablePath === "string" ? { executable: row.ExecutablePath } : {}),
          },
        ],
  );
}

/** A parent that is younger than its child is another process that got the number of the one that ended. */
export function withoutReusedParents(processes: readonly WindowsProcess[]): readonly WindowsProcess[] {
  const births = new Map(processes.map((process) => [process.pid, BigInt(process.birth)]));
  return processes.map((process) =>
    (births.get(process.parent) ?? 0n) > BigInt(process.birth) ? { ...process, parent: 0 } : process,
  );
}

/** The rules of `CommandLineToArgvW`: quotes group, 2n backslashes before a quote are n, an odd one keeps the quote. */
export function splitCommandLine(line: string): readonly string[] {
  const parts = line.match(/(?:"(?:\\.|[^"\\])*(?:"|$)|\\+"|[^\s"])+/g) ?? [];
  return parts.map((part, at) =>
    at === 0
      ? part.replaceAll('"', "")
      : part.replace(/(\\*)("|$)/g, (_, slashes: string, quote: string) => {
          if (quote === "") return slashes;
          return "\\".repeat(slashes.length >> 1) + (slashes.length % 2 === 1 ? '"' : "");
        }),
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}
