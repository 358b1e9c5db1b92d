import assert from "node:assert/strict";
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { noReset, reduce } from "../../../server/core/reset/machine.ts";
import type { Event, Reset } from "../../../server/core/reset/types.ts";
import { openClaims } from "../../../server/shell/reset/claims.ts";
import { openJournal } from "../../../server/shell/reset/journal.ts";
import { createResets } from "../../../server/shell/reset/resets.ts";
import { approved, observed, untilPressed } from "../reset/events.ts";

const owner = { pid: 7, birth: "1" };
const other = { pid: 8, birth: "2" };
const instanceId = "claude-7-1";

describe("the journal", () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "plimsoll-journal-"));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const file = () => join(dir, "journal", readdirSync(join(dir, "journal"))[0] ?? "");

  /** Runs events through machine and journal; returns the state it ended in. */
  function write(events: readonly Event[], journal = openJournal(dir, owner)): Reset {
    let state: Reset = noReset;
    for (const event of events) {
      const step = reduce(state, event);
      journal.append(instanceId, state, event, step);
      state = step.state;
    }
    return state;
  }

  it("gives the same state when it is read again, at every step", () => {
    for (let length = 1; length <= untilPressed.length; length += 1) {
      rmSync(join(dir, "journal"), { recursive: true, force: true });
      const events = untilPressed.slice(0, length);
      const state = write(events);
      const [found] = openJournal(dir, other).recover(2000).resets;
      const isKept = state.phase === "dispatched" && state.step !== "typing";
      // Between the look and Enter nothing is written: what is read again is the order to paste.
      assert.deepEqual(
        found?.state,
        isKept ? write(untilPressed.slice(0, 3), openJournal(mkdtempSync(join(dir, "x")), owner)) : state,
      );
      assert.deepEqual(found?.owner, owner);
    }
  });

  it("writes each step with owner, times and kinds, in private files of small lines", () => {
    write([...untilPressed, observed({ kind: "confirmed", settled: true })]);
    const lines = readFileSync(file(), "utf8").trimEnd().split("\n");
    const records = lines.map((line) => JSON.parse(line));
    assert.deepEqual(
      records.map(({ seq, to }) => [seq, to]),
      [
        [0, "prepared"],
        [1, "claimed"],
        [2, "dispatched/typing"],
        [3, "dispatched/last-look"],
        [4, "dispatched/pressing"],
        [5, "confirming"],
        [6, "none"],
      ],
    );
    assert.equal(records.at(-1).outcome, "confirmed");
    assert.ok(lines.every((line) => line.length <= 4096));
    if (process.platform !== "win32") {
      assert.equal(statSync(file()).mode & 0o777, 0o600);
      assert.equal(statSync(join(dir, "journal")).mode & 0o777, 0o700);
    }
  });

  it("knows after a restart which lines were ours", () => {
    write(untilPressed);
    assert.deepEqual(openJournal(dir, other).recover(2000).submitted, [{ instanceId, command: "clear", at: 1400 }]);
  });

  it("passes over lines it cannot read, and says so", () => {
    write(untilPressed.slice(0, 1));
    appendFileSync(file(), "{half\n");
    const { resets, problems } = openJournal(dir, other).recover(2000);
    assert.equal(resets[0]?.state.phase, "prepared");
    assert.match(problems.join(), /1 lines/);
  });

  it("forgets finished resets after a month, and never an open one", () => {
    const month = 31 * 24 * 60 * 60_000;
    write([...untilPressed, observed({ kind: "confirmed", settled: true })]);
    assert.equal(openJournal(dir, other).recover(1500).resets.length, 1);
    assert.equal(openJournal(dir, other).recover(month).resets.length, 0);
    assert.deepEqual(readdirSync(join(dir, "journal")), []);
    write(untilPressed);
    assert.equal(openJournal(dir, other).recover(month).resets.length, 1);
  });

  it("follows no link, and says why it cannot be written", function () {
    if (process.platform === "win32") this.skip();
    const journal = openJournal(dir, owner);
    const target = join(dir, "elsewhere");
    writeFileSync(target, "");
    symlinkSync(target, join(dir, "journal", `${instanceId}.jsonl`));
    assert.throws(() => write(untilPressed.slice(0, 1), journal), /cannot be written|ELOOP/);
    assert.equal(readFileSync(target, "utf8"), "");
  });

  it("starts a long file anew once its reset is over, and goes on counting", () => {
    const journal = openJournal(dir, owner);
    const round = [approved(), { kind: "cancelled", at: 1100 } as const];
    for (let rounds = 0; rounds < 1500; rounds += 1) write(round, journal);
    const lines = readFileSync(file(), "utf8").trimEnd().split("\n");
    assert.ok(statSync(file()).size < 1.1 * 1024 * 1024);
    assert.equal(JSON.parse(lines.at(-1) ?? "").seq, 2999);
  });
});

describe("a claim", () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "plimsoll-claims-"));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it("has one winner, and goes to another only when its owner is dead or lets it go", async () => {
    let isAlive = true;
    const mine = openClaims(dir, owner, async () => isAlive);
    const theirs = openClaims(dir, other, async () => isAlive);
    assert.equal(await mine.take(instanceId), true);
    assert.equal(await mine.take(instanceId), true);
    assert.equal(await theirs.take(instanceId), false);
    assert.equal(await theirs.heldElsewhere(instanceId), true);
    assert.equal(await mine.heldElsewhere(instanceId), false);
    theirs.release(instanceId);
    assert.equal(await theirs.take(instanceId), false);
    mine.release(instanceId);
    assert.equal(await theirs.take(instanceId), true);
    isAlive = false;
    assert.equal(await mine.take(instanceId), true);
  });

  it("whose file says nothing is taken over", async () => {
    const mine = openClaims(dir, owner, async () => true);
    await mine.take("x");
    writeFileSync(join(dir, "claims", `${instanceId}.claim`), "{");
    assert.equal(await mine.take(instanceId), true);
  });
});

describe("the loop", () => {
  it("types nothing that could not be written down first, and says so", () => {
    const performed: string[] = [];
    const problems: string[] = [];
    const resets = createResets({
      record: () => {
        throw new Error("disk full");
      },
      perform: async (_, effect) => {
        performed.push(effect.kind === "end" ? `end ${effect.outcome} ${effect.because.gate}` : effect.kind);
        return undefined;
      },
      changed: () => undefined,
      problem: (message) => problems.push(message),
    });
    resets.dispatch(instanceId, approved());
    assert.deepEqual(performed, ["end refused log-writable"]);
    assert.deepEqual(problems, ["disk full"]);
    assert.equal(resets.stateOf(instanceId).phase, "none");
  });

  it("records before it performs, and feeds each outcome back", async () => {
    const trace: string[] = [];
    const done = new Promise<void>((resolve) => {
      const resets = createResets({
        record: (_, from, event, { state }) => trace.push(`${event.kind}: ${from.phase} > ${state.phase}`),
        perform: async (_, effect) => {
          trace.push(effect.kind);
          if (effect.kind === "judge" && effect.stage === "prepare") return untilPressed[1];
          if (effect.kind === "claim") return { kind: "claim-answered", at: 1, attempt: 1, won: false };
          if (effect.kind === "end") resolve();
          return undefined;
        },
        changed: () => undefined,
        problem: (message) => trace.push(message),
      });
      resets.dispatch(instanceId, approved());
    });
    await done;
    assert.deepEqual(trace, [
      "approved: none > prepared",
      "judge",
      "judged: prepared > claimed",
      "claim",
      "claim-answered: claimed > none",
      "end",
    ]);
  });
});
