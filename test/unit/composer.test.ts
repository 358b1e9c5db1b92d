import { deepEqual, equal } from "node:assert/strict";
import { readClaudeBox } from "../../server/agents/claude/composer.ts";
import { readCodexBox } from "../../server/agents/codex/composer.ts";
import {
  endsWithOurs,
  type PromptBox,
  type ReadBox,
  type ScreenGrid,
  showsExactly,
} from "../../server/agents/composer.ts";
import type { AgentId } from "../../server/protocol/agents.ts";
import { readScreen, screenNames } from "./screenFixture.ts";

const readers: Readonly<Record<AgentId, ReadBox>> = { claude: readClaudeBox, codex: readCodexBox };

const words = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `word${String(from + index).padStart(2, "0")}`).join("");

/**
 * `none`, `empty`, `empty shell`, or the text around the cursor (`|`), with `shell:` or `partial:` before it.
 */
const verdicts: Readonly<Record<AgentId, Readonly<Record<string, string>>>> = {
  claude: {
    after_model: "empty",
    after_turn: "empty",
    bang: "empty shell",
    bang_ls: "shell:ls|",
    busy_draft: "queueddraft|",
    busy_empty: "empty",
    ctrl_o: "none no-frame",
    ctrl_r: "none no-frame",
    ctrl_r_pasted: "none no-frame",
    draft: "hellodraft|",
    empty: "empty",
    model_menu: "none no-frame",
    permission: "none no-frame",
    permission_bs: "none no-frame",
    permission_pasted: "none no-frame",
    slash_clear_pasted: "/clear|",
    slash_popup: "/cl|",
    small_panel: "empty",
    small_panel_text200: `partial:${words(14, 29)}|`,
    st_bang: "empty shell",
    st_bang_after_blind: "empty shell",
    st_bang_ls: "shell:echohi|",
    st_bang_ls_after_blind: "shell:echohi|",
    st_busy: "empty",
    st_busy_after_blind: "empty", // "Press up to edit queued messages", all dim but for the cell under the cursor
    st_busy_draft: "wiptext|",
    st_busy_draft_after_blind: "wiptext|",
    st_ctrlo: "none no-frame",
    st_ctrlo_after_blind: "none no-frame",
    st_ctrlr: "none no-frame",
    st_ctrlr_after_blind: "none no-frame",
    st_draft: "halftypeddraft|",
    st_draft_after_blind: "halftypeddraft|",
    st_draft_mid: "halftypeddr|aft",
    st_draft_mid_after_blind: "halftypeddr|aft",
    st_escarmed: "x|",
    st_escarmed_after_blind: "x|",
    st_help: "empty",
    st_help_after_blind: "empty",
    st_model: "none no-frame",
    st_model_after_blind: "none no-frame",
    st_permission: "none no-frame",
    st_permission_after_blind: "none no-frame",
    text200: `${words(0, 29)}|`,
  },
  codex: {
    after_model: "empty",
    bang_ls: "shell:ls|",
    ctrl_r: "none no-footer",
    ctrl_r_pasted: "none no-footer",
    draft: "hellodraft|",
    empty: "empty",
    model_menu: "none cursor-hidden",
    model_pasted: "none cursor-hidden",
    permission_real: "none cursor-hidden",
    slash_clear_pasted: "/clear|",
    small_panel: "empty",
    st_bang: "empty shell",
    st_bang_after_blind: "empty shell",
    st_bang_ls: "shell:echohi|",
    st_bang_ls_after_blind: "shell:echohi|",
    st_browse: "none cursor-hidden",
    st_browse_after_blind: "empty",
    st_busy: "empty",
    st_busy_after_blind: "empty",
    st_busy_draft: "empty", // a draft is there, but the recorded screen is older than it
    st_busy_draft_after_blind: "wiptext/clear|",
    st_ctrlr: "none no-footer",
    st_ctrlr_after_blind: "none no-footer",
    st_draft: "halftypeddraft|",
    st_draft_after_blind: "halftypeddraft|",
    st_draft_mid: "halftypeddr|aft",
    st_draft_mid_after_blind: "halftypeddr|aft",
    st_esc1: "empty",
    st_esc1_after_blind: "empty",
    st_help: "empty",
    st_help_after_blind: "empty",
    st_model: "none cursor-hidden",
    st_model_after_blind: "none cursor-hidden",
    st_permission: "none cursor-hidden",
    st_permission_after_blind: "none cursor-hidden",
    st_popup: "/cl|",
    st_popup_after_blind: "/cl|",
    text200: `${words(0, 29)}|`,
  },
};

function verdictOf(agent: AgentId, grid: ScreenGrid): string {
  const box = readers[agent](grid);
  if (box.kind === "none") return `none ${box.why}`;
  if (box.empty) return box.shellMode ? "empty shell" : "empty";
  equal(box.text, box.beforeCursor + box.afterCursor);
  return `${box.partial === true ? "partial:" : ""}${box.shellMode ? "shell:" : ""}${box.beforeCursor}|${box.afterCursor}`;
}

/** The recorded screen with other rows at its bottom, beginning at row `from`. */
function withRows(
  grid: ScreenGrid,
  from: number,
  rows: readonly string[],
  cursor: { x: number; y: number },
): ScreenGrid {
  const cells = grid.cells.map((row, y) => {
    const text = rows[y - from];
    if (text === undefined) return row;
    return row.map((_, x) => ({ ch: text[x] ?? " ", width: 1, dim: false, inverse: false }));
  });
  return { ...grid, cells, cursorX: cursor.x, cursorY: cursor.y };
}

function boxIn(agent: AgentId, grid: ScreenGrid): PromptBox {
  const box = readers[agent](grid);
  if (box.kind === "none") throw new Error(`no box: ${box.why}`);
  return box;
}

describe("the prompt box", () => {
  for (const agent of ["claude", "codex"] as const) {
    it(`has a verdict for every recorded screen of ${agent}`, () => {
      deepEqual(Object.keys(verdicts[agent]).sort(), screenNames(agent));
    });
    for (const [name, verdict] of Object.entries(verdicts[agent])) {
      it(`of ${agent} on the screen ${name} is ${verdict.slice(0, 40)}`, () => {
        equal(verdictOf(agent, readScreen(agent, name)), verdict);
      });
    }
    it(`of ${agent} shows exactly our line where it was pasted, and nowhere else`, () => {
      const shown = screenNames(agent).filter((name) =>
        showsExactly(readers[agent](readScreen(agent, name)), "/clear"),
      );
      deepEqual(shown, ["slash_clear_pasted"]);
    });
    it(`of ${agent} ends with our line there, and where it was added to a draft`, () => {
      const ends = screenNames(agent).filter((name) => endsWithOurs(readers[agent](readScreen(agent, name)), "/clear"));
      deepEqual(
        ends,
        agent === "claude" ? ["slash_clear_pasted"] : ["slash_clear_pasted", "st_busy_draft_after_blind"],
      );
    });
  }

  it("is not empty when the only character stands under the cursor", () => {
    const empty = readScreen("claude", "empty");
    const grid = {
      ...empty,
      cells: empty.cells.map((row, y) =>
        y === 36 ? row.map((cell, x) => (x === 2 ? { ...cell, ch: "x", inverse: true } : cell)) : row,
      ),
    };
    equal(verdictOf("claude", grid), "|x");
  });

  it("is not exactly ours with a space behind it", () => {
    const grid = withRows(readScreen("claude", "empty"), 36, ["❯ /clear"], { x: 9, y: 36 });
    equal(showsExactly(boxIn("claude", grid), "/clear"), false);
    equal(endsWithOurs(boxIn("claude", grid), "/clear"), false);
  });

  it("is not exactly ours with a space before it", () => {
    const grid = withRows(readScreen("claude", "empty"), 36, ["❯  /clear"], { x: 9, y: 36 });
    equal(showsExactly(boxIn("claude", grid), "/clear"), false);
  });

  it("is not exactly ours with an empty row behind it", () => {
    const rule = "─".repeat(70);
    const grid = withRows(readScreen("claude", "empty"), 34, [rule, "❯ /clear", "", rule], { x: 2, y: 36 });
    equal(showsExactly(boxIn("claude", grid), "/clear"), false);
    equal(endsWithOurs(boxIn("claude", grid), "/clear"), false);
  });

  it("is exactly ours when the line wraps at a word", () => {
    const rule = "─".repeat(70);
    const grid = withRows(readScreen("claude", "empty"), 34, [rule, "❯ /compact Keep the", "  task", rule], {
      x: 6,
      y: 36,
    });
    equal(showsExactly(boxIn("claude", grid), "/compact Keep the task"), true);
    equal(showsExactly(boxIn("claude", grid), "/compact Keep thetask"), true, "a row end shows no space");
    equal(showsExactly(boxIn("claude", grid), "/compactKeep the task"), false);
  });

  it("is none in Codex when its text may go on behind an empty row", () => {
    const rows = ["", "› ", "", "  the rest", "", "  gpt-fake", ""];
    const grid = withRows(readScreen("codex", "draft"), 32, rows, { x: 2, y: 33 });
    equal(verdictOf("codex", grid), "none no-footer");
  });

  it("is not empty in Codex when the cursor stands on a second row", () => {
    const grid = withRows(readScreen("codex", "draft"), 33, ["", "› ", "  ", "", "  gpt-fake", ""], { x: 2, y: 35 });
    equal(verdictOf("codex", grid), "|");
  });

  it("is partial in Codex when the right edge marks a longer text", () => {
    const long = `› ${"a".repeat(67)}↑`;
    const grid = withRows(readScreen("codex", "draft"), 35, [long], { x: 5, y: 35 });
    equal(boxIn("codex", grid).partial, true);
  });

  it("is none in Claude when a rule does not go from edge to edge", () => {
    const grid = withRows(readScreen("claude", "empty"), 37, ["─".repeat(40)], { x: 2, y: 36 });
    equal(verdictOf("claude", grid), "none no-frame");
  });
});
