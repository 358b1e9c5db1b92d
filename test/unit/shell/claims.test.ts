import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openClaims } from "../../../server/shell/reset/claims.ts";

const owner = { pid: 7, birth: "1" };
const other = { pid: 8, birth: "2" };
const instanceId = "claude-7-1";

describe("a claim", () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "plimsoll-claims-"));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const files = () => readdirSync(join(dir, "claims"));

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

  it("is held until it is let go or taken over", async () => {
    const mine = openClaims(dir, owner, async () => false);
    const theirs = openClaims(dir, other, async () => false);
    assert.equal(mine.held(instanceId), false);
    await mine.take(instanceId);
    assert.equal(mine.held(instanceId), true);
    await theirs.take(instanceId);
    assert.equal(mine.held(instanceId), false);
    mine.release(instanceId);
    assert.equal(theirs.held(instanceId), true);
    theirs.release(instanceId);
    assert.equal(theirs.held(instanceId), false);
    assert.equal(await mine.heldElsewhere(instanceId), false);
  });

  it("is of one process: the same number with another birth is another", async () => {
    const mine = openClaims(dir, owner, async () => true);
    const reused = openClaims(dir, { ...owner, birth: "99" }, async () => true);
    await mine.take(instanceId);
    assert.equal(await reused.take(instanceId), false);
    assert.equal(reused.held(instanceId), false);
  });

  it("of one agent says nothing of another's", async () => {
    const mine = openClaims(dir, owner, async () => true);
    const theirs = openClaims(dir, other, async () => true);
    await mine.take("claude-1-1");
    assert.equal(await theirs.take("claude-1-11"), true);
    assert.equal(await theirs.take("claude-1"), true);
    assert.equal(mine.held("claude-1-1"), true);
  });

  it("whose file says nothing is taken over", async () => {
    const mine = openClaims(dir, owner, async () => true);
    await mine.take("x");
    writeFileSync(join(dir, "claims", `${instanceId}.1.claim`), "{", { mode: 0o600 });
    assert.equal(await mine.take(instanceId), true);
  });

  it("leaves few files, and none of what nobody holds since long ago", async () => {
    const mine = openClaims(dir, owner, async () => true);
    for (let round = 0; round < 30; round += 1) {
      await mine.take(instanceId);
      mine.release(instanceId);
    }
    assert.equal(files().length, 8);
    await mine.take("held");
    writeFileSync(join(dir, "claims", "x.1.claim.5.aa.new"), "", { mode: 0o600 });
    for (const name of files()) utimesSync(join(dir, "claims", name), 1, 1);
    await mine.take("y");
    assert.deepEqual(files().toSorted(), ["held.1.claim", "y.1.claim"]);
  });

  it("that others could have written is refused", async function () {
    if (process.platform === "win32") this.skip();
    const mine = openClaims(dir, owner, async () => true);
    await mine.take(instanceId);
    chmodSync(join(dir, "claims", `${instanceId}.1.claim`), 0o666);
    await assert.rejects(mine.take(instanceId), /open to other accounts/);
  });
});

describe("a claim that eight processes want at the same moment", () => {
  let dir: string;
  let racers: ChildProcess[];
  before(async function () {
    this.timeout(60_000);
    dir = mkdtempSync(join(tmpdir(), "plimsoll-race-"));
    const file = fileURLToPath(new URL("./claimsRacer.ts", import.meta.url));
    racers = [0, 1, 2, 3, 4, 5, 6, 7].map((me) => fork(file, [dir, String(me)], { execArgv: ["--import", "tsx"] }));
    await Promise.all(racers.map((racer) => once(racer, "message")));
  });
  after(() => {
    for (const racer of racers) racer.kill();
    rmSync(dir, { recursive: true, force: true });
  });

  const tell = (order: object) =>
    Promise.all(
      racers.map(async (racer) => {
        const answered = once(racer, "message");
        racer.send(order);
        return (await answered)[0];
      }),
    );

  it("is won by exactly one each time it is taken over from a dead one", async function () {
    this.timeout(60_000);
    for (let round = 0; round < 200; round += 1) {
      const answers = await tell({ kind: "race", round, at: Date.now() + 3 });
      assert.equal(answers.filter(({ won }) => won === true).length, 1, `round ${round}: ${JSON.stringify(answers)}`);
      assert.ok(answers.every(({ won, held }) => won === held));
    }
  });

  it("is never held by two while it goes from one to the next", async function () {
    this.timeout(60_000);
    const answers = await tell({ kind: "churn", rounds: 50 });
    assert.deepEqual(answers, Array(8).fill({ clashes: 0 }));
  });
});
