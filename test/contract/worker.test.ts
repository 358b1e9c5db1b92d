import assert from "node:assert/strict";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectSlug } from "../../server/agents/claude/sessions.ts";
import * as messages from "../../server/protocol/messages.ts";
import type { ScreenFacts } from "../../server/protocol/terminals.ts";
import { answer, ask } from "../../server/protocol/wire.ts";
import { createStandIns } from "../unit/discover/standIn.ts";
import { assistant, clearRecords, human, sessionRecord } from "./records.ts";
import { type Host, inTerminal, startWorker } from "./support.ts";

const first = "9b7a0c1e-1111-4222-8333-444455556666";
const second = "9b7a0c1e-1111-4222-8333-777788889999";

describe("the worker as a process", () => {
  let host: Host;
  let lab: ReturnType<typeof createStandIns>;
  let claude: { pid: number; birth: string; shellPid: number };
  let transcript: string;

  beforeEach(async function () {
    if (process.platform !== "linux") this.skip();
    lab = createStandIns();
    host = await startWorker();
    claude = await lab.startInTerminal("claude");
    transcript = lab.write(`.claude/projects/${projectSlug(lab.cwd)}/${first}.jsonl`, "");
    record(first);
    appendFileSync(
      transcript,
      human(first, "h1", Date.now() - 60_000) + assistant(first, "m1", 150_000, Date.now() - 50_000),
    );
  });
  afterEach(async () => {
    await host?.dispose();
    await lab?.dispose();
  });

  const record = (sessionId: string, status = "idle") =>
    lab.write(`.claude/sessions/${claude.pid}.json`, sessionRecord(claude, sessionId, lab.cwd, status));

  const screen: ScreenFacts = {
    observable: true,
    box: "empty",
    sequence: 1,
    quietForMs: 9000,
    freshSinceOwnWrite: true,
    terminalOpen: true,
    connected: true,
  };

  it("shows the agent, follows its transcript, and asks once it is over the line", async () => {
    await host.tellTerminals(claude.shellPid);
    const at150 = await host.viewWhere("150k", ({ agents }) => agents[0]?.reading.kind === "measured");
    assert.equal(at150.agents[0]?.pressure, "none");
    assert.equal(at150.agents[0]?.name, "api");
    assert.equal(at150.question, undefined);
    appendFileSync(transcript, assistant(first, "m2", 210_000, Date.now() - 40_000));
    const at210 = await host.viewWhere("210k", ({ agents }) => agents[0]?.pressure === "selective");
    assert.equal(at210.agents[0]?.decidedBy, "absolute");
    appendFileSync(transcript, assistant(first, "m3", 290_000, Date.now() - 35_000));
    const at290 = await host.viewWhere("290k", ({ agents }) => agents[0]?.pressure === "full");
    const asked = await host.viewWhere("the question", ({ question }) => question !== undefined);
    assert.equal(asked.question?.instanceId, at290.agents[0]?.instanceId);
  });

  it("types a clear after a click, in order, and confirms it by the new conversation", async () => {
    const orders: string[] = [];
    answer(host.peer, messages.ProbeScreen, () => screen);
    answer(host.peer, messages.TypeLine, ({ line }) => {
      orders.push(`type ${line}`);
      return { outcome: "shown" as const, sequence: 7, at: Date.now() };
    });
    answer(host.peer, messages.PressEnter, ({ sequence }) => {
      orders.push(`press ${sequence}`);
      record(second);
      lab.write(`.claude/projects/${projectSlug(lab.cwd)}/${second}.jsonl`, clearRecords(second, Date.now()));
      return { outcome: "pressed" as const, at: Date.now() };
    });
    await host.tellTerminals(claude.shellPid);
    const view = await host.viewWhere("a reading", inTerminal);
    const instanceId = view.agents[0]?.instanceId ?? "";
    const click = {
      approvalId: "a1",
      instanceId,
      conversationId: first,
      command: "clear" as const,
      shownTokens: 150_000,
      at: Date.now(),
    };

    assert.deepEqual(await ask(host.peer, messages.Approve, click), { outcome: "started" });
    const ending = await host.ended();

    assert.equal(ending.outcome, "confirmed");
    assert.equal(ending.beforeTokens, 150_000);
    assert.deepEqual(orders, ["type clear", "press 7"]);
    const journal = join(host.storageDir, "journal", `${instanceId}.jsonl`);
    assert.match(readFileSync(journal, "utf8"), /"approvalId":"a1".*"shownTokens":150000/);
    const after = await host.viewWhere("the new conversation", ({ agents }) => agents[0]?.conversationId === second);
    assert.equal(after.agents[0]?.reading.kind, "none-yet");
    assert.equal((await ask(host.peer, messages.Approve, click)).outcome, "refused");
  });

  it("waits armed while the agent works, and is disarmed by one click", async () => {
    answer(host.peer, messages.ProbeScreen, () => screen);
    record(first, "busy");
    await host.tellTerminals(claude.shellPid);
    const view = await host.viewWhere("working", (view) => inTerminal(view) && view.agents[0]?.turn.kind === "working");
    const instanceId = view.agents[0]?.instanceId ?? "";
    await ask(host.peer, messages.Approve, {
      approvalId: "a1",
      instanceId,
      conversationId: first,
      command: "compact",
      at: Date.now(),
    });
    const armed = await host.viewWhere("armed", ({ agents }) => agents[0]?.reset?.phase === "armed");
    assert.match(armed.agents[0]?.reset?.waitsFor ?? "", /working/);
    assert.deepEqual(await ask(host.peer, messages.Cancel, { instanceId }), { cancelled: true });
    assert.equal((await host.ended()).outcome, "aborted");
  });

  it("refuses with gate, reason and remedy when a draft stands in the box", async () => {
    answer(host.peer, messages.ProbeScreen, () => ({ ...screen, box: "draft" as const }));
    await host.tellTerminals(claude.shellPid);
    const view = await host.viewWhere("a reading", inTerminal);
    const instanceId = view.agents[0]?.instanceId ?? "";
    await ask(host.peer, messages.Approve, {
      approvalId: "a1",
      instanceId,
      conversationId: first,
      command: "clear",
      at: Date.now(),
    });
    const ending = await host.ended();
    assert.equal(ending.outcome, "refused");
    assert.equal(ending.gate, "prompt-box-empty");
    const { answers } = await ask(host.peer, messages.Check, { instanceId, command: "clear" });
    assert.deepEqual(
      answers.filter(({ verdict }) => verdict !== "yes").map(({ gate }) => gate),
      ["prompt-box-empty"],
    );
  });

  it("ends when its parent ends without a word", async () => {
    const gone = new Promise<number>((resolve) => host.child.once("exit", (code) => resolve(code ?? -1)));
    host.child.disconnect();
    await gone;
  });
});
