import { mkdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { openClaims } from "../../../server/shell/reset/claims.ts";

/**
 * One of several processes that want the same claim; run by `claims.test.ts`. `race`: at a given moment, and whoever
 * held it in an earlier round is dead. `churn`: take, be alone, let go, again and again.
 */
type Order =
  | { readonly kind: "race"; readonly round: number; readonly at: number }
  | { readonly kind: "churn"; readonly rounds: number };

const [dir = "", me = ""] = process.argv.slice(2);
const pid = 1000 + Number(me);

process.on("message", (order: Order) => {
  const done = order.kind === "race" ? race(order.round, order.at) : churn(order.rounds);
  done.then(
    (result) => process.send?.(result),
    (error) => process.send?.({ error: String(error) }),
  );
});
process.send?.("ready");

async function race(round: number, at: number): Promise<unknown> {
  const claims = openClaims(dir, { pid, birth: String(round) }, async ({ birth }) => birth === String(round));
  while (Date.now() < at) {
    // All of them go on at the same moment.
  }
  const won = await claims.take("claude-1-1");
  return { won, held: claims.held("claude-1-1") };
}

/** How often another was inside at the same time. */
async function churn(rounds: number): Promise<unknown> {
  const claims = openClaims(dir, { pid, birth: "1" }, async () => true);
  const inside = join(dir, "inside");
  let clashes = 0;
  for (let entered = 0; entered < rounds; ) {
    if (!(await claims.take("claude-2-1"))) {
      await new Promise((resolve) => setImmediate(resolve));
      continue;
    }
    entered += 1;
    try {
      mkdirSync(inside);
      rmdirSync(inside);
    } catch {
      clashes += 1;
    }
    if (!claims.held("claude-2-1")) clashes += 1;
    claims.release("claude-2-1");
  }
  return { clashes };
}
