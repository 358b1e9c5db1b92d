import assert from "node:assert/strict";
import { askGates, type Facts } from "../../../server/core/gates/gate.ts";
import { briefGates, gates, lastLookOf } from "../../../server/core/gates/gates.ts";
import { phaseWord } from "../../../server/core/reset/journalled.ts";
import { noReset, reduce } from "../../../server/core/reset/machine.ts";
import type { Effect, Event, Order, Reset } from "../../../server/core/reset/types.ts";
import { conversation, goodFacts, instance, receipt, saved as savedFacts } from "../gates/goodFacts.ts";
import {
  approved,
  before,
  briefWritten,
  claimed,
  cleared,
  collected,
  confirmed,
  digest,
  good,
  looked,
  observed,
  prepared,
  pressed,
  shown,
  start,
} from "./events.ts";

/** The click comes this long after the person's last prompt, ms. */
const spokeBefore = 8000;
const order: Partial<Order> = { instanceId: instance.instanceId, terminalId: "t1", conversationId: "c1" };

/** The facts as they are while the person sits there: they spoke a moment ago, and say nothing more. */
function factsAt(
  now: number,
  state: Exclude<Reset, { phase: "none" }>,
  effect: Extract<Effect, { kind: "judge" }>,
): Facts {
  const { question } = effect;
  const saved = "saved" in state ? state.saved : undefined;
  const isFresh = question.before === "brief";
  const conversationId = isFresh ? "new" : "c1";
  return {
    ...goodFacts,
    now,
    question,
    armed: question.look === "again",
    approval: { approvalId: "a1", at: start, conversationId: "c1", lastHumanId: "h1" },
    instance: { ...instance, conversationId },
    conversation: {
      ...conversation,
      conversationId,
      lastHuman: { kind: "known", at: start - spokeBefore, recordId: "h1" },
    },
    conversationId,
    carries: 0,
    ...(saved?.receipt === undefined
      ? {}
      : { saved: { ...savedFacts, receipt: saved.receipt, stateDigest: digest("a"), transcriptBytes: 9400 } }),
    ...(saved?.brief === undefined ? {} : { brief: { digest: saved.brief.digest, digestNow: saved.brief.digest } }),
  };
}

/** Plays agent, window and disk: everything goes well, and takes its time. `savesAfter`: the second look is that late, ms. */
function play(savesAfter: number) {
  let state = noReset;
  let now = start;
  const effects: Effect[] = [];
  const pending: Event[] = [approved(order)(0)];
  const answer = (effect: Effect): readonly Event[] => {
    if (effect.kind === "end" || state.phase === "none") return [];
    const { attempt } = effect;
    switch (effect.kind) {
      case "judge": {
        const facts = factsAt(now, state, effect);
        const list = effect.question.before === "brief" ? briefGates : gates;
        const report = askGates(effect.question.look === "last" ? lastLookOf(list) : list, facts);
        return [{ kind: "judged", at: now, attempt, report, baseline: before, assisted: false }];
      }
      case "claim":
        return [claimed()(attempt)];
      case "prepare-save":
        return [prepared()(attempt)];
      case "write-brief":
        return [briefWritten()(attempt)];
      case "type":
        return [shown()(attempt)];
      case "press":
        return [pressed()(attempt), ...proof(effect.line.kind)];
      case "collect":
        return [collected()(attempt), observed({ turn: "idle" })(attempt)];
      default:
        return [];
    }
  };
  const proof = (line: string): readonly Event[] => {
    if (line === "clear") return [cleared(0)];
    if (line === "brief") return [confirmed(0), observed({ tokens: 20_000, turn: "idle" })(0)];
    const { attempt } = state;
    const look = { conversationId: "c1", toolCalls: 4 };
    return [
      confirmed(0),
      looked(good, 0, { ...look, at: start })(attempt),
      looked(good, 2000, { ...look, at: start + savesAfter })(attempt),
    ];
  };
  for (let event = pending.shift(); event !== undefined; event = pending.shift()) {
    assert.ok(effects.length < 100, "it goes round in circles");
    now = Math.max(now, event.at);
    const step = reduce(state, event);
    state = step.state;
    effects.push(...step.effects);
    for (const effect of step.effects) pending.push(...answer(effect));
  }
  const end = effects.find((effect) => effect.kind === "end");
  return { phase: phaseWord(state), end, effects };
}

describe("a click by somebody who was just talking to the agent", () => {
  it("eight seconds after their last prompt goes through to the end: presence stops no click, and no age is asked for", () => {
    const { end, phase } = play(60_000);
    assert.deepEqual([phase, end?.outcome, end?.because.gate, end?.cleared], ["none", "confirmed", undefined, true]);
  });

  it("is not cleared by a save of the same second", () => {
    const sameSecond = 1000 - (start % 1000) - 1;
    const { end, effects } = play(sameSecond);
    assert.deepEqual([end?.outcome, end?.because.gate], ["refused", "saved-after-click"]);
    assert.ok(!effects.some((effect) => effect.kind === "type" && effect.line.kind === "clear"));
    assert.equal(play(sameSecond + 1).end?.outcome, "confirmed");
  });

  it("asks for nothing that only time could bring: the same facts pass at any age of the save", () => {
    const ready: Facts = {
      ...goodFacts,
      question: { before: "act", look: "last" },
      saved: savedFacts,
      brief: { digest: digest("b"), digestNow: digest("b") },
    };
    for (const age of [1, 900_000, 1_800_000, 24 * 3_600_000]) {
      const facts = { ...ready, now: receipt.at + age };
      assert.equal(askGates(lastLookOf(gates), facts).refused, undefined);
    }
  });
});
