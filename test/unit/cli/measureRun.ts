import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ExitCode } from "../../../server/cli/command.ts";
import { measure } from "../../../server/cli/measure.ts";

export const ids = [
  "00000000-0000-4000-8000-000000000001",
  "00000000-0000-4000-8000-000000000002",
  "00000000-0000-4000-8000-000000000003",
] as const;

export type Ran = { readonly code: ExitCode; readonly out: readonly Record<string, unknown>[]; readonly error: string };

/** Runs the command with nothing of this machine in sight. */
export async function run(
  args: readonly string[],
  environment: Record<string, string> = {},
  home = "/nobody",
): Promise<Ran> {
  const out: Record<string, unknown>[] = [];
  let error = "";
  const code = await measure.run(args, {
    out: (text) => {
      if (text.startsWith("{")) out.push(JSON.parse(text));
    },
    error: (text) => {
      error += text;
    },
    environment,
    home,
    ended: new Promise(() => undefined),
  });
  return { code, out, error };
}

/** Writes a file and the folders above it. */
export function put(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}
export const inProject = (home: string, id: string, slug = "-proj-demo") =>
  join(home, ".claude", "projects", slug, `${id}.jsonl`);
export const tokens = ({ out }: Ran) => out.map((record) => record["tokens"]);
