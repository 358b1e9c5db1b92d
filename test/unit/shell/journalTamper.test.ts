import assert from "node:assert/strict";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { noReset } from "../../../server/core/reset/machine.ts";
import { approved, cancelled, recovered, start } from "../reset/events.ts";
import { full, toClearing, toPressed } from "../reset/paths.ts";
import { createJournalRig, instanceId, type JournalRig, later, month, owner } from "./journalRig.ts";

describe("a journal that was tampered with", () => {
  let rig: JournalRig;
  beforeEach(() => {
    rig = createJournalRig();
  });
  afterEach(() => rig.dispose());

  const change = (line: string, from: string, to: string) => {
    assert.ok(line.includes(from));
    return line.replace(from, to);
  };
  const without = (lines: readonly string[], index: number) => lines.filter((_, other) => other !== index);

  /** `believed`: so many lines still are; absent: all that were written. `says`: of the first line that is not. */
  type Case = {
    readonly name: string;
    readonly believed?: number;
    readonly says: string;
    readonly tamper: (lines: readonly string[]) => readonly string[];
  };
  const cases: readonly Case[] = [
    {
      name: "a changed value",
      believed: 4,
      says: "was changed after it was written",
      tamper: (lines) =>
        lines.map((line, index) => (index === 4 ? line.replace(/"attempt":\d+/, '"attempt":99') : line)),
    },
    {
      name: "a space more",
      believed: 4,
      says: "was changed after it was written",
      tamper: (lines) => lines.map((line, index) => (index === 4 ? change(line, '"attempt":', '"attempt": ') : line)),
    },
    {
      name: "a first line that is gone",
      believed: 0,
      says: "follows a hole: step 0 is missing before it",
      tamper: (lines) => lines.slice(1),
    },
    {
      name: "a line that is gone",
      believed: 3,
      says: "follows a hole: step 3 is missing before it",
      tamper: (lines) => without(lines, 3),
    },
    {
      name: "several lines that are gone",
      believed: 3,
      says: "follows a hole: steps 3 to 5 are missing before it",
      tamper: (lines) => [...lines.slice(0, 3), ...lines.slice(6)],
    },
    {
      name: "two lines the other way round",
      believed: 3,
      says: "is out of order: step 4 stands where step 3 belongs",
      tamper: (lines) => [...lines.slice(0, 3), lines[4] ?? "", lines[3] ?? "", ...lines.slice(5)],
    },
    {
      name: "a line twice",
      believed: 4,
      says: "is a copy of line 4",
      tamper: (lines) => [...lines.slice(0, 4), ...lines.slice(3)],
    },
    {
      name: "an old line at the end",
      says: "is a copy of line 2",
      tamper: (lines) => [...lines, lines[1] ?? ""],
    },
    {
      name: "an old line at the end under another number",
      says: "was changed after it was written",
      tamper: (lines) => [
        ...lines,
        change(lines[1] ?? "", '"seq":1,', `"seq":${lines.length},`).replace(/"mac":"./, '"mac":"e'),
      ],
    },
    {
      name: "a line without its mac",
      believed: 4,
      says: "is not signed",
      tamper: (lines) => lines.map((line, index) => (index === 4 ? line.replace(/,"mac":"\w+"/, "") : line)),
    },
    {
      name: "what is no line",
      believed: 4,
      says: "is no line of a journal",
      tamper: (lines) => [...lines.slice(0, 4), "{half", ...lines.slice(4)],
    },
    {
      name: "an empty line",
      believed: 4,
      says: "is no line of a journal",
      tamper: (lines) => [...lines.slice(0, 4), "", ...lines.slice(4)],
    },
  ];

  for (const { name, believed, says, tamper } of cases)
    it(`is believed up to ${name}, which is said, and goes on from there`, () => {
      const makes = toClearing();
      rig.write(makes);
      const lines = rig.lines();
      const whole = believed ?? lines.length;
      rig.setLines(tamper(lines));
      const found = readFileSync(rig.file, "utf8");

      const { resets, problems } = rig.recover();
      assert.equal(problems.length, 1);
      assert.ok(problems.join().startsWith(`Line ${whole + 1} of the journal ${rig.file} ${says}. `), problems.join());
      assert.match(problems.join(), /what was done after it is not known: look at the terminal/);
      rig.setLines(lines.slice(0, whole));
      const upTo = rig.recover();
      assert.deepEqual(resets, upTo.resets);
      assert.deepEqual(upTo.problems, []);

      rm(found);
      const state = rig.recover().resets[0]?.state ?? noReset;
      const journal = rig.open();
      rig.write(state.phase === "none" ? [approved()] : [recovered], journal, state);
      assert.deepEqual(rig.recover().problems, []);
      assert.equal(rig.lines().length, whole + 1);
      assert.match(rig.aside()[0] ?? "", /^claude-7-1\.broken-\d+\.jsonl$/);
      assert.equal(readFileSync(join(rig.dir, "aside", rig.aside()[0] ?? ""), "utf8"), found);
    });

  const rm = (text: string) => {
    rmSync(join(rig.dir, "aside"), { recursive: true, force: true });
    writeFileSync(rig.file, text, { mode: 0o600 });
  };

  it("is never believed after a byte that was flipped, wherever it is", function () {
    this.timeout(60_000);
    rig.write(toPressed());
    const whole = readFileSync(rig.file);
    const states = rig.lines().length;
    fc.assert(
      fc.property(fc.nat({ max: whole.length - 1 }), fc.nat({ max: 7 }), (at, bit) => {
        const bytes = Buffer.from(whole);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
        rm("");
        writeFileSync(rig.file, bytes);
        const { problems } = rig.recover();
        const index = whole.subarray(0, at).filter((byte) => byte === 10).length;
        // The last line's end is what tells that it was written whole.
        const isEnd = at === whole.length - 1;
        assert.match(problems.join(), isEnd ? /cut off/ : new RegExp(`(Line|line \\() ?${index + 1}\\)? `));
        assert.ok(index < states);
      }),
      { numRuns: 400 },
    );
  });

  it("says of a last line that is cut off that nothing was done for it, at every length", () => {
    rig.write(toClearing());
    const whole = readFileSync(rig.file, "utf8");
    const lastStart = whole.trimEnd().lastIndexOf("\n") + 1;
    const before = rig.lines().slice(0, -1);
    rig.setLines(before);
    const expected = rig.recover().resets;
    for (let length = lastStart + 1; length < whole.length; length += 37) {
      writeFileSync(rig.file, whole.slice(0, length));
      const { resets, problems } = rig.recover();
      assert.deepEqual(resets, expected);
      assert.match(problems.join(), /The last line .* is cut off.*nothing had been done for it/);
    }
    rig.write([recovered], rig.open(), expected[0]?.state);
    assert.deepEqual(rig.lines().slice(0, before.length), before);
    assert.deepEqual(rig.recover().problems, []);
    assert.ok(!rig.files().includes("aside"));
  });

  it("and holds nothing open is put aside and said once", () => {
    rig.write(full());
    rig.setLines(without(rig.lines(), 0));
    assert.equal(rig.recover().problems.length, 1);
    assert.deepEqual(rig.files(), ["aside", "key"]);
    assert.deepEqual(rig.recover(), { resets: [], submitted: [], problems: [] });
    rig.open().recover(Date.now() + month);
    assert.deepEqual(rig.aside(), []);
  });

  it("is not believed where lines of another course of the same journal were put in", () => {
    rig.write(toClearing());
    const lines = rig.lines();
    rig.setLines(lines.slice(0, 3));
    const state = rig.recover().resets[0]?.state;
    rig.write([recovered, approved()], rig.open(), state);
    const others = rig.lines();
    rig.setLines([...lines.slice(0, 4), ...others.slice(4)]);
    assert.match(rig.recover().problems.join(), /Line 5 .* was changed/);
  });

  it("cannot be put in the place of another agent's", () => {
    rig.write(toPressed());
    copyFileSync(rig.file, join(rig.dir, "claude-8-1.jsonl"));
    assert.throws(() => rig.write([approved()], rig.open(), noReset, "claude-8-1"), /journal of another agent/);
  });
});

describe("the key of the journals (R236)", () => {
  let rig: JournalRig;
  let key: string;
  beforeEach(() => {
    rig = createJournalRig();
    key = join(rig.dir, "key");
  });
  afterEach(() => rig.dispose());

  it("is made by whoever comes first, and shared", () => {
    const [mine, theirs] = [rig.open(), rig.open({ pid: 8, birth: "1" })];
    assert.equal(mine.problem(), undefined);
    const bytes = readFileSync(key);
    assert.equal(bytes.length, 32);
    assert.equal(theirs.problem(), undefined);
    rig.write([approved(), cancelled], theirs);
    rig.write([approved(), cancelled], mine);
    assert.deepEqual(readFileSync(key), bytes);
    assert.deepEqual(rig.recover().problems, []);
  });

  it("that is missing is not replaced while something is signed with it", () => {
    rig.write(toPressed());
    unlinkSync(key);
    const journal = rig.open();
    assert.match(journal.problem() ?? "", /key of the journals .* is missing.*move .*journal away/);
    assert.throws(() => rig.write([approved()], journal), /is missing/);
    assert.deepEqual(journal.recover(later), { resets: [], submitted: [], problems: [] });
    assert.deepEqual(journal.pastClears(), []);
    assert.deepEqual(rig.files(), [`${instanceId}.jsonl`]);
  });

  for (const [name, breakIt, says] of [
    ["too short", () => writeFileSync(key, "short"), /has 5 bytes instead of 32/],
    ["empty", () => writeFileSync(key, ""), /has 0 bytes/],
    ["open to others", () => chmodSync(key, 0o644), /cannot be used .*open to other accounts/],
    ["a folder", () => [unlinkSync(key), mkdirSync(key)], /cannot be used/],
  ] as const)
    it(`that is ${name} is said, refuses typing, and is usable again once it is mended`, function () {
      if (process.platform === "win32") this.skip();
      rig.write(toPressed());
      const bytes = readFileSync(key);
      breakIt();
      const journal = rig.open();
      assert.match(journal.problem() ?? "", says);
      assert.throws(() => rig.write([approved()], journal), says);
      rmSync(key, { recursive: true });
      writeFileSync(key, bytes, { mode: 0o600 });
      assert.equal(journal.problem(), undefined);
      assert.equal(journal.recover(later).resets.length, 1);
    });

  it("of another folder is told from a line that was changed", () => {
    rig.write(toPressed());
    writeFileSync(key, Buffer.alloc(32, 7));
    assert.match(rig.recover().problems.join(), /Line 1 .* is signed with another key/);
    assert.deepEqual(rig.recover().resets, []);
  });

  it("does not stand in the journal", () => {
    rig.write(full());
    const bytes = readFileSync(key);
    const text = readFileSync(rig.file, "utf8");
    for (const encoding of ["hex", "base64", "latin1"] as const) assert.ok(!text.includes(bytes.toString(encoding)));
  });
});

describe("a journal of an earlier version", () => {
  let rig: JournalRig;
  beforeEach(() => {
    rig = createJournalRig();
    rig.open().problem();
  });
  afterEach(() => rig.dispose());

  const record = (to: string) =>
    JSON.stringify({ v: 1, seq: 0, owner, instanceId, from: "none", to, path: "approved", event: { at: start } });
  const put = (to: string) => writeFileSync(rig.file, `${record(to)}\n`, { mode: 0o600 });

  it("is kept for reading where its resets are over", () => {
    put("none");
    assert.deepEqual(rig.recover(), { resets: [], submitted: [], problems: [] });
    assert.deepEqual(rig.aside(), ["claude-7-1.earlier.jsonl"]);
    assert.deepEqual(rig.files(), ["aside", "key"]);
  });

  it("is not taken up where one is open, which is said; a new one begins beside it", () => {
    put("dispatched/typing");
    const { resets, problems } = rig.recover();
    assert.deepEqual(resets, []);
    assert.match(problems.join(), /earlier version, and its reset had not ended.*look at the terminal/);
    rig.write([approved(), cancelled]);
    assert.deepEqual(rig.aside(), ["claude-7-1.earlier.jsonl"]);
    assert.deepEqual(rig.recover().problems, []);
  });
});
