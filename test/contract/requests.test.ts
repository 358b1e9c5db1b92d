import assert from "node:assert/strict";
import * as messages from "../../server/protocol/messages.ts";
import { ask, tell } from "../../server/protocol/wire.ts";
import { fullReset, openRig, type Rig } from "./rig.ts";
import { together } from "./together.ts";

/** An agent over its line, in a terminal that cannot be seen into. */
async function withQuestion(test: (rig: Rig) => Promise<void>): Promise<void> {
  const rig = await openRig({ agent: { tokens: 290_000 } });
  try {
    const host = await rig.start();
    await host.tellTerminals(rig.agent.process.shellPid, {
      stream: { kind: "none", why: "started-before", since: 1 },
    });
    await host.viewWhere("the question", ({ question }) => question !== undefined);
    await test(rig);
  } finally {
    await rig.dispose();
  }
}

together("what the window may ask of the worker", (scenario) => {
  scenario("to be quiet: Not Now holds until it has grown by a quarter", () =>
    withQuestion(async (rig) => {
      const { peer, viewWhere } = rig.host();
      await ask(peer, messages.Snooze, { instanceId: rig.instanceId });
      const view = await viewWhere("no question", ({ question }) => question === undefined);
      assert.equal(view.agents[0]?.quietUntilTokens, 362_500);
      assert.equal(view.agents[0]?.branch, "ask");
    }),
  );

  scenario("a report on itself without any content, and on a terminal it cannot see into", () =>
    withQuestion(async (rig) => {
      const { markdown } = await ask(rig.host().peer, messages.Doctor, {});
      assert.match(markdown, /## This window/);
      assert.match(markdown, /cannot be seen \(started-before\)/);
      assert.match(markdown, /## Running agents/);
      assert.doesNotMatch(markdown, /go on/);
    }),
  );

  scenario("how to resume an agent it cannot see, or why not", () =>
    withQuestion(async (rig) => {
      assert.deepEqual(await ask(rig.host().peer, messages.PrepareReconnect, { instanceId: rig.instanceId }), {
        outcome: "refused",
        reason: "it was started with -e, which Plimsoll cannot repeat",
        remedy: "Exit and resume it yourself.",
      });
      const gone = await ask(rig.host().peer, messages.PrepareReconnect, { instanceId: "claude-1-1" });
      assert.equal(gone.outcome, "refused");
    }),
  );

  scenario("conversations to pick from, and to take the pick", () =>
    withQuestion(async ({ host, instanceId, agent }) => {
      const { peer } = host();
      // Its records lie in another folder than the stand-in runs in.
      assert.deepEqual((await ask(peer, messages.ListConversations, { instanceId })).choices, []);
      const conversationId = agent.first;
      assert.equal((await ask(peer, messages.PickConversation, { instanceId, conversationId })).bound, true);
      assert.equal((await ask(peer, messages.PickConversation, { instanceId: "x", conversationId })).bound, false);
    }),
  );

  scenario("no click about an agent or a conversation that is gone", () =>
    withQuestion(async ({ host, instanceId }) => {
      const click = { approvalId: "a", instanceId, conversationId: "other", act: fullReset, at: Date.now() };
      assert.equal((await ask(host().peer, messages.Approve, click)).outcome, "refused");
      const gone = { ...click, instanceId: "claude-1-1" };
      assert.equal((await ask(host().peer, messages.Approve, gone)).outcome, "refused");
      assert.deepEqual(await ask(host().peer, messages.LastSaved, { instanceId: "claude-1-1" }), {});
      assert.equal((await ask(host().peer, messages.AllowSaving, { instanceId: "claude-1-1" })).allowed, false);
      const reviewed = await ask(host().peer, messages.Reviewed, { instanceId, resetId: "000000000000" });
      assert.deepEqual(reviewed, { goesOn: false });
    }),
  );

  scenario("nothing that has another shape: the request is refused, the worker goes on", () =>
    withQuestion(async ({ host, instanceId }) => {
      const { peer } = host();
      const click = { approvalId: "a", instanceId, act: { kind: "reset" }, at: Date.now() };
      await assert.rejects(peer.sendRequest(messages.Approve.method, click));
      await assert.rejects(peer.sendRequest(messages.Approve.method, { ...click, act: { kind: "type", text: "rm" } }));
      assert.equal((await ask(peer, messages.Ping, {})).agents, 1);
    }),
  );

  scenario("which lines cannot be used: it keeps showing, and lets Check refuse", () =>
    withQuestion(async (rig) => {
      const { peer, viewWhere } = rig.host();
      await rig.tellSettings({ softTokens: 400_000, hardTokens: 300_000 });
      await tell(peer, messages.SettingsProblems, { problems: ["plimsoll.typing.quietMs is no number"] });
      const view = await viewWhere("both problems", ({ problems }) => problems.length === 2);
      assert.match(view.problems.join(), /soft token line.*quietMs|quietMs.*soft token line/s);
      assert.equal(view.agents[0]?.pressure, "full");
      const { answers } = await ask(peer, messages.Check, { instanceId: rig.instanceId, goal: "reset" });
      assert.equal(answers.find(({ gate }) => gate === "settings-sane")?.verdict, "no");
    }),
  );

  scenario("nothing in mode gauge", () =>
    withQuestion(async (rig) => {
      await rig.tellSettings({ mode: "gauge" });
      const view = await rig.host().viewWhere("no question", ({ question }) => question === undefined);
      assert.equal(view.agents[0]?.pressure, "full");
    }),
  );

  scenario("its heartbeat, and to abort what is open when the window closes", () =>
    withQuestion(async ({ host }) => {
      assert.equal((await ask(host().peer, messages.Ping, {})).agents, 1);
      assert.deepEqual(await ask(host().peer, messages.Closing, {}), { aborted: 0 });
    }),
  );
});
