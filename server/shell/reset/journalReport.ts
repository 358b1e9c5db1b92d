import { join } from "node:path";
import { readPrivate } from "../secureFiles.ts";
import { journalFile } from "./journalFiles.ts";
import { readLine } from "./journalRecord.ts";

/** The steps of one reset as its journal has them, as Markdown: ids, times and fixed words. Says so where it can't be read. */
export function journalReport(storageDir: string, instanceId: string, resetId: string): string {
  const file = journalFile(join(storageDir, "journal"), instanceId);
  let text = "";
  try {
    text = readPrivate(file) ?? "";
  } catch {
    return `The journal ${file} cannot be read.\n`;
  }
  const rows = text.split("\n").flatMap((line) => {
    const told = line === "" ? undefined : readLine(line)?.told;
    if (told?.kind !== "step" || told.resetId !== resetId) return [];
    const { event, from, to, ended } = told;
    const outcome = ended === undefined ? "" : `${ended.outcome}: ${ended.reason}`;
    return [`| ${new Date(event.at).toISOString()} | ${event.kind} | ${from} | ${to} | ${outcome} |`];
  });
  return [
    `# Reset ${resetId}`,
    "",
    "What was done, step by step. Nothing more is typed by itself: look at the terminal, then choose *Abort* to close it.",
    "",
    "| time (UTC) | event | from | to | end |",
    "|---|---|---|---|---|",
    ...rows,
    "",
    `Journal: ${file}`,
    "",
  ].join("\n");
}
