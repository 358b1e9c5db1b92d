import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiscover, type DiscoverRequest } from "../../../server/shell/discovery/discover.ts";
import { linuxProcesses } from "../../../server/shell/processes/linux.ts";
import { createProcFolder, type Entry } from "../processes/procFolder.ts";

const first = "01a22e4e-3a52-7e30-8225-3e6120000001";
const second = "01a22e88-b46c-75f3-a8ee-22dc60000003";
const daemon = 900_090;

/** Two terminals, 900_010 and 900_020, whose agents 900_011 and 900_021 share a daemon; seconds since the boot. */
function createHome(starts: readonly [number, number], entries: readonly Entry[] = []) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "plimsoll-")));
  const environment = { HOME: home };
  const codex = (pid: number, parent: number, at: number): Entry => ({
    pid,
    parent,
    argv: ["/opt/codex"],
    birth: at * 100,
    cwd: home,
    environment,
  });
  const folder = createProcFolder(
    [
      { pid: 900_010, parent: 1, argv: ["bash"] },
      codex(900_011, 900_010, starts[0]),
      { pid: 900_020, parent: 1, argv: ["bash"] },
      codex(900_021, 900_020, starts[1]),
      { pid: daemon, parent: 900_011, argv: ["/opt/codex", "app-server", "--listen", "unix://"] },
      ...entries,
    ],
    { uptime: 1000, children: true },
  );
  const bootedAt = Date.now() - 1_000_000;
  mkdirSync(join(home, ".codex/thread-writer-locks"), { recursive: true });
  const database = join(home, ".codex/state_5.sqlite-shm");
  writeFileSync(database, "");
  const holders: [number, string][] = [900_011, 900_021, daemon].map((pid) => [pid, database]);
  const discover = createDiscover(linuxProcesses(folder.root));
  return {
    /** A lock born so many seconds after the boot. Its birth cannot be set, so the last write stands in for it. */
    lock(id: string, at: number, holder = daemon) {
      const path = join(home, ".codex/thread-writer-locks", `${id}.lock`);
      writeFileSync(path, "");
      utimesSync(path, new Date(bootedAt + at * 1000), new Date(bootedAt + at * 1000));
      holders.push([holder, path]);
    },
    async find(over: Partial<DiscoverRequest> = {}) {
      folder.lock(holders);
      const found = await discover({
        shells: [
          { terminalId: "t1", shellPid: 900_010 },
          { terminalId: "t2", shellPid: 900_020 },
        ],
        picks: new Map(),
        extraClaudeDirs: [],
        extraCodexHomes: [],
        environment: {},
        now: bootedAt + 1_000_000,
        ...over,
      });
      assert.ok(found.kind === "known");
      return found.value.map((one) =>
        `${one.terminalId} ${one.binding} ${one.conversationId ?? one.candidates.join("+")}`.trim(),
      );
    },
    dispose() {
      folder.dispose();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

describe("telling apart Codex terminals that share a daemon", () => {
  let home: ReturnType<typeof createHome>;

  before(function () {
    if (process.platform !== "linux") this.skip();
  });
  afterEach(() => home?.dispose());

  it("works by birth where their starts lie apart", async () => {
    home = createHome([100, 500]);
    home.lock(first, 100.5);
    home.lock(second, 500.5);
    assert.deepEqual(await home.find(), [`t1 birth ${first}`, `t2 birth ${second}`]);
  });

  it("does not work where they started together", async () => {
    home = createHome([100, 101]);
    home.lock(first, 100.5);
    home.lock(second, 101.5);
    assert.deepEqual(await home.find(), [`t1 ambiguous ${first}+${second}`, `t2 ambiguous ${second}`]);
  });

  it("leaves out a lock that an agent without daemon holds itself", async () => {
    home = createHome([100, 500]);
    home.lock(first, 100.5);
    home.lock(second, 500.5, 900_021);
    assert.deepEqual(await home.find(), [`t1 birth ${first}`, `t2 process ${second}`]);
  });

  it("counts an agent that runs in another window", async () => {
    home = createHome([100, 500]);
    home.lock(first, 100.5);
    home.lock(second, 500.5);
    const shells = [{ terminalId: "t2", shellPid: 900_020 }];
    assert.deepEqual(await home.find({ shells }), [`t2 birth ${second}`]);
  });

  it("finds the conversation of our own clear, unless that was before the agent", async () => {
    home = createHome([100, 500]);
    home.lock(second, 700.1);
    const now = Date.now();
    const since = now - 1_000_000 + 700_000;
    const shell = (at: number) => [{ terminalId: "t1", shellPid: 900_010, since: at }];
    assert.deepEqual(await home.find({ shells: shell(since) }), [`t1 birth ${second}`]);
    assert.deepEqual(await home.find({ shells: shell(since - 650_000) }), [`t1 ambiguous ${second}`]);
  });

  it("believes titles first", async () => {
    home = createHome([100, 101]);
    home.lock(first, 100.5);
    home.lock(second, 101.5);
    const shells = [
      { terminalId: "t1", shellPid: 900_010, titleId: second.slice(0, 29) },
      { terminalId: "t2", shellPid: 900_020 },
    ];
    const [titled] = await home.find({ shells });
    assert.equal(titled, `t1 title ${second}`);
  });
});
