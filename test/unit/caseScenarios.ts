import assert from "node:assert/strict";
import { askGates, type Facts } from "../../server/core/gates/gate.ts";
import { gates } from "../../server/core/gates/gates.ts";
import { exampleLines, lineText } from "../../server/protocol/lines.ts";
import { conversation, goodFacts, instance, screen } from "./gates/goodFacts.ts";
import { judged, lookedAgain, type Make, pressed, run, tick } from "./reset/events.ts";
import { compactPressed } from "./reset/paths.ts";

type Expected = Readonly<Record<string, unknown>>;

const effectsOf = (makes: readonly Make[]) => run(makes).effects.map(({ kind }) => kind);
const refusalOf = (change: Partial<Facts>) => askGates(gates, { ...goodFacts, ...change }).refused?.gate;

/** The gate that says what a case calls a refusal. */
const gateFor: Readonly<Record<string, string>> = {
  "agent-not-in-foreground": "agent-in-foreground",
  "human-draft-possible": "prompt-box-empty",
  "human-spoke-after-approval": "nothing-said-since",
};
const refuses = (refusal: unknown, change: Partial<Facts>): void =>
  assert.equal(refusalOf(change), gateFor[String(refusal)]);

/** Cases about typing, which have no transcript: each field of what they expect, held against gates, machine and lines. */
export const scenarios: Readonly<Record<string, Readonly<Record<string, (expected: unknown, all: Expected) => void>>>> =
  {
    "69-enter-swallowed-by-paste-burst": {
      // The line goes in as a bracketed paste, which Codex never takes for typing, and Enter only after it was seen.
      typedEnterDelayMsMin: () => {
        const order = effectsOf(compactPressed);
        assert.ok(
          order.indexOf("type") < order.lastIndexOf("judge") && order.lastIndexOf("judge") < order.indexOf("press"),
        );
      },
      confirmBy: () => assert.ok(!effectsOf([...compactPressed, tick(2000)]).includes("end")),
      onNoConfirm: () => {
        const again = [
          ...compactPressed,
          tick(4500),
          lookedAgain(true),
          judged(),
          pressed(4600),
          tick(8000),
          tick(9500),
        ];
        assert.equal(effectsOf(again).filter((kind) => kind === "press").length, 2);
        const unseen = [...compactPressed, tick(4500), lookedAgain(false), judged(), tick(8000)];
        assert.equal(effectsOf(unseen).filter((kind) => kind === "press").length, 1);
        assert.ok(effectsOf([...again, tick(99_000)]).includes("end"));
      },
    },
    "71-agent-exited-shell-underneath": {
      mayType: (expected) =>
        assert.equal(refusalOf({ instance: { ...instance, foreground: false } }) === undefined, expected),
      refusal: (refusal) => refuses(refusal, { instance: { ...instance, foreground: false } }),
    },
    "73-human-draft-in-composer": {
      mayType: (expected) => assert.equal(refusalOf({ screen: { ...screen, box: "draft" } }) === undefined, expected),
      refusal: (refusal) => refuses(refusal, { screen: { ...screen, box: "draft" } }),
    },
    "75-multi-line-save-request": {
      newlinesInTypedText: (expected) => {
        for (const line of exampleLines)
          for (const agent of ["claude", "codex"] as const)
            assert.equal([...lineText(agent, line).matchAll(/[\r\n]/g)].length, expected);
      },
    },
    "78-approval-and-idle-window-deadlock": {
      variantA: () => assert.equal(refusalOf({}), undefined),
      variantB: (expected) => {
        assert.ok(typeof expected === "object" && expected !== null && "refusal" in expected);
        refuses(expected.refusal, {
          conversation: { ...conversation, lastHuman: { kind: "known", at: 99_500, recordId: "h2" } },
        });
      },
    },
  };
