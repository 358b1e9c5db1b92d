import assert from "node:assert/strict";
import { phaseWord } from "../../../server/core/reset/journalled.ts";
import { reduce } from "../../../server/core/reset/machine.ts";
import { stepWord } from "./events.ts";
import { type EventName, events } from "./everyEvent.ts";
import { type SampleName, samples } from "./paths.ts";

/** What every event makes of every state, and what is to be done then. Not listed: the very same state, and nothing. */
const table: Readonly<Record<SampleName, Partial<Readonly<Record<EventName, string>>>>> = {
  none: {
    approved: "prepared judge:save/first",
  },
  prepared: {
    "judged yes": "saving/locking claim",
    "judged no": "none end:refused",
    "judged not yet": "armed",
    "judged blind": "saving/locking claim",
    "judged compacted": "saving/locking claim",
    cancelled: "none end:aborted",
    "agent gone": "none end:aborted",
    closing: "none end:aborted",
    recovered: "none end:aborted",
  },
  armed: {
    "judged yes": "saving/locking claim",
    "judged no": "none end:refused",
    "judged not yet": "armed",
    "judged blind": "saving/locking claim",
    "judged compacted": "none end:aborted",
    "saw nothing": "armed judge:save/again",
    "saw working": "armed judge:save/again",
    "saw a figure": "armed judge:save/again",
    "saw a person": "none end:aborted",
    "saw a compaction": "none end:aborted",
    "saw waiting": "armed judge:save/again",
    "saw an error": "armed judge:save/again",
    "saw an overflow": "armed judge:save/again",
    "saw another prompt": "armed judge:save/again",
    "saw it confirmed": "armed judge:save/again",
    "saw it cleared": "armed judge:save/again",
    "saw it confirmed, no figure": "armed judge:save/again",
    "saw it failed": "armed judge:save/again",
    cancelled: "none end:aborted",
    "agent gone": "none end:aborted",
    closing: "none end:aborted",
    recovered: "none end:aborted",
    "tick at once": "armed judge:save/again",
    "tick after 4 s": "armed judge:save/again",
    "tick after 2 hours": "none end:aborted",
  },
  "saving/locking": {
    "claim won": "saving/preparing prepare-save",
    "claim lost": "none end:refused",
    cancelled: "none end:aborted",
    "agent gone": "none end:aborted",
    closing: "none end:aborted",
    recovered: "none end:aborted",
  },
  "saving/preparing": {
    "save prepared": "saving/typing type:save",
    "save not prepared": "none end:refused",
    cancelled: "none end:aborted",
    "agent gone": "none end:aborted",
    closing: "none end:aborted",
    recovered: "none end:aborted",
  },
  "saving/typing": {
    shown: "saving/last-look judge:save/last",
    "not typed": "none end:refused",
    "not typed, no answer": "saving/between",
    "not shown, erased": "none end:taken-back",
    "not shown, left": "none end:left-in-box",
    cancelled: "saving/typing",
    "agent gone": "none end:aborted",
    closing: "none end:aborted",
    recovered: "none end:left-in-box",
  },
  "saving/last-look": {
    "judged yes": "saving/pressing press:save",
    "judged no": "saving/erasing erase:save",
    "judged not yet": "saving/erasing erase:save",
    "judged blind": "saving/erasing erase:save",
    "judged compacted": "saving/erasing erase:save",
    cancelled: "saving/erasing erase:save",
    "agent gone": "none end:aborted",
    closing: "none end:aborted",
    recovered: "none end:left-in-box",
  },
  "saving/pressing": {
    pressed: "saving/proof",
    "not pressed": "saving/erasing erase:save",
    "not pressed, still shown": "saving/last-look judge:save/last",
    "not pressed, too late": "saving/last-look judge:save/last",
    "not pressed, time is up": "saving/erasing erase:save",
    "press unknown": "saving/proof",
    "agent gone": "none end:aborted",
    closing: "none end:aborted",
    recovered: "none end:left-in-box",
  },
  "saving/erasing": {
    erased: "none end:taken-back",
    "not erased": "none end:left-in-box",
    "agent gone": "none end:aborted",
    closing: "none end:aborted",
    recovered: "none end:left-in-box",
  },
  "saving/proof": {
    "saw working": "saving/proof",
    "saw another prompt": "saving/proof",
    "saw it confirmed": "saving/writing",
    "saw it cleared": "saving/writing",
    "saw it confirmed, no figure": "saving/proof",
    "saw it failed": "none end:wrong-command",
    cancelled: "none end:aborted",
    "agent gone": "none end:aborted",
    closing: "none end:aborted",
    recovered: "none end:aborted",
    "tick after 4 s": "saving/proof look:save",
    "tick after 2 hours": "none end:no-effect",
  },
  "saving/handed": {
    handed: "saving/handed",
    "not handed": "none end:refused",
    "saw another prompt": "none end:aborted",
    "saw it confirmed": "saving/writing",
    "saw it cleared": "saving/writing",
    "saw it failed": "none end:wrong-command",
    cancelled: "none end:aborted",
    "agent gone": "none end:aborted",
    closing: "none end:aborted",
    recovered: "none end:left-in-box",
    "tick after 2 hours": "none end:unconfirmed",
  },
  "saving/between": {
    "judged yes": "saving/typing type:receipt",
    "judged no": "none end:refused",
    "judged not yet": "saving/between",
    "judged blind": "saving/handed hand-over:receipt",
    "judged compacted": "none end:aborted",
    "saw nothing": "saving/between judge:save/again",
    "saw working": "saving/between judge:save/again",
    "saw a figure": "saving/between judge:save/again",
    "saw a person": "none end:aborted",
    "saw a compaction": "none end:aborted",
    "saw waiting": "saving/between judge:save/again",
    "saw an error": "none end:aborted",
    "saw an overflow": "saved/briefing write-brief",
    "saw another prompt": "saving/between judge:save/again",
    "saw it confirmed": "saving/between judge:save/again",
    "saw it cleared": "saving/between judge:save/again",
    "saw it confirmed, no figure": "saving/between judge:save/again",
    "saw it failed": "saving/between judge:save/again",
    cancelled: "none end:aborted",
    "agent gone": "none end:aborted",
    closing: "none end:aborted",
    recovered: "none end:aborted",
    "tick at once": "saving/between judge:save/again",
    "tick after 4 s": "saving/between judge:save/again",
    "tick after 2 hours": "none end:aborted",
  },
  "saving/writing": {
    "save looked good": "saving/writing",
    "save looked missing": "saving/writing",
    "save looked link": "none end:refused",
    "saw nothing": "saving/writing",
    "saw a person": "none end:aborted",
    "saw a compaction": "none end:aborted",
    "saw waiting": "saving/writing",
    "saw an error": "none end:aborted",
    "saw an overflow": "saved/briefing write-brief",
    cancelled: "none end:aborted",
    "agent gone": "none end:aborted",
    closing: "none end:aborted",
    recovered: "none end:aborted",
    "tick at once": "saving/writing look-at-save",
    "tick after 4 s": "saving/writing look-at-save",
    "tick after 2 hours": "none end:refused",
  },
  "saved/reviewing": {
    "saw nothing": "saved/reviewing",
    "saw a person": "none end:aborted",
    "saw a compaction": "none end:aborted",
    reviewed: "saved/looking-again",
    cancelled: "none end:aborted",
    "agent gone": "none end:aborted",
    closing: "none end:aborted",
    recovered: "none end:aborted",
    "tick after 2 hours": "none end:aborted",
  },
  "saved/looking-again": {
    "save looked good": "saved/looking-again",
    "save looked missing": "none end:refused",
    "save looked link": "none end:refused",
    "saw nothing": "saved/looking-again",
    "saw a person": "none end:aborted",
    "saw a compaction": "none end:aborted",
    cancelled: "none end:aborted",
    "agent gone": "none end:aborted",
    closing: "none end:aborted",
    recovered: "none end:aborted",
    "tick at once": "saved/looking-again look-at-save",
    "tick after 4 s": "saved/looking-again look-at-save",
    "tick after 2 hours": "none end:aborted",
  },
  "saved/briefing": {
    "brief written": "saved/waiting judge:act/again",
    "brief not written": "none end:refused",
    "saw nothing": "saved/briefing",
    "saw a person": "none end:aborted",
    "saw a compaction": "none end:aborted",
    cancelled: "none end:aborted",
    "agent gone": "none end:aborted",
    closing: "none end:aborted",
    recovered: "none end:aborted",
  },
  "saved/waiting": {
    "judged yes": "claimed claim",
    "judged no": "none end:refused",
    "judged not yet": "saved/waiting",
    "judged blind": "claimed claim",
    "judged compacted": "none end:aborted",
    "saw nothing": "saved/waiting judge:act/again",
    "saw working": "saved/waiting judge:act/again",
    "saw a figure": "saved/waiting judge:act/again",
    "saw a person": "none end:aborted",
    "saw a compaction": "none end:aborted",
    "saw waiting": "saved/waiting judge:act/again",
    "saw an error": "saved/waiting judge:act/again",
    "saw an overflow": "saved/waiting judge:act/again",
    "saw another prompt": "saved/waiting judge:act/again",
    "saw it confirmed": "saved/waiting judge:act/again",
    "saw it cleared": "saved/waiting judge:act/again",
    "saw it confirmed, no figure": "saved/waiting judge:act/again",
    "saw it failed": "saved/waiting judge:act/again",
    cancelled: "none end:aborted",
    "agent gone": "none end:aborted",
    closing: "none end:aborted",
    recovered: "none end:aborted",
    "tick at once": "saved/waiting judge:act/again",
    "tick after 4 s": "saved/waiting judge:act/again",
    "tick after 2 hours": "none end:aborted",
  },
  claimed: {
    "claim won": "dispatched/typing type:clear",
    "claim lost": "none end:refused",
    "agent gone": "none end:aborted",
    recovered: "none end:aborted",
  },
  "dispatched/typing": {
    shown: "dispatched/last-look judge:act/last",
    "not typed": "none end:refused",
    "not typed, no answer": "saved/waiting",
    "not shown, erased": "none end:taken-back",
    "not shown, left": "none end:left-in-box",
    recovered: "dispatched/proof",
  },
  "dispatched/last-look": {
    "judged yes": "dispatched/pressing press:clear",
    "judged no": "dispatched/erasing erase:clear",
    "judged not yet": "dispatched/erasing erase:clear",
    "judged blind": "dispatched/erasing erase:clear",
    "judged compacted": "dispatched/erasing erase:clear",
    recovered: "dispatched/proof",
  },
  "dispatched/pressing": {
    pressed: "dispatched/proof",
    "not pressed": "dispatched/erasing erase:clear",
    "not pressed, still shown": "dispatched/last-look judge:act/last",
    "not pressed, too late": "dispatched/last-look judge:act/last",
    "not pressed, time is up": "dispatched/erasing erase:clear",
    "press unknown": "dispatched/proof",
    recovered: "dispatched/proof",
  },
  "dispatched/erasing": {
    erased: "none end:taken-back",
    "not erased": "none end:left-in-box",
    recovered: "dispatched/proof",
  },
  "dispatched/proof": {
    "saw working": "dispatched/proof",
    "saw another prompt": "dispatched/proof",
    "saw it confirmed": "none end:confirmed",
    "saw it cleared": "confirmed collect",
    "saw it confirmed, no figure": "dispatched/proof",
    "saw it failed": "none end:wrong-command",
    "agent gone": "none end:unconfirmed",
    recovered: "dispatched/proof",
    "tick after 4 s": "dispatched/proof look:clear",
    "tick after 2 hours": "needs-reconcile end:no-effect",
  },
  "dispatched/handed": {
    handed: "dispatched/handed",
    "not handed": "none end:refused",
    "saw another prompt": "none end:aborted",
    "saw it confirmed": "none end:confirmed",
    "saw it cleared": "confirmed collect",
    "saw it failed": "none end:wrong-command",
    cancelled: "none end:aborted",
    "agent gone": "none end:aborted",
    "tick after 2 hours": "none end:unconfirmed",
  },
  confirmed: {
    collected: "resuming/waiting",
    "not collected": "none end:not-briefed",
    "agent gone": "none end:not-briefed",
    recovered: "confirmed collect",
  },
  "resuming/waiting": {
    "judged yes": "resuming/typing type:brief",
    "judged no": "resuming/waiting",
    "judged not yet": "resuming/waiting",
    "judged blind": "resuming/handed hand-over:brief",
    "judged compacted": "resuming/typing type:brief",
    "saw nothing": "resuming/waiting judge:brief/again",
    "saw working": "resuming/waiting judge:brief/again",
    "saw a figure": "resuming/waiting judge:brief/again",
    "saw a person": "none end:not-briefed",
    "saw a compaction": "resuming/waiting judge:brief/again",
    "saw waiting": "resuming/waiting judge:brief/again",
    "saw an error": "resuming/waiting judge:brief/again",
    "saw an overflow": "resuming/waiting judge:brief/again",
    "saw another prompt": "resuming/waiting judge:brief/again",
    "saw it confirmed": "resuming/waiting judge:brief/again",
    "saw it cleared": "resuming/waiting judge:brief/again",
    "saw it confirmed, no figure": "resuming/waiting judge:brief/again",
    "saw it failed": "resuming/waiting judge:brief/again",
    "agent gone": "none end:not-briefed",
    recovered: "resuming/waiting",
    "tick at once": "resuming/waiting judge:brief/again",
    "tick after 4 s": "resuming/waiting judge:brief/again",
    "tick after 2 hours": "none end:not-briefed",
  },
  "resuming/typing": {
    shown: "resuming/last-look judge:brief/last",
    "not typed": "none end:not-briefed",
    "not typed, no answer": "resuming/waiting",
    "not shown, erased": "none end:not-briefed",
    "not shown, left": "none end:not-briefed",
    "agent gone": "none end:not-briefed",
    recovered: "resuming/proof",
  },
  "resuming/last-look": {
    "judged yes": "resuming/pressing press:brief",
    "judged no": "resuming/erasing erase:brief",
    "judged not yet": "resuming/erasing erase:brief",
    "judged blind": "resuming/erasing erase:brief",
    "judged compacted": "resuming/erasing erase:brief",
    "agent gone": "none end:not-briefed",
    recovered: "resuming/proof",
  },
  "resuming/pressing": {
    pressed: "resuming/proof",
    "not pressed": "resuming/erasing erase:brief",
    "not pressed, still shown": "resuming/last-look judge:brief/last",
    "not pressed, too late": "resuming/last-look judge:brief/last",
    "not pressed, time is up": "resuming/erasing erase:brief",
    "press unknown": "resuming/proof",
    "agent gone": "none end:not-briefed",
    recovered: "resuming/proof",
  },
  "resuming/erasing": {
    erased: "none end:not-briefed",
    "not erased": "none end:not-briefed",
    "agent gone": "none end:not-briefed",
    recovered: "resuming/proof",
  },
  "resuming/proof": {
    "saw working": "resuming/proof",
    "saw another prompt": "resuming/proof",
    "saw it confirmed": "resuming/settling",
    "saw it cleared": "resuming/settling",
    "saw it confirmed, no figure": "resuming/proof",
    "saw it failed": "none end:not-briefed",
    "agent gone": "none end:not-briefed",
    recovered: "resuming/proof",
    "tick after 4 s": "resuming/proof look:brief",
    "tick after 2 hours": "none end:not-briefed",
  },
  "resuming/handed": {
    handed: "resuming/handed",
    "not handed": "none end:not-briefed",
    "saw another prompt": "none end:not-briefed",
    "saw it confirmed": "resuming/settling",
    "saw it cleared": "resuming/settling",
    "saw it failed": "none end:not-briefed",
    cancelled: "none end:not-briefed",
    "agent gone": "none end:not-briefed",
    "tick after 2 hours": "none end:not-briefed",
  },
  "resuming/settling": {
    "saw a figure": "none end:confirmed",
    "agent gone": "none end:confirmed",
    recovered: "resuming/settling",
    "tick after 2 hours": "none end:confirmed",
  },
  "needs-reconcile": {
    approved: "prepared judge:save/first",
    "saw it confirmed": "none end:not-briefed",
    "saw it cleared": "none end:not-briefed",
    "saw it failed": "none end:wrong-command",
    cancelled: "none",
    "agent gone": "none",
  },
};

const names = Object.keys(events).filter((name): name is EventName => name in events);

/** In these a look at the file is asked for, and nothing is learnt by asking. */
const asksOnly: readonly SampleName[] = ["saving/writing", "saved/looking-again"];

describe("every state", () => {
  for (const { name, state } of samples) {
    it(`${name}: takes what is listed, and nothing else changes it`, () => {
      assert.equal(phaseWord(state), name);
      for (const event of names) {
        const step = reduce(state, events[event](state.attempt));
        const expected = table[name][event];
        if (expected !== undefined) assert.equal(stepWord(step), expected, event);
        else assert.ok(step.state === state && step.effects.length === 0, `${event}: ${stepWord(step)}`);
        if (step.state === state && step.effects.length > 0)
          assert.ok(asksOnly.includes(name) && event.startsWith("tick"), event);
      }
    });

    it(`${name}: an answer to another question is void`, () => {
      for (const event of names)
        for (const attempt of [state.attempt - 1, state.attempt + 1, 99]) {
          const made = events[event](attempt);
          if (!("attempt" in made)) continue;
          const step = reduce(state, made);
          assert.ok(step.state === state && step.effects.length === 0, event);
        }
    });

    it(`${name}: the same answer twice does nothing the second time`, () => {
      for (const event of names) {
        const made = events[event](state.attempt);
        if (!("attempt" in made)) continue;
        const first = reduce(state, made);
        const { effects } = reduce(first.state, made);
        assert.ok(
          effects.every(({ kind }) => kind !== "press" && kind !== "type" && kind !== "claim"),
          event,
        );
        if (first.state.attempt !== state.attempt) assert.equal(reduce(first.state, made).state, first.state, event);
      }
    });
  }

  it("is left only for a state that is listed here too", () => {
    const known: readonly string[] = samples.map(({ name }) => name);
    for (const row of Object.values(table))
      for (const word of Object.values(row)) assert.ok(known.includes(word.split(" ")[0] ?? ""), word);
  });
});
