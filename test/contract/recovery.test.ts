import assert from "node:assert/strict";
import { once } from "node:events";
import { appendFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectSlug } from "../../server/agents/claude/sessions.ts";
import * as messages from "../../server/protocol/messages.ts";
import { answer, ask } from "../../server/protocol/wire.ts";
import { createStandIns } from "../unit/discover/standIn.ts";
import { assistant, clearRecords, human, sessionRecord } from "./records.ts";
import { type Host, inTerminal, startWorker } from "./support.ts";

const first = "9b7a0c1e-1111-4222-8333-444455556666";
const second = "9b7a0c1e-1111-4222-8333-777788889999";

describe("a worker that is killed in the middle of a reset", () => {
  let lab: ReturnType<typeof createStandIns>;
  let claude: { pid: number; birth: string; shellPid: number };
  let storageDir: string;
  const hosts: Host[] = [];

  beforeEach(async function () {
    if (process.platform !== "linux") this.skip();
    lab = createStandIns();
    claude = await lab.startInTerminal("claude");
    storageDir = mkdtempSync(join(tmpdir(), "plimsoll-state-"));
    const transcript = lab.write(`.claude/projects/${projectSlug(lab.cwd)}/${first}.jsonl`, "");
    record(first);
    const at = Date.now();
    appendFileSync(transcript, human(first, "h1", at - 60_000) + assistant(first, "m1", 150_000, at - 50_000));
  });
  afterEach(async () => {
    for (const host of hosts.splice(0)) await host.dispose();
    await lab?.dispose();
  });

  const record = (sessionId: string) =>
    lab.write(`.claude/sessions/${claude.pid}.json`, sessionRecord(claude, sessionId, lab.cwd));
  const start = async () => {
    const host = await startWorker(storageDir);
    hosts.push(host);
    return host;
  };
  const kill = async (host: Host) => {
    const ended = once(host.child, "exit");
    host.child.kill("SIGKILL");
    await ended;
  };

  /** A window whose answers never come from one message on: the worker dies waiting for it. */
  async function clickUntil(silent: "probe" | "type" | "press"): Promise<void> {
    const host = await start();
    const never = new Promise<never>(() => undefined);
    const asked = new Promise<void>((resolve) => {
      const quiet = <T>(name: string, reply: T) => {
        if (name !== silent) return reply;
        resolve();
        return never;
      };
      answer(host.peer, messages.ProbeScreen, () =>
        quiet("probe", {
          observable: true,
          box: "empty" as const,
          sequence: 1,
          quietForMs: 9000,
          freshSinceOwnWrite: true,
          terminalOpen: true,
          connected: true,
        }),
      );
      answer(host.peer, messages.TypeLine, () =>
        quiet("type", { outcome: "shown" as const, sequence: 7, at: Date.now() }),
      );
      answer(host.peer, messages.PressEnter, () => quiet("press", { outcome: "pressed" as const, at: Date.now() }));
    });
    await host.tellTerminals(claude.shellPid);
    const view = await host.viewWhere("a reading", inTerminal);
    await ask(host.peer, messages.Approve, {
      approvalId: "a1",
      instanceId: view.agents[0]?.instanceId ?? "",
      conversationId: first,
      command: "clear",
      at: Date.now(),
    });
    const early = host.ended().then(({ outcome, gate }) => assert.fail(`it ended ${outcome} at ${gate}`));
    await Promise.race([asked, early]);
    early.catch(() => undefined);
    await kill(host);
  }

  /** The next worker; any order to type or press fails the test. */
  async function next(): Promise<Host> {
    const host = await start();
    answer(host.peer, messages.TypeLine, () => assert.fail("it typed again"));
    answer(host.peer, messages.PressEnter, () => assert.fail("it pressed again"));
    await host.tellTerminals(claude.shellPid);
    return host;
  }

  it("aborts what had typed nothing, and says so", async () => {
    await clickUntil("probe");
    const ending = await (await next()).ended();
    assert.equal(ending.outcome, "aborted");
    assert.match(ending.reason, /nothing had been typed/);
  });

  for (const moment of ["type", "press"] as const)
    it(`types nothing again after a death while it waited for ${moment}, and shows late evidence`, async () => {
      await clickUntil(moment);
      const host = await next();
      await host.viewWhere("reconcile", ({ agents }) => agents[0]?.reset?.phase === "needs-reconcile");
      lab.write(`.claude/projects/${projectSlug(lab.cwd)}/${second}.jsonl`, clearRecords(second, Date.now()));
      record(second);
      assert.equal((await host.ended()).outcome, "confirmed");
    });

  it("can be dismissed by the person, and a new click is a new reset", async () => {
    await clickUntil("press");
    const host = await next();
    const view = await host.viewWhere("reconcile", ({ agents }) => agents[0]?.reset?.phase === "needs-reconcile");
    const instanceId = view.agents[0]?.instanceId ?? "";
    assert.deepEqual(await ask(host.peer, messages.Cancel, { instanceId }), { cancelled: true });
    await host.viewWhere("no reset", ({ agents }) => agents[0] !== undefined && agents[0].reset === undefined);
  });
});
