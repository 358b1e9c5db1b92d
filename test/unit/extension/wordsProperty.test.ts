import assert from "node:assert/strict";
import fc from "fast-check";
import type { Typing } from "../../../extension/words/can.ts";
import { actOf, type Choice, choiceTitles, linesOf } from "../../../extension/words/choices.ts";
import { confirmation } from "../../../extension/words/confirm.ts";
import { detailsOf } from "../../../extension/words/details.ts";
import { menuOf, moreOf } from "../../../extension/words/menu.ts";
import { endedWords } from "../../../extension/words/outcome.ts";
import { askAbout, why } from "../../../extension/words/question.ts";
import { statusOf } from "../../../extension/words/status.ts";
import { undecidedWords } from "../../../extension/words/steps.ts";
import { Goal } from "../../../server/protocol/agents.ts";
import { lineText } from "../../../server/protocol/lines.ts";
import { ResetOutcome } from "../../../server/protocol/messages.ts";
import { type AgentView, ResetView } from "../../../server/protocol/view.ts";
import { agent, model, now, view } from "./builders.ts";

const ourWords =
  /\b(arm|arms|armed|breach(es|ed)?|receipts?|nonces?|claim(s|ed)?|composers?|unenforced|re-?orient\w*|undefined|NaN)\b/i;

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

/** Without the keys that hold nothing. */
function present<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return JSON.parse(JSON.stringify(value));
}

const anyReset = fc
  .record({
    resetId: fc.constant("0123456789ab"),
    goal: fc.constantFrom(...Goal.options),
    phase: fc.constantFrom(...ResetView.shape.phase.options),
    step: maybe(fc.constantFrom(...ResetView.shape.step.unwrap().options)),
    since: fc.constant(now),
    startedAt: fc.constant(now),
    cancellable: fc.boolean(),
    waitsFor: maybe(fc.constant("the agent is working")),
    savedBytes: maybe(fc.nat(2_000_000)),
  })
  .map((value) => ResetView.parse(present(value)));

const anyAgent: fc.Arbitrary<AgentView> = fc
  .record({
    agent: fc.constantFrom("claude" as const, "codex" as const),
    version: fc.constantFrom("2.1.332", "0.171.0", "9.0.0"),
    saving: fc.constantFrom<AgentView["saving"]>(
      { kind: "free" },
      { kind: "asks" },
      { kind: "unknown" },
      { kind: "impossible", why: "it is in plan mode", remedy: "Leave plan mode." },
    ),
    place: fc.constantFrom("terminal" as const, "multiplexer" as const),
    pressure: fc.constantFrom("none" as const, "full" as const),
    breach: fc.boolean(),
    backgroundShells: fc.nat(3),
    queued: fc.nat(2),
    turn: fc.constantFrom<AgentView["turn"]>(
      { kind: "idle" },
      { kind: "working" },
      { kind: "waiting", waitingFor: "permission" },
    ),
    workflow: fc.constantFrom("stow", "snapshot", "ours", undefined),
    reset: maybe(anyReset),
  })
  .map((part) => ({ ...agent(), ...present(part) }));

const anyTyping = fc.constantFrom<Typing>("types", "pastes", "gauge", "paused", "not-here");

const isChoice = (name: string): name is Choice => Object.hasOwn(choiceTitles, name);
const anyAct = fc.constantFrom(
  ...Object.keys(choiceTitles)
    .filter(isChoice)
    .map((choice) => actOf(choice)),
  actOf("resetThen", [{ textId: "t", digest: "0".repeat(64) }]),
);

/** What is shown word for word is judged where it is made. */
function withoutLines(text: string, lines: readonly string[]): string {
  return lines.reduce((rest, line) => rest.replaceAll(line, ""), text);
}

const ofRows = (rows: ReturnType<typeof menuOf>): readonly string[] =>
  rows.map((row) => (row.kind === "row" ? `${row.label} ${row.description ?? ""} ${row.detail ?? ""}` : row.label));

describe("everything the window says", () => {
  it("is in people's words: questions, dialogs, menus, hover and status", () => {
    fc.assert(
      fc.property(anyAgent, anyTyping, anyAct, fc.boolean(), (one, typing, act, paused) => {
        const now_ = model({ view: view([one], { paused }), paused });
        const lines = linesOf(act, one.workflow).map((line) => lineText(one.agent, line));
        const asked = askAbout(one, [], typing);
        const said = [
          asked.message,
          ...asked.buttons.map(({ title }) => title),
          why(one),
          withoutLines(confirmation(one, act, typing).detail, lines),
          ...ofRows(menuOf(now_, now)),
          ...ofRows(moreOf(one, now_)),
          ...detailsOf(one, now).map(({ text }) => text),
          statusOf(now_)?.text ?? "",
          statusOf(now_)?.label ?? "",
        ];
        for (const words of said) assert.doesNotMatch(words, ourWords);
        assert.ok(asked.buttons.length <= 3);
      }),
      { numRuns: 500 },
    );
  });

  it("is in people's words: how a reset ended", () => {
    const anyEnd = fc.record({
      goal: fc.constantFrom(...Goal.options),
      outcome: fc.constantFrom(...ResetOutcome.options),
      cleared: fc.boolean(),
      lost: fc.nat(3),
      undelivered: fc.boolean().map((some) => (some ? ["t"] : [])),
      bytes: maybe(fc.nat(9000)),
      before: maybe(fc.nat(400_000)),
      after: maybe(fc.nat(400_000)),
    });
    fc.assert(
      fc.property(anyEnd, fc.boolean(), ({ bytes, before, after, ...part }, hasText) => {
        const { message, buttons } = endedWords(
          {
            ...part,
            resetId: "0123456789ab",
            instanceId: "i1",
            name: "api",
            agent: "claude",
            reason: "a reason",
            remedy: "A remedy.",
            ...(bytes === undefined ? {} : { saved: { path: "/w/state.md", bytes } }),
            ...(before === undefined ? {} : { beforeTokens: before }),
            ...(after === undefined ? {} : { afterTokens: after }),
          },
          hasText,
        );
        assert.doesNotMatch(message, ourWords);
        assert.doesNotMatch(undecidedWords("api", part.goal), ourWords);
        assert.ok(buttons.length <= 3);
      }),
      { numRuns: 500 },
    );
  });

  it("offers no click that begins with a save where saving is impossible", () => {
    fc.assert(
      fc.property(anyAgent, anyTyping, (one, typing) => {
        fc.pre(one.saving.kind === "impossible");
        const rows = [...menuOf(model({ view: view([one]) }), now), ...moreOf(one, model({ view: view([one]) }))];
        const choices = rows.flatMap((row) =>
          row.kind === "row" && row.action.kind === "act" ? [row.action.choice] : [],
        );
        assert.ok(choices.every((choice) => choice === "compact"));
        assert.ok(askAbout(one, [], typing).buttons.every(({ answer }) => answer.kind !== "act"));
      }),
    );
  });
});
