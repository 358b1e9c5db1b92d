import { spawnSync } from "node:child_process";
import { z } from "zod";
import { type Figure, limited, milliseconds, quantile } from "./figure.ts";

/** Resets of each agent. */
const resets = 5;

const Run = z.record(z.string(), z.array(z.object({ whole: z.number(), saveTurn: z.number(), own: z.number() })));

export const reset: Figure = {
  id: "reset",
  title: "A full reset, from the click to the brief",
  async measure(bench) {
    bench.say(`${resets} resets of each real agent in a real VS Code`);
    const tsx = [process.execPath, "--import", "tsx"] as const;
    const { stdout, status } = spawnSync(
      process.execPath,
      ["--import", "tsx", "test/support/netns.ts", ...tsx, "test/bench/resetRun.ts", String(resets)],
      { encoding: "utf8", maxBuffer: 1e8, stdio: ["ignore", "pipe", "inherit"] },
    );
    if (status !== 0) throw new Error(`the resets ended with ${status}`);
    const run = Run.parse(JSON.parse(stdout.trim().split("\n").at(-1) ?? ""));
    const rows = Object.entries(run).map(([kind, times]) =>
      limited(
        `${kind}: without the agent's save turn, half of them take at most`,
        quantile(
          times.map(({ own }) => own),
          0.5,
        ),
        6000,
        milliseconds,
      ),
    );
    const slowest = Object.entries(run).map(([kind, times]) => {
      const own = times.map((one) => one.own);
      return `${kind}: ${times.length} resets, 99 of 100 at most ${milliseconds(quantile(own, 0.99))}; with the agent's save turn half of them ${milliseconds(
        quantile(
          times.map(({ whole }) => whole),
          0.5,
        ),
      )}`;
    });
    return {
      rows,
      notes: [
        "From the journal: from the click to the brief's record in the new conversation, without the time between the Enter of the request to save and the end of that turn. Two seconds of it are the wait between two looks at what was saved, as far as the turn does not cover them, and 1.5 s the quiet that the screen must show before the brief.",
        ...slowest.map((one) => `${one}.`),
      ],
    };
  },
};
