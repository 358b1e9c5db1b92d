import assert from "node:assert/strict";
import { digestOf } from "../../server/core/digest.ts";
import { scenarios } from "./caseScenarios.ts";
import { checks } from "./casesChecks.ts";
import {
  type Case,
  caseNames,
  expectationsOf,
  hasSteps,
  inFolder,
  readCase,
  readSteps,
  type StepSeen,
} from "./casesInput.ts";

type StepCheck = (expected: unknown, step: StepSeen) => void;

const is =
  (actual: (step: StepSeen) => unknown): StepCheck =>
  (expected, step) =>
    assert.deepEqual(actual(step), expected);

const stepChecks: Readonly<Record<string, StepCheck>> = {
  note: () => undefined,
  tokens: is(({ conversation }) => (conversation?.reading.kind === "measured" ? conversation.reading.tokens : null)),
  records: is(({ conversation }) => conversation?.records ?? 0),
  badLines: is(({ conversation }) => conversation?.badLines ?? 0),
  restarted: is(({ result }) => result.kind === "read" && result.restarted),
  state: is(({ result, conversation }) => (result.kind === "gone" ? "gone" : conversation?.turn.kind)),
  mayType: is(({ result, conversation }) => result.kind === "read" && conversation?.turn.kind === "idle"),
  lastHumanPrompt: (expected, { conversation }) =>
    assert.equal(conversation?.lastPrompt?.digest, digestOf(String(expected))),
};

describe("cases", () => {
  for (const name of caseNames()) {
    const scenario = scenarios[name];
    if (scenario !== undefined)
      it(`${name}: ${String(expectationsOf(name)["why"])}`, () => checkScenario(name, scenario));
    else if (hasSteps(name))
      it(`${name}: ${String(expectationsOf(name)["why"])}`, () => inFolder((scratch) => checkSteps(name, scratch)));
    else
      it(`${name}: ${String(expectationsOf(name)["why"])}`, async function () {
        this.timeout(60_000);
        await inFolder(async (scratch) => checkAll(await readCase(name, scratch)));
      });
  }
});

function checkScenario(name: string, scenario: NonNullable<(typeof scenarios)[string]>): void {
  const expect = expectationsOf(name);
  for (const [field, expected] of Object.entries(expect)) {
    if (field === "why") continue;
    const check = scenario[field];
    assert.ok(check !== undefined, `the field ${field} is not understood`);
    check(expected, expect);
  }
}

function checkAll(about: Case): void {
  for (const [field, expected] of Object.entries(about.expect)) {
    const check = checks[field];
    assert.ok(check !== undefined, `the field ${field} is not understood`);
    try {
      check(expected, about);
    } catch (error) {
      throw new Error(`${field}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

async function checkSteps(name: string, scratch: string): Promise<void> {
  const { why: _, agent: __, perStep, ...rest } = expectationsOf(name);
  assert.deepEqual(Object.keys(rest), [], "a field is not understood");
  assert.ok(Array.isArray(perStep));
  const seen = await readSteps(name, scratch);
  // A step that brings nothing new leaves what was known.
  let last: StepSeen | undefined;
  for (const [index, step] of seen.entries()) {
    const now = step.result.kind === "unchanged" && last !== undefined ? last : step;
    last = now;
    const expected: unknown = perStep[index];
    assert.ok(typeof expected === "object" && expected !== null);
    for (const [field, value] of Object.entries(expected)) {
      const check = stepChecks[field];
      assert.ok(check !== undefined, `the field ${field} of step ${index + 1} is not understood`);
      check(value, now);
    }
  }
  assert.equal(seen.length, perStep.length);
}
