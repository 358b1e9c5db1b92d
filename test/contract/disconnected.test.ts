import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import * as messages from "../../server/protocol/messages.ts";
import { ask } from "../../server/protocol/wire.ts";
import { fullReset, type Rig, withRig } from "./rig.ts";
import { resetOf } from "./support.ts";
import { together } from "./together.ts";
import type { Request, WindowOptions } from "./window.ts";

const lines = ["save", "clear", "brief"] as const;
type Kind = (typeof lines)[number];

/** Orders for one line, of one kind. */
const orders = (rig: Rig, what: string, kind: Kind) =>
  rig.window.orders.filter((order) => order.startsWith(`${what} ${kind}`)).length;

const isOf = (kind: Kind, { line }: Request): boolean => line?.kind === kind;

/** After its end nothing more may be asked of the window. */
async function assertSilent(rig: Rig): Promise<void> {
  const before = [...rig.window.orders];
  await pause(700);
  assert.deepEqual(rig.window.orders, before);
}

together("a window that is not connected", (scenario) => {
  for (const kind of lines) {
    scenario(`when it is looked at before the ${kind} line: that is not typed until it is`, () => {
      let isConnected = kind !== "save";
      const before: WindowOptions["before"] = {
        press: (request) => {
          if (kind !== "save" && isOf(kind === "clear" ? "save" : "clear", request)) isConnected = false;
          return undefined;
        },
      };
      return withRig({ window: { before, screen: () => ({ connected: isConnected }) } }, async (rig) => {
        await rig.clicked(fullReset);
        const phase = { save: "armed", clear: "saved", brief: "resuming" }[kind];
        await rig.host().viewWhere(phase, (view) => resetOf(view)?.phase === phase, 40_000);
        await pause(1500);
        assert.equal(orders(rig, "type", kind), 0);
        assert.equal(orders(rig, "press", kind), 0);
        isConnected = true;
        assert.equal((await rig.host().ended(40_000)).outcome, "confirmed");
        assert.equal(orders(rig, "press", kind), 1);
      });
    });

    scenario(`when it was to type the ${kind} line: it tries again, and presses once`, () => {
      let refused = 0;
      const before: WindowOptions["before"] = {
        type(request) {
          if (!isOf(kind, request) || refused > 0) return undefined;
          refused += 1;
          return { outcome: "refused", reason: "not-connected", wrote: false, erased: false };
        },
      };
      return withRig({ window: { before } }, async (rig) => {
        assert.equal((await rig.run(fullReset)).outcome, "confirmed");
        assert.equal(orders(rig, "type", kind), 2);
        assert.equal(orders(rig, "press", kind), 1);
      });
    });

    scenario(`after it wrote the ${kind} line: nothing is pressed, and it is said to stand there`, () => {
      const before: WindowOptions["before"] = {
        type: (request) =>
          isOf(kind, request) ? { outcome: "refused", reason: "not-connected", wrote: true, erased: false } : undefined,
      };
      return withRig({ window: { before } }, async (rig) => {
        const ending = await rig.run(fullReset);
        assert.equal(ending.outcome, kind === "brief" ? "not-briefed" : "left-in-box");
        assert.equal(ending.cleared, kind === "brief");
        assert.equal(ending.gate, "window-connected");
        assert.equal(orders(rig, "press", kind), 0);
        await assertSilent(rig);
      });
    });

    scenario(`when Enter was to be pressed on the ${kind} line: it is looked at again, then taken back`, () => {
      const before: WindowOptions["before"] = {
        press: (request) => (isOf(kind, request) ? { outcome: "refused", reason: "not-connected" } : undefined),
      };
      return withRig({ window: { before } }, async (rig) => {
        const ending = await rig.run(fullReset);
        assert.equal(ending.outcome, kind === "brief" ? "not-briefed" : "taken-back");
        assert.equal(ending.gate, "window-connected");
        assert.equal(orders(rig, "type", kind), 1);
        assert.equal(orders(rig, "erase", kind), 1);
        assert.equal(rig.window.box(), "");
        assert.equal(
          rig.agent.submitted.some((text) => text.startsWith(kind === "clear" ? "/clear" : `[plimsoll ${kind}`)),
          false,
        );
        await assertSilent(rig);
      });
    });

    scenario(`when the answer to Enter on the ${kind} line is lost: disk decides, and no second Enter follows`, () => {
      const before: WindowOptions["before"] = {
        press(request) {
          if (!isOf(kind, request)) return undefined;
          throw new Error("the answer is lost");
        },
      };
      return withRig({ window: { before } }, async (rig) => {
        await rig.clicked(fullReset);
        const ending = await rig.host().ended(40_000);
        assert.equal(orders(rig, "press", kind), 1);
        assert.equal(ending.outcome, kind === "brief" ? "not-briefed" : "no-effect");
        assert.equal(ending.cleared, kind === "brief");
        if (kind === "clear") {
          await rig.stepIs("needs-reconcile");
          const { instanceId } = rig;
          assert.match((await ask(rig.host().peer, messages.ReportReset, { instanceId })).markdown, /no-effect/);
          assert.deepEqual(await ask(rig.host().peer, messages.Cancel, { instanceId }), { cancelled: true });
        }
        await assertSilent(rig);
      });
    });
  }

  scenario("when Enter was swallowed: one further Enter after a fresh look, and no third", () => {
    const before: WindowOptions["before"] = {
      press: (request) => (isOf("clear", request) ? { outcome: "pressed", at: Date.now() } : undefined),
    };
    return withRig({ window: { before } }, async (rig) => {
      const ending = await rig.run(fullReset, 40_000);
      assert.equal(ending.outcome, "no-effect");
      assert.equal(orders(rig, "press", "clear"), 2);
      assert.equal(orders(rig, "look", "clear"), 1);
      await assertSilent(rig);
    });
  });

  scenario("when Enter was pressed, slowly, and the screen says nothing: no second Enter", () => {
    const before: WindowOptions["before"] = { look: () => ({ shown: false, sequence: 99 }) };
    return withRig(
      {
        window: { before },
        agent: {
          async instead({ kind }) {
            if (kind === "clear") await pause(5000);
            return false;
          },
        },
      },
      async (rig) => {
        assert.equal((await rig.run(fullReset, 40_000)).outcome, "confirmed");
        assert.equal(orders(rig, "press", "clear"), 1);
      },
    );
  });
});
