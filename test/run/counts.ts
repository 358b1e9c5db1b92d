export type Counts = { readonly passed: number; readonly failed: number; readonly skipped: number };

export const nothing: Counts = { passed: 0, failed: 0, skipped: 0 };

export const add = (a: Counts, b: Counts): Counts => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
});

/** Mocha's own summary line. Inside VS Code it begins with an invisible mark. */
const summary = /^[\s\u2063]*(\d+) (passing|failing|pending)\b(?: \([^)]*\))?$/;

/** Colours that a tool printed although nobody asked. */
const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");

export function countMocha(lines: readonly string[]): Counts {
  return lines.map((line) => countLine(line.replaceAll(colours, ""))).reduce(add, nothing);
}

function countLine(line: string): Counts {
  const [, digits, word] = summary.exec(line.trimEnd()) ?? [];
  if (digits === undefined) return nothing;
  const count = Number(digits);
  switch (word) {
    case "passing":
      return { ...nothing, passed: count };
    case "failing":
      return { ...nothing, failed: count };
    default:
      return { ...nothing, skipped: count };
  }
}

export type Judged = { readonly counts: Counts; readonly note?: string };

/** What a stage counts for. One that went wrong without a failing test, or ran none, is itself a failure. */
export function judgeStage(
  stage: { readonly mocha: boolean },
  ended: { readonly well: boolean; readonly lines: readonly string[]; readonly endedBecause?: string },
): Judged {
  const tests = stage.mocha ? countMocha(ended.lines) : { ...nothing, passed: ended.well ? 1 : 0 };
  const withItself = { ...tests, failed: tests.failed + 1 };
  if (ended.endedBecause !== undefined) return { counts: withItself, note: ended.endedBecause };
  if (!ended.well && tests.failed > 0) return { counts: tests };
  if (!ended.well) return { counts: withItself, note: stage.mocha ? "it ended with an error" : "see above" };
  if (tests.failed > 0) return { counts: tests, note: "tests failed, though it ended well" };
  return tests.passed > 0 ? { counts: tests } : { counts: withItself, note: "it ran no test" };
}

/** The last line of a run. */
export const totalLine = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
