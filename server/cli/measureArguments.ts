import { parseArgs } from "node:util";
import { AgentId } from "../protocol/agents.ts";

export const usage = `plimsoll measure PATH... [options]

Reads transcripts and prints one JSON object a line for each conversation. A field that is unknown is absent.
PATH is a transcript, a home folder (with .claude or .codex), a config folder, or a projects or sessions folder.

  --home DIR      home folder whose settings files count (default: yours)
  --cwd DIR       only conversations of this working folder
  --agent NAME    claude or codex: only its transcripts
  --typed FILE    what was typed by a program: {"text", "at"}, or a list of these; never counted as a person's
  --now TIME      present time, ISO 8601: a turn without a record for 30 minutes is called stalled
  --follow        print again at each change, until interrupted
  --help

Exit code: 0 measured, 1 no conversation found, 2 not possible as asked.
`;

export type MeasureArguments = {
  readonly paths: readonly string[];
  readonly home: string | undefined;
  readonly cwd: string | undefined;
  readonly typed: string | undefined;
  readonly now: number | undefined;
  readonly agent: AgentId | undefined;
  readonly follow: boolean;
};

export type ParsedArguments =
  | { readonly kind: "arguments"; readonly arguments: MeasureArguments }
  | { readonly kind: "help" }
  | { readonly kind: "problem"; readonly problem: string };

export function parseMeasureArguments(args: readonly string[]): ParsedArguments {
  const parsed = parsedOf(args);
  if (typeof parsed === "string") return { kind: "problem", problem: parsed };
  const { values, positionals } = parsed;
  if (values.help === true) return { kind: "help" };
  if ([...positionals, ...Object.values(values)].includes("")) return problem("A PATH or a value is empty: name one.");
  const now = values.now === undefined ? undefined : Date.parse(values.now);
  if (now !== undefined && !Number.isFinite(now))
    return problem(`--now ${values.now} is no time; write it as 2026-10-05T09:00:00Z.`);
  const agent = AgentId.optional().safeParse(values.agent);
  if (!agent.success) return problem(`--agent ${values.agent} is unknown; it is claude or codex.`);
  const paths = positionals.length === 0 && values.home !== undefined ? [values.home] : positionals;
  if (paths.length === 0) return problem("No PATH was given: name a transcript or a folder.");
  const { home, cwd, typed, follow } = values;
  return {
    kind: "arguments",
    arguments: { paths, home, cwd, typed, now, agent: agent.data, follow: follow ?? false },
  };
}

const problem = (sentence: string): ParsedArguments => ({ kind: "problem", problem: sentence });

function parsedOf(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        home: { type: "string" },
        cwd: { type: "string" },
        typed: { type: "string" },
        now: { type: "string" },
        agent: { type: "string" },
        follow: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    return error instanceof Error ? error.message : "The options cannot be read.";
  }
}
