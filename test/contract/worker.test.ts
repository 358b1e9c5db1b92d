import assert from "node:assert/strict";
import { once } from "node:events";
import * as messages from "../../server/protocol/messages.ts";
import type { View } from "../../server/protocol/view.ts";
import { ask } from "../../server/protocol/wire.ts";
import { fullReset, withRig } from "./rig.ts";
import { inTerminal, resetOf } from "./support.ts";
import { together } from "./together.ts";

together("the worker as a process", (scenario) => {
  scenario("shows the agent, follows its transcript, and asks once it is over the line", () =>
    withRig({}, async (rig) => {
      const { agent } = rig;
      const at150 = await rig.ready();
      assert.equal(at150.agents[0]?.pressure, "none");
      assert.equal(at150.agents[0]?.name, "api");
      assert.equal(at150.question, undefined);
      agent.answers(210_000);
      const at210 = await rig.host().viewWhere("210k", ({ agents }) => agents[0]?.pressure === "selective");
      assert.equal(at210.agents[0]?.decidedBy, "absolute");
      agent.answers(290_000);
      const at290 = await rig.host().viewWhere("290k", ({ agents }) => agents[0]?.pressure === "full");
      const asked = await rig.host().viewWhere("the question", ({ question }) => question !== undefined);
      assert.equal(asked.question?.instanceId, at290.agents[0]?.instanceId);
    }),
  );

  scenario("waits armed while the agent works, and is disarmed by one click", () =>
    withRig({ prepare: (agent) => agent.says("busy") }, async (rig) => {
      const { instanceId, host } = rig;
      await rig.host().viewWhere("working", (view) => inTerminal(view) && view.agents[0]?.turn.kind === "working");
      for (const act of [fullReset, { kind: "compact" }, { kind: "save" }] as const) {
        assert.deepEqual(await rig.click(act), { outcome: "started" });
        const isArmed = (view: View) => resetOf(view)?.phase === "armed" && resetOf(view)?.goal === act.kind;
        const armed = resetOf(await host().viewWhere("armed", isArmed));
        assert.match(armed?.waitsFor ?? "", /working/);
        assert.equal(armed?.cancellable, true);
        assert.deepEqual(await ask(host().peer, messages.Cancel, { instanceId }), { cancelled: true });
        assert.deepEqual([(await host().ended()).outcome, rig.window.orders], ["aborted", []]);
      }
      assert.deepEqual(await ask(host().peer, messages.Cancel, { instanceId }), { cancelled: false });
    }),
  );

  scenario("goes on by itself when the turn it waited for has ended", () =>
    withRig({ prepare: (agent) => agent.says("busy") }, async (rig) => {
      await rig.clicked({ kind: "save" });
      await rig.stepIs("armed");
      rig.agent.answers(151_000);
      assert.equal((await rig.host().ended(20_000)).outcome, "confirmed");
    }),
  );

  scenario("refuses with gate, reason and remedy when a draft stands in the box", () =>
    withRig({ window: { screen: () => ({ box: "draft" }) } }, async (rig) => {
      const ending = await rig.run(fullReset);
      assert.equal(ending.outcome, "refused");
      assert.equal(ending.gate, "prompt-box-empty");
      assert.deepEqual(rig.window.orders, []);
      const { instanceId } = rig;
      for (const goal of ["reset", "compact", "save", "undo"] as const) {
        const { answers } = await ask(rig.host().peer, messages.Check, { instanceId, goal });
        assert.deepEqual(
          answers.filter(({ verdict }) => verdict === "no").map(({ gate }) => gate),
          ["prompt-box-empty"],
          goal,
        );
      }
    }),
  );

  scenario("calls a pending save off when the window says that it closes", () =>
    withRig({}, async (rig) => {
      await rig.clicked({ kind: "reset", then: "wait", review: true, carry: [] });
      await rig.stepIs("reviewing");
      assert.deepEqual(await ask(rig.host().peer, messages.Closing, {}), { aborted: 1 });
      const { outcome, reason } = await rig.host().ended();
      assert.deepEqual([outcome, reason], ["aborted", "the window was closed"]);
      assert.equal(rig.steps().at(-1)?.ended?.outcome, "aborted");
    }),
  );

  scenario("counts its own lines for no prompt of the person's, after a restart too", () =>
    withRig({}, async (rig) => {
      assert.equal((await rig.run({ kind: "save" })).outcome, "confirmed");
      await rig.host().kill();
      await rig.start();
      await rig.ready();
      await new Promise((resolve) => setTimeout(resolve, 1100));
      assert.equal((await rig.run({ kind: "compact" })).outcome, "confirmed");
    }),
  );

  scenario("ends when its parent ends without a word", () =>
    withRig({}, async (rig) => {
      const { child } = rig.host();
      const gone = once(child, "exit");
      child.disconnect();
      await gone;
    }),
  );
});
