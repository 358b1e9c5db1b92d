import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { projectSlug } from "../../server/agents/claude/sessions.ts";
import * as messages from "../../server/protocol/messages.ts";
import { Settings } from "../../server/protocol/settings.ts";
import { ask, tell } from "../../server/protocol/wire.ts";
import { createStandIns } from "../unit/discover/standIn.ts";
import { assistant, human, sessionRecord } from "./records.ts";
import { type Host, startWorker } from "./support.ts";

const first = "9b7a0c1e-1111-4222-8333-444455556666";

describe("what the window may ask of the worker", () => {
  let host: Host;
  let lab: ReturnType<typeof createStandIns>;
  let claude: { pid: number; birth: string; shellPid: number };
  let instanceId: string;

  beforeEach(async function () {
    if (process.platform !== "linux") this.skip();
    lab = createStandIns();
    host = await startWorker();
    claude = await lab.startInTerminal("claude");
    const transcript = lab.write(`.claude/projects/${projectSlug(lab.cwd)}/${first}.jsonl`, "");
    appendFileSync(
      transcript,
      human(first, "h1", Date.now() - 60_000) + assistant(first, "m1", 290_000, Date.now() - 50_000),
    );
    lab.write(`.claude/sessions/${claude.pid}.json`, sessionRecord(claude, first, lab.cwd));
    await host.tellTerminals(claude.shellPid, { stream: { kind: "none", why: "started-before", since: 1 } });
    const view = await host.viewWhere("the question", ({ question }) => question !== undefined);
    instanceId = view.agents[0]?.instanceId ?? "";
  });
  afterEach(async () => {
    await host?.dispose();
    await lab?.dispose();
  });

  it("is quiet after Not Now, until it has grown by a quarter", async () => {
    await ask(host.peer, messages.Snooze, { instanceId });
    const view = await host.viewWhere("no question", ({ question }) => question === undefined);
    assert.equal(view.agents[0]?.quietUntilTokens, 362_500);
    assert.equal(view.agents[0]?.branch, "ask");
  });

  it("reports on itself without any content, and on a terminal it cannot see into", async () => {
    const { markdown } = await ask(host.peer, messages.Doctor, {});
    assert.match(markdown, /## This window/);
    assert.match(markdown, /cannot be seen \(started-before\)/);
    assert.match(markdown, /## Running agents/);
    assert.doesNotMatch(markdown, /go on/);
  });

  it("says how to resume an agent it cannot see, or why not", async () => {
    assert.deepEqual(await ask(host.peer, messages.PrepareReconnect, { instanceId }), {
      outcome: "refused",
      reason: "it was started with -e, which Plimsoll cannot repeat",
      remedy: "Exit and resume it yourself.",
    });
    const gone = await ask(host.peer, messages.PrepareReconnect, { instanceId: "claude-1-1" });
    assert.equal(gone.outcome, "refused");
  });

  it("lists conversations to pick from, and takes the pick", async () => {
    const { choices } = await ask(host.peer, messages.ListConversations, { instanceId });
    // Its records lie in another folder than the stand-in runs in.
    assert.deepEqual(choices, []);
    const picked = await ask(host.peer, messages.PickConversation, { instanceId, conversationId: first });
    assert.equal(picked.bound, true);
    const none = await ask(host.peer, messages.PickConversation, { instanceId: "x", conversationId: first });
    assert.equal(none.bound, false);
  });

  it("refuses a click about an agent or a conversation that is gone", async () => {
    const click = { approvalId: "a", instanceId, conversationId: "other", command: "clear" as const, at: Date.now() };
    assert.equal((await ask(host.peer, messages.Approve, click)).outcome, "refused");
    assert.equal((await ask(host.peer, messages.Approve, { ...click, instanceId: "claude-1-1" })).outcome, "refused");
  });

  it("says which lines cannot be used, keeps showing, and lets Check refuse", async () => {
    await tell(host.peer, messages.SettingsChanged, Settings.parse({ softTokens: 400_000, hardTokens: 300_000 }));
    await tell(host.peer, messages.SettingsProblems, { problems: ["plimsoll.typing.quietMs is no number"] });
    const view = await host.viewWhere("both problems", ({ problems }) => problems.length === 2);
    assert.match(view.problems.join(), /soft token line.*quietMs|quietMs.*soft token line/s);
    assert.equal(view.agents[0]?.pressure, "full");
    const { answers } = await ask(host.peer, messages.Check, { instanceId, command: "clear" });
    assert.equal(answers.find(({ gate }) => gate === "settings-sane")?.verdict, "no");
  });

  it("asks nothing in mode gauge", async () => {
    await tell(host.peer, messages.SettingsChanged, Settings.parse({ mode: "gauge" }));
    const view = await host.viewWhere("no question", ({ question }) => question === undefined);
    assert.equal(view.agents[0]?.pressure, "full");
  });

  it("answers its heartbeat, and aborts what is open when the window closes", async () => {
    assert.equal((await ask(host.peer, messages.Ping, {})).agents, 1);
    assert.deepEqual(await ask(host.peer, messages.Closing, {}), { aborted: 0 });
  });
});
