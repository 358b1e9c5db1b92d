import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isPoll } from "../../../server/core/reset/journalled.ts";
import { noReset, reduce } from "../../../server/core/reset/machine.ts";
import type { Event, Reset } from "../../../server/core/reset/types.ts";
import { type Journal, type JournalOptions, openJournal } from "../../../server/shell/reset/journal.ts";
import { type Make, order, start } from "../reset/events.ts";

export const owner = { pid: 7, birth: "1" };
export const other = { pid: 8, birth: "2" };
export const instanceId = order.instanceId;
export const month = 31 * 24 * 60 * 60_000;
export const later = start + 60_000;

export type JournalRig = ReturnType<typeof createJournalRig>;

/** A journal folder, and what is in it. */
export function createJournalRig(options: Partial<JournalOptions> = {}) {
  const storageDir = mkdtempSync(join(tmpdir(), "plimsoll-journal-"));
  const dir = join(storageDir, "journal");
  const file = join(dir, `${instanceId}.jsonl`);
  const open = (who = owner): Journal => openJournal(storageDir, who, options);

  return {
    storageDir,
    dir,
    file,
    open,
    dispose: () => rmSync(storageDir, { recursive: true, force: true }),
    lines: (): string[] => readFileSync(file, "utf8").trimEnd().split("\n"),
    setLines: (lines: readonly string[]) =>
      writeFileSync(file, lines.map((line) => `${line}\n`).join(""), { mode: 0o600 }),
    files: () => readdirSync(dir).toSorted(),
    aside: () => readdirSync(join(dir, "aside")).toSorted(),
    /** What the next worker finds. */
    recover: (now = later, who = other) => open(who).recover(now),
    /** Runs events through machine and journal, as the loop does; the state it ended in. */
    write(makes: readonly Make[], journal = open(), from: Reset = noReset, id = instanceId): Reset {
      return makes.reduce((state, make) => step(journal, id, state, make(state.attempt)), from);
    },
  };
}

export function step(journal: Journal, id: string, from: Reset, event: Event): Reset {
  const taken = reduce(from, event);
  if (taken.state !== from && !isPoll(from, taken.state)) journal.append(id, from, event, taken);
  return taken.state;
}
