import assert from "node:assert/strict";
import { chmodSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { noReset, reduce } from "../../../server/core/reset/machine.ts";
import type { Recovered } from "../../../server/shell/reset/journal.ts";
import {
  agentGone,
  approved,
  cancelled,
  claimed,
  digest,
  judged,
  type Make,
  pressed,
  recovered,
  shown,
  start,
} from "../reset/events.ts";
import { compactPressed, full, toClaimed, toClearing, toPressed } from "../reset/paths.ts";
import { createJournalRig, instanceId, type JournalRig, later, month, other, owner } from "./journalRig.ts";

const brief: readonly Make[] = [approved(), cancelled];

describe("the journal", () => {
  let rig: JournalRig;
  beforeEach(() => {
    rig = createJournalRig();
  });
  afterEach(() => rig.dispose());

  const records = () => rig.lines().map((line) => JSON.parse(line));

  /** All but what a poll changes. */
  const known = ({ state, ...rest }: Recovered) => ({
    ...rest,
    state: { ...state, attempt: 0, asking: false, waitsFor: undefined, because: undefined },
  });

  it("gives the same state when it is read again, at every step of a whole reset", () => {
    for (let length = 1; length <= full().length; length += 1) {
      rmSync(rig.dir, { recursive: true, force: true });
      const state = rig.write(full().slice(0, length));
      const { resets, problems } = rig.recover();
      const isKept = "submission" in state && /last-look|pressing/.test(state.submission.step);
      // Between the look and Enter nothing is written: what is read again is the order to type.
      if (!isKept) assert.deepEqual(resets.map(known), [{ instanceId, state, owner }].map(known));
      else assert.match(JSON.stringify(resets[0]?.state), /"step":"typing"/);
      assert.deepEqual(problems, []);
    }
  });

  it("writes each step with owner, times and kinds, in private files of small signed lines", () => {
    rig.write(full());
    const all = records();
    assert.deepEqual(
      all.map(({ v, seq, kind }) => [v, seq, kind]),
      all.map((_, index) => [2, index, "step"]),
    );
    assert.equal(new Set(all.map(({ mac }) => mac)).size, all.length);
    const { path, origin, requestedBy, resetId, ended } = all.at(-1);
    assert.deepEqual({ path, origin, requestedBy }, { path: "approved", origin: "normal", requestedBy: "person" });
    assert.equal(resetId, "0123456789ab");
    assert.equal(ended.outcome, "confirmed");
    assert.ok(rig.lines().every((line) => Buffer.byteLength(line) < 4096));
    assert.deepEqual(rig.files(), [`${instanceId}.jsonl`, "key"]);
    if (process.platform === "win32") return;
    for (const name of rig.files()) assert.equal(statSync(join(rig.dir, name)).mode & 0o777, 0o600);
    assert.equal(statSync(rig.dir).mode & 0o777, 0o700);
    assert.equal(statSync(join(rig.dir, "key")).size, 32);
  });

  it("says who asked for what, as the order does", () => {
    rig.write([approved({ path: "unattended", origin: "forced", requestedBy: "policy" })]);
    const [{ path, origin, requestedBy }] = records();
    assert.deepEqual({ path, origin, requestedBy }, { path: "unattended", origin: "forced", requestedBy: "policy" });
  });

  it("keeps back what comes between the look and Enter, and writes it with the next step", () => {
    const journal = rig.open();
    const state = rig.write(toClearing(), journal);
    const before = rig.lines().length;
    const looking = rig.write([shown(), judged()], journal, state);
    assert.equal(rig.lines().length, before);
    rig.write([toPressed().at(-1) ?? cancelled], journal, looking);
    assert.equal(rig.lines().length, before + 3);
  });

  it("asks the machine what must wait and what was submitted", () => {
    const own = createJournalRig({
      mustWait: ({ phase }) => phase === "prepared",
      submittedOf: (id, before, after) => [{ kind: "escape", at: `${id} ${before.phase} ${after.phase}`.length }],
    });
    const journal = own.open();
    const state = own.write([approved()], journal);
    assert.deepEqual(own.files(), ["key"]);
    own.write([judged()], journal, state);
    assert.deepEqual(own.recover().submitted, [
      { kind: "escape", at: "claude-7-1 none prepared".length },
      { kind: "escape", at: "claude-7-1 prepared saving".length },
    ]);
    own.dispose();
  });

  it("knows after a restart which lines were ours", () => {
    rig.write(compactPressed);
    const { submitted } = rig.recover();
    assert.deepEqual(
      submitted.map((entry) => [entry.at, entry.kind, "name" in entry && entry.name]),
      [[start, "command", "compact"]],
    );
  });

  it("is replayed to the same state though polls are not in it", () => {
    const journal = rig.open();
    const state = rig.write([...full(), approved()], journal);
    const polled = { ...state, attempt: state.attempt + 40 };
    rig.write([judged()], journal, polled);
    assert.equal(rig.recover().resets[0]?.state.phase, "saving");
  });

  it("is replayed to the same state though each worker counts anew", () => {
    rig.write(full());
    const anew = rig.write([approved(), judged()], rig.open(other));
    assert.deepEqual(rig.recover().resets, [{ instanceId, state: anew, owner: other }]);
  });

  it("that could not be written takes the step later if it was taken, and not if it was not", function () {
    if (process.platform === "win32") this.skip();
    const journal = rig.open();
    const state = rig.write([approved()], journal);
    chmodSync(rig.file, 0o640);
    const event = judged()(state.attempt);
    assert.throws(() => journal.append(instanceId, state, event, reduce(state, event)), /cannot be written/);
    assert.match(journal.problem() ?? "", /cannot be written .*open to other accounts/);
    chmodSync(rig.file, 0o600);
    // It was not: the reset ended unwritten, and another begins.
    const second = rig.write([approved(), judged()], journal, { phase: "none", attempt: 9 });
    assert.equal(journal.problem(), undefined);
    assert.deepEqual(
      records().map(({ kind, to }) => to ?? kind),
      ["prepared", "gap", "prepared", "saving/locking"],
    );
    assert.deepEqual(rig.recover().resets[0]?.state, second);
    // It was: a key was out.
    chmodSync(rig.file, 0o640);
    const won = claimed()(second.attempt);
    assert.throws(() => journal.append(instanceId, second, won, reduce(second, won)));
    chmodSync(rig.file, 0o600);
    const ended = rig.write([cancelled], journal, reduce(second, won).state);
    assert.deepEqual(rig.recover().resets[0]?.state, ended);
    assert.deepEqual(rig.recover().problems, []);
  });

  it("follows no link, and says why it cannot be written", function () {
    if (process.platform === "win32") this.skip();
    const journal = rig.open();
    journal.problem();
    const target = join(rig.storageDir, "elsewhere");
    writeFileSync(target, "");
    symlinkSync(target, rig.file);
    assert.throws(() => rig.write([approved()], journal), /is a link/);
    assert.match(rig.recover().problems.join(), /is a link/);
    assert.equal(statSync(target).size, 0);
  });

  it("of an agent whose reset is open in another worker takes no other", () => {
    rig.write(toClaimed());
    assert.throws(() => rig.write([approved()], rig.open(other)), /another worker \(process 7\)/);
    const state = rig.recover().resets[0]?.state ?? noReset;
    const journal = rig.open(other);
    journal.recover(later);
    rig.write([cancelled, claimed()], journal, state);
    assert.match(JSON.stringify(rig.recover().resets), /dispatched.*"pid":8/);
  });

  it("notices that another process wrote, and goes on from there", () => {
    const journal = rig.open();
    rig.write(brief, journal);
    rig.write(brief, rig.open(other));
    rig.write(brief, journal);
    assert.deepEqual(
      records().map(({ owner }) => owner.pid),
      [7, 7, 8, 8, 7, 7],
    );
    assert.deepEqual(rig.recover().problems, []);
  });

  it("writes nothing over what another process wrote between the look and Enter", () => {
    const journal = rig.open();
    const looking = rig.write([...toClearing(), shown(), judged()], journal);
    const found = rig.recover().resets[0]?.state;
    rig.write([cancelled, agentGone, recovered], rig.open(other), found);
    const before = rig.lines();
    const event = pressed()(looking.attempt);
    assert.throws(() => journal.append(instanceId, looking, event, reduce(looking, event)), /another process wrote/);
    assert.deepEqual(rig.lines(), before);
    assert.deepEqual(rig.recover().problems, []);
  });

  it("forgets finished resets after a month, and never an open one", () => {
    rig.write(full());
    assert.equal(rig.recover(start + month / 2).resets.length, 1);
    assert.equal(rig.recover(start + month).resets.length, 0);
    assert.deepEqual(rig.files(), ["key"]);
    rig.write(toPressed());
    assert.equal(rig.recover(start + month).resets.length, 1);
  });

  it("begins a long file anew with the next reset, goes on counting, and keeps the past clears", function () {
    this.timeout(60_000);
    const journal = rig.open();
    rig.write(full(), journal);
    let [most, size, rotations] = [0, 0, 0];
    while (rotations < 2) {
      rig.write(brief, journal);
      const now = statSync(rig.file).size;
      if (now < size) rotations += 1;
      size = now;
      most = Math.max(most, size);
    }
    assert.ok(most > 700_000 && most < 1024 * 1024, `${most}`);
    assert.ok(statSync(rig.file).size < most);
    const all = records();
    assert.deepEqual(
      all.slice(0, 3).map(({ kind }) => kind),
      ["snapshot", "clear", "step"],
    );
    assert.deepEqual(
      all.map(({ seq }) => seq),
      all.map((_, index) => all[0].seq + index),
    );
    assert.ok(all[0].seq > 1000);
    const { resets, problems } = rig.recover();
    assert.deepEqual(problems, []);
    assert.equal(resets[0]?.state.phase, "none");
    assert.equal(rig.open(other).pastClears().length, 1);
    assert.equal(journal.pastClears().length, 1);
  });

  it("knows every past clear, newest first, also after a restart", () => {
    const journal = rig.open();
    rig.write(full(), journal);
    rig.write(compactPressed, journal, noReset, "claude-8-1");
    const late = full().map(
      (make): Make =>
        (attempt) => ({ ...make(attempt), at: later }),
    );
    rig.write(late, journal, noReset, "codex-9-1");
    const clear = {
      resetId: "0123456789ab",
      oldConversationId: "old",
      newConversationId: "new",
      beforeTokens: 287_000,
      afterTokens: 21_000,
    };
    for (const one of [journal, rig.open(other)])
      assert.deepEqual(one.pastClears(), [
        { ...clear, instanceId: "codex-9-1", at: later, cwd: "/w/api" },
        { ...clear, instanceId, at: start, cwd: "/w/api" },
      ]);
    rig.write(full(), journal);
    assert.equal(journal.pastClears().length, 3);
  });

  it("takes at most 64 agents: the oldest finished one makes room, and where all are open none does (R124)", function () {
    this.timeout(60_000);
    const journal = rig.open();
    const at = (index: number): readonly Make[] => [(attempt) => ({ ...approved()(attempt), at: start + index })];
    for (let index = 0; index < 64; index += 1) {
      const state = rig.write(at(index), journal, noReset, `claude-${index}-1`);
      if (index === 3 || index === 5) rig.write([cancelled], journal, state, `claude-${index}-1`);
    }
    for (const next of ["claude-100-1", "claude-101-1"]) rig.write(at(0), journal, noReset, next);
    assert.equal(rig.files().length, 65);
    assert.ok(!rig.files().includes("claude-3-1.jsonl") && !rig.files().includes("claude-5-1.jsonl"));
    assert.throws(
      () => rig.write(at(0), journal, noReset, "claude-102-1"),
      /64 journals of resets that have not ended/,
    );
    assert.match(journal.problem() ?? "", /64 journals/);
    assert.equal(rig.recover().resets.length, 64);
  });

  it("does not write what would hold too much", () => {
    const carry = Array.from({ length: 8 }, () => ({ textId: "x".repeat(500), digest: digest("a") }));
    assert.throws(() => rig.write([approved({ carry })]), /too long/);
    assert.throws(() => rig.write([approved({ approvalId: "x".repeat(501) })]));
  });
});
