import assert from "node:assert/strict";
import { linuxProcesses } from "../../../server/shell/processes/linux.ts";
import { createProcFolder, type Entry } from "./procFolder.ts";

const tree: readonly Entry[] = [
  { pid: 900_001, parent: 1, argv: ["bash"] },
  { pid: 900_002, parent: 900_001, argv: ["node", "/usr/bin/codex"] },
  { pid: 900_003, parent: 900_002, argv: ["/opt/codex"] },
  { pid: 900_004, parent: 900_003, argv: ["rg"] },
  { pid: 900_005, parent: 900_001, argv: ["vim"], name: "v) 1 (im" },
  { pid: 900_006, parent: 1, argv: ["bash"] },
];

describe("the processes of Linux", () => {
  before(function () {
    if (process.platform === "win32") this.skip();
  });

  for (const children of [true, false]) {
    it(`are walked from the shells down to the agents, ${children ? "with" : "without"} lists of children`, async () => {
      const folder = createProcFolder(tree, { uptime: 1000, children });
      const processes = linuxProcesses(folder.root);
      const found = await processes.under([900_001], (one) => one.argv[0] === "/opt/codex");
      folder.dispose();
      assert.ok(found.kind === "known");
      assert.deepEqual(found.value.map((one) => one.pid).toSorted(), [900_001, 900_002, 900_003, 900_005]);
    });
  }

  it("are gone when they are not there, which is not the same as unknown", async () => {
    const folder = createProcFolder(tree, { uptime: 1000, children: true });
    const processes = linuxProcesses(folder.root);
    assert.equal((await processes.one(900_009)).kind, "gone");
    assert.equal((await processes.details(900_009)).kind, "gone");
    folder.dispose();
    assert.equal((await processes.lockersOf([])).kind, "unknown");
  });

  it("tell their details only to their own user", async () => {
    const secret = { HOME: "/home/ada", OPENAI_API_KEY: "secret" };
    const folder = createProcFolder(
      [
        { pid: 900_001, parent: 1, argv: ["codex"], environment: secret, namespace: "pid:[2]", cwd: "/" },
        { pid: 900_002, parent: 1, argv: ["codex"], environment: secret, uid: 4_000_000 },
      ],
      { uptime: 1000, children: true },
    );
    const processes = linuxProcesses(folder.root);
    const own = await processes.details(900_001);
    const other = await processes.details(900_002);
    folder.dispose();
    assert.deepEqual(own, {
      kind: "known",
      value: { own: true, foreignNamespace: true, cwd: "/", environment: { HOME: "/home/ada" } },
    });
    assert.deepEqual(other, { kind: "known", value: { own: false, foreignNamespace: false } });
  });

  it("read a long argument list whole", async () => {
    const prompt = "word ".repeat(50_000);
    const folder = createProcFolder([{ pid: 900_001, parent: 1, argv: ["claude", prompt] }], {
      uptime: 1000,
      children: true,
    });
    const found = await linuxProcesses(folder.root).one(900_001);
    folder.dispose();
    assert.ok(found.kind === "known");
    assert.equal(found.value.argv[1], prompt);
  });
});
