import { deepEqual, equal } from "node:assert/strict";
import { lookAtBox } from "../../extension/screen/box.ts";
import { createMirror } from "../../extension/screen/mirror.ts";
import { type BoxReading, showsExactly } from "../../server/agents/composer.ts";
import { exampleLines, lineText } from "../../server/protocol/lines.ts";
import { type Draft, edit, emptyDraft } from "../demo/agent/draft.ts";
import { nextTokens } from "../demo/agent/growth.ts";
import { createKeys } from "../demo/agent/keys.ts";
import { draw, enterScreen, type Message, type Size } from "../demo/agent/screen.ts";
import { createFakeClock } from "./screenClock.ts";

const sizes: readonly Size[] = [
  { cols: 80, rows: 24 },
  { cols: 56, rows: 12 },
  { cols: 137, rows: 9 },
];
const hello: readonly Message[] = [
  { kind: "prompt", text: "hello" },
  { kind: "answer", text: "This is a demo. ".repeat(20).trim() },
];

function typed(...input: readonly string[]): Draft {
  const keys = createKeys();
  return input.flatMap(keys).reduce(edit, emptyDraft);
}

async function boxOf(draft: Draft, size: Size, doing?: string): Promise<BoxReading | undefined> {
  const mirror = createMirror(createFakeClock(), () => size);
  const shown = {
    cwd: "/home/dev/demo",
    messages: hello,
    draft,
    footer: "demo",
    ...(doing === undefined ? {} : { doing }),
  };
  mirror.write(enterScreen + draw(shown, size));
  await mirror.flush();
  const look = lookAtBox(mirror, "claude");
  return look.kind === "read" ? look.box : undefined;
}

describe("the demo agent's prompt box, as Plimsoll reads it", () => {
  for (const size of sizes) {
    const at = `${size.cols}×${size.rows}`;

    it(`is empty behind its placeholder, at rest and at work (${at})`, async () => {
      for (const doing of [undefined, "Pretending to work…"]) {
        const box = await boxOf(emptyDraft, size, doing);
        equal(box?.kind === "box" && box.empty, true);
      }
    });

    it(`shows exactly what was pasted (${at})`, async () => {
      for (const line of exampleLines) {
        const text = lineText("claude", line);
        const box = await boxOf(typed(`\u001b[200~${text}\u001b[201~`), size);
        equal(box !== undefined && showsExactly(box, text), true);
      }
    });

    it(`shows a draft, and nothing else as empty (${at})`, async () => {
      const box = await boxOf(typed("half a thought"), size);
      equal(box?.kind === "box" && box.text, "halfathought");
    });
  }

  it("says that a part is out of sight when the panel is too small for the text", async () => {
    const box = await boxOf(typed(`\u001b[200~${"word ".repeat(200)}\u001b[201~`), { cols: 56, rows: 12 });
    equal(box?.kind === "box" && box.partial, true);
  });
});

describe("the demo agent's keys", () => {
  it("are told apart wherever a read cuts them", () => {
    const input = "a\u001b[200~/clear\u001b[201~b";
    for (let cut = 3; cut < input.length; cut += 1)
      equal(typed(input.slice(0, cut), input.slice(cut)).text, "a/clearb");
  });

  it("edit where the cursor is", () => {
    deepEqual(typed("abd", "\u001b[D", "c", "\u007f", "C"), { text: "abCd", cursor: 3 });
    deepEqual(typed("some words", "\u0015"), emptyDraft);
  });

  it("take a burst for a paste, in which Enter is only a new line", () => {
    const keys = createKeys()(`${"x".repeat(70)}\r`);
    deepEqual(
      keys.map(({ kind }) => kind),
      ["paste"],
    );
    deepEqual(createKeys()("/clear\r"), [{ kind: "text", text: "/clear" }, { kind: "enter" }]);
  });
});

describe("the demo agent's context", () => {
  it("grows over the line in six prompts, without a leap", () => {
    const sizes: number[] = [];
    for (let prompt = 0; prompt < 6; prompt += 1) sizes.push(nextTokens(sizes.at(-1), "hello"));
    deepEqual(sizes, [40_000, 64_000, 102_400, 162_400, 222_400, 282_400]);
  });

  it("is what a prompt says", () => {
    equal(nextTokens(40_000, "look USAGE=290000"), 290_000);
  });
});
