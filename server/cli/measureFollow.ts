import { adapters } from "../agents/registry.ts";
import { createFollower } from "../shell/transcripts/follow.ts";
import { judgeState } from "../shell/transcripts/measure.ts";
import type { Found } from "../shell/transcripts/measureFiles.ts";
import type { TailState } from "../shell/transcripts/tail.ts";
import type { Job } from "./measureJob.ts";
import { outputOf, outputOfGone } from "./measureOutput.ts";

type FollowJob = Job & {
  readonly found: readonly Found[];
  /** Looks again for transcripts: a clear makes a new one. */
  readonly search: () => Promise<readonly Found[] | string>;
  readonly ended: Promise<void>;
};

/** New transcripts are looked for this often, ms. */
const searchMs = 1000;
/** Where there are many, a search takes long: this many times as long is waited before the next one. */
const restFactor = 400;
const searchMostMs = 5000;

/** Prints each conversation now and at each change, until ended. */
export async function followAll(job: FollowJob): Promise<void> {
  const files = new Map<string, Found>();
  const printed = new Map<string, string>();
  /** One print after the other: a later state never overtakes an earlier one. */
  let printing = Promise.resolve();

  const follower = createFollower({
    changed: (path) => {
      printing = printing.then(() => printLatest(path));
    },
    typed: () => job.options.typed,
  });

  async function printLatest(path: string): Promise<void> {
    const found = files.get(path);
    const followed = follower.followed(path);
    if (found === undefined || followed === undefined || followed.kind === "new") return;
    if (followed.kind === "read") await printState(found, followed.state);
    else if (followed.kind === "gone" && printed.has(path)) {
      const { agent } = found;
      const id = adapters[agent].conversationIdOf(path) ?? follower.conversationOf(path)?.conversationId;
      print(path, outputOfGone(path, agent, id));
    }
  }

  async function printState(found: Found, state: TailState): Promise<void> {
    const { conversation, settings } = await judgeState(found, state, job.options);
    if (job.isWanted(conversation))
      print(found.path, outputOf(found.path, conversation, job.lines, settings.compaction));
  }

  function print(path: string, record: Readonly<Record<string, unknown>>): void {
    const text = JSON.stringify(record);
    if (printed.get(path) === text) return;
    printed.set(path, text);
    job.print(record);
  }

  function follow(found: readonly Found[]): void {
    for (const file of found) {
      if (files.has(file.path)) continue;
      files.set(file.path, file);
      follower.follow(file);
    }
  }

  follow(job.found);
  let searcher = setTimeout(search, searchMs);
  let isEnded = false;
  function search(): void {
    const start = performance.now();
    // `search` answers with a sentence where it fails; what is followed stays followed.
    void job.search().then((found) => {
      if (isEnded) return;
      if (typeof found !== "string") follow(found);
      const rest = (performance.now() - start) * restFactor;
      searcher = setTimeout(search, Math.min(Math.max(rest, searchMs), searchMostMs));
    });
  }
  await job.ended;
  isEnded = true;
  clearTimeout(searcher);
  follower.dispose();
  await printing;
}
