import assert from "node:assert/strict";
import { gone, known, type Lookup, unknown } from "../../../server/shell/processes/process.ts";
import { settled } from "../../../server/shell/processes/settled.ts";

function looks(answers: readonly Lookup<number>[]) {
  const waits: number[] = [];
  let at = 0;
  const look = async () => answers[at++] ?? unknown("silent");
  const wait = async (ms: number) => {
    waits.push(ms);
  };
  return { waits, answer: settled(look, wait) };
}

describe("a settled lookup", () => {
  it("takes an answer at once, and gone is an answer", async () => {
    for (const answer of [known(7), gone]) {
      const { waits, answer: given } = looks([answer]);
      assert.deepEqual(await given, answer);
      assert.deepEqual(waits, []);
    }
  });

  it("asks again after a failure, each time later", async () => {
    const { waits, answer } = looks([unknown("EMFILE"), unknown("EMFILE"), known(7)]);
    assert.deepEqual(await answer, known(7));
    assert.deepEqual(waits, [100, 200]);
  });

  it("stays unknown when every look fails", async () => {
    const { waits, answer } = looks([]);
    assert.deepEqual(await answer, unknown("silent"));
    assert.deepEqual(waits, [100, 200, 400, 800]);
  });
});
