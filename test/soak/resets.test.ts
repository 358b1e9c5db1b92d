import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { endingOf } from "../e2e/product.ts";
import { endProcess } from "../support/processes.ts";
import { noteRow, resetTimes } from "./reliability.ts";
import { runResets, subjectKinds } from "./runResets.ts";

const resets = Number(process.env["SOAK_RESETS"] ?? 100);
const loads = (process.env["SOAK_HOGS"] ?? "2").split(",").map(Number);

for (const kind of subjectKinds)
  for (const hogs of loads)
    describe(`${resets} full resets in a row: ${kind}, ${hogs} busy loops beside it`, function () {
      this.timeout(resets * 60_000);

      let busy: readonly number[] = [];

      before(() => {
        const loops = Array.from({ length: hogs }, () =>
          spawn(process.execPath, ["-e", "for(;;);"], { stdio: "ignore" }),
        );
        busy = loops.flatMap(({ pid }) => pid ?? []);
      });
      after(async () => {
        await Promise.all(busy.map((pid) => endProcess(pid)));
      });

      it("are confirmed, or refused for a true reason; none wrong, none unknown", async () => {
        const steps = await runResets(kind, resets);
        const endings = steps.flatMap((step) => endingOf(step) ?? []);
        await noteRow(kind, hogs, endings, resetTimes(steps));
        const bad = endings.filter((ending) => ending !== "confirmed" && !ending.startsWith("refused at "));
        assert.deepEqual(bad, []);
        assert.equal(endings.length, resets);
      });
    });
