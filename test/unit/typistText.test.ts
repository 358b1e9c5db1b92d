import { deepEqual, equal, notEqual } from "node:assert/strict";
import { createHeldTexts } from "../../extension/heldTexts.ts";
import { digestOf, pastable } from "../../extension/typing/personText.ts";
import { digestOf as digestInWorker } from "../../server/core/digest.ts";
import type { Line } from "../../server/protocol/lines.ts";
import { createRig, type Rig } from "./typistRig.ts";

const pasted = (text: string) => `\u001b[200~${text}\u001b[201~`;
const deletes = (count: number) => "\u007f".repeat(count);
const refused = (reason: string, wrote = false, erased = false) => ({ outcome: "refused", reason, wrote, erased });
const typed = (rig: Rig) => rig.clock.run(rig.typist.type(rig.order));

async function entered(rig: Rig): Promise<string> {
  const answer = await typed(rig);
  if (answer.outcome !== "shown") return answer.reason;
  const { sequence } = answer;
  const press = rig.typist.press({ ...rig.order, sequence, token: "k", validMs: 250 });
  return (await rig.clock.run(press)).outcome;
}

/** The agent shows something else than what was pasted. */
function shows(rig: Rig, text: string, cursor = text.length): void {
  rig.onWrite = (data) => {
    if (!data.startsWith("\u001b[")) return;
    rig.agent.isDeaf = true;
    rig.becomes({ text, cursor });
  };
}

const four = "first\nsecond\n  third é\nfourth";
const long = "lorem ipsum ".repeat(100).trim();

for (const agent of ["claude", "codex"] as const) {
  describe(`a person's text, typed to ${agent}`, () => {
    const texts = [
      "one line",
      "two\nlines",
      "a paragraph that is a good deal longer than one row of this panel is wide, and goes on\n\n- an item\n  - another",
      four,
      long,
      "x".repeat(900),
      "😀 漢字 é",
      "nothing but 😀",
      "Привет, мир",
      "日本",
      "a\ttab and  two spaces",
      "#note",
      "$x",
      "look at @file",
    ];
    for (const text of texts) {
      it(`goes in whole, in one paste, and is entered: ${JSON.stringify(text.slice(0, 30))} (${text.length})`, async () => {
        const rig = await createRig(agent, text);
        equal(await entered(rig), "pressed");
        deepEqual(rig.written, [pasted(text), "\r"]);
      });
      it(`is taken back where it stands alone: ${JSON.stringify(text.slice(0, 30))} (${text.length})`, async () => {
        const rig = await createRig(agent, text);
        equal((await typed(rig)).outcome, "shown");
        deepEqual(await rig.clock.run(rig.typist.erase(rig.order)), { erased: true });
        equal(rig.agent.now.text, "");
      });
    }

    it("can't end the paste, and brings no key with it", async () => {
      const rig = await createRig(agent, "one\u001b[201~\rrm -rf x\r\n\u009b201~\u0003\u007f\u0000two\ud800\n\n");
      equal(await entered(rig), "pressed");
      deepEqual(rig.written, [pasted("one[201~\nrm -rf x\n201~two"), "\r"]);
    });

    it("is carried over as the worker gives it", async () => {
      const rig = await createRig(agent, { kind: "carried", text: "go on\r\nwith this" });
      equal(await entered(rig), "pressed");
      deepEqual(rig.written, [pasted("go on\nwith this"), "\r"]);
    });

    it("is refused before the first byte when it would switch to the shell", async () => {
      for (const line of ["!ls", "\n  !ls", { kind: "carried", text: "!ls" }] as const) {
        const rig = await createRig(agent, line);
        deepEqual(await typed(rig), refused("shell-mode"));
        deepEqual(await rig.clock.run(rig.typist.pasteForPerson(rig.order)), { pasted: false, reason: "shell-mode" });
        deepEqual(rig.written, []);
      }
    });

    it("is refused before the first byte when nothing is left of it", async () => {
      for (const text of ["", " \n\t ", "\u001b\u0007"]) {
        const rig = await createRig(agent, text);
        deepEqual(await typed(rig), refused("text-unknown"));
      }
      const rig = await createRig(agent, { kind: "carried", text: "\u001b" });
      deepEqual(await typed(rig), refused("text-unknown"));
      deepEqual(rig.written, []);
    });

    it("is refused when it is no longer held, or is not the one meant", async () => {
      const gone = await createRig(agent, "go on");
      if (gone.order.line.kind === "held") gone.held.release([gone.order.line.textId]);
      deepEqual(await typed(gone), refused("text-unknown"));
      const rig = await createRig(agent, "go on");
      const other: Line = { kind: "held", ...rig.held.hold("something else"), digest: digestOf("go on") };
      deepEqual(await rig.clock.run(rig.typist.type({ ...rig.order, line: other })), refused("text-unknown"));
      deepEqual([...gone.written, ...rig.written], []);
    });

    it("is a command only where the person asked for one, and only to the last letter", async () => {
      const asked = await createRig(agent, "/review the rest");
      equal(await entered(asked), "pressed");
      const carried = await createRig(agent, { kind: "carried", text: "/clear" });
      deepEqual(await typed(carried), refused("text-command"));
      deepEqual(carried.written, []);
      const completed = await createRig(agent, "/rev");
      shows(completed, "/review");
      deepEqual(await typed(completed), refused("not-shown", true, false));
      deepEqual(completed.written, [pasted("/rev")]);
    });

    it("is not entered where the box turned into a shell", async () => {
      const rig = await createRig(agent, "ls");
      rig.onWrite = () => {
        rig.agent.isDeaf = true;
        rig.becomes({ text: "ls", shellMode: true });
      };
      deepEqual(await typed(rig), refused("not-shown", true, false));
    });

    it("is not entered, and not taken back, where something stands before or behind it", async () => {
      for (const [text, shown] of [
        ["my words", "wip my words"],
        ["my words", "my words!"],
        ["my words", "my wo rds"],
        ["my words", "mywords"],
        ["слово", "словож"],
        ["слово é", "é слово é"],
        ["😀 end", "😀 endx"],
      ] as const) {
        const rig = await createRig(agent, text);
        shows(rig, shown);
        const answer = await typed(rig);
        equal(answer.outcome, "refused", shown);
        equal(rig.written.includes("\r"), false);
        if (shown.startsWith("wip")) deepEqual(rig.written, [pasted(text)]);
      }
    });

    it("is not entered where something stands behind the cursor", async () => {
      const rig = await createRig(agent, "my words é");
      shows(rig, "my words é and more", "my words é".length);
      deepEqual(await typed(rig), refused("not-shown", true, false));
    });

    it("is gone only when nothing of it is left, white space neither", async () => {
      const rig = await createRig(agent, "   indented");
      equal((await typed(rig)).outcome, "shown");
      rig.agent.isDeaf = true;
      rig.onWrite = () => rig.becomes({ text: "  " });
      deepEqual(await rig.clock.run(rig.typist.erase(rig.order)), { erased: false });
    });

    it("is pasted for the person where the screen is not seen", async () => {
      const rig = await createRig(agent, four);
      rig.window.end(rig.terminal, rig.execution);
      deepEqual(await rig.clock.run(rig.typist.pasteForPerson(rig.order)), { pasted: true });
      deepEqual(rig.written, [pasted(four)]);
    });

    it("may lack a character that is not ASCII on the screen, but none that is", async () => {
      const lacks = await createRig(agent, "go 😀 on é");
      shows(lacks, "go  on é");
      equal((await typed(lacks)).outcome, "shown");
      const other = await createRig(agent, "go 😀 on é");
      shows(other, "go 😀 o é");
      equal((await typed(other)).outcome, "refused");
    });
  });
}

describe("a folded paste", () => {
  const cases = [
    ["claude", four, "[Pasted text #1 +3 lines]", true],
    ["claude", four, "[Pasted text #27 +3 lines]", true],
    ["claude", four, "[Pasted text #1 +4 lines]", false],
    ["claude", four, "[Pasted text #1]", false],
    ["claude", four, "[Pasted text #1 +3 lines] x", false],
    ["claude", four, "x[Pasted text #1 +3 lines]", false],
    ["claude", four, "[Pasted text #1 +3 lines][Pasted text #2 +3 lines]", false],
    ["claude", four, "[Image #1]", false],
    ["claude", long, "[Pasted text #2]", true],
    ["claude", "short", "[Pasted text #2]", false],
    ["claude", `/review\n${four}`, "[Pasted text #1 +4 lines]", false],
    ["codex", long, `[Pasted Content ${long.length} chars]`, true],
    ["codex", long, `[Pasted Content ${long.length + 1} chars]`, false],
    ["codex", "😀".repeat(1500), "[Pasted Content 1500 chars]", true],
    ["codex", four, `[Pasted Content ${four.length} chars]`, false],
    ["codex", long, "[Pasted text #2]", false],
  ] as const;
  for (const [agent, text, shown, isOurs] of cases) {
    it(`of ${agent} ${isOurs ? "is" : "is not"} our text of ${text.length}: ${shown}`, async () => {
      const rig = await createRig(agent, text);
      shows(rig, shown);
      equal((await typed(rig)).outcome, isOurs ? "shown" : "refused");
    });
  }

  it("goes with one key", async () => {
    for (const [agent, text] of [
      ["claude", four],
      ["claude", long],
      ["codex", long],
    ] as const) {
      const rig = await createRig(agent, text);
      equal((await typed(rig)).outcome, "shown");
      deepEqual(await rig.clock.run(rig.typist.erase(rig.order)), { erased: true });
      deepEqual(rig.written, [pasted(text), deletes(1)]);
    }
  });

  it("is left where something stands before it", async () => {
    const rig = await createRig("claude", four);
    shows(rig, "wip [Pasted text #1 +3 lines]");
    deepEqual(await typed(rig), refused("not-shown", true, false));
    deepEqual(rig.written, [pasted(four)]);
  });
});

describe("an Escape", () => {
  const escaped = (rig: Rig) => rig.clock.run(rig.typist.escape(rig.order));

  it("goes out alone and at once, and nothing with it", async () => {
    const rig = await createRig("claude");
    deepEqual(await escaped(rig), { sent: true });
    deepEqual(rig.written, ["\u001b"]);
  });

  it("needs no screen", async () => {
    const rig = await createRig("codex");
    rig.window.end(rig.terminal, rig.execution);
    deepEqual(await escaped(rig), { sent: true });
  });

  it("is refused without leave, without the agent, without the window, without the terminal", async () => {
    const cases: readonly (readonly [string, (rig: Rig) => void])[] = [
      ["paused", (rig) => Object.assign(rig.world.guard, { paused: true })],
      ["mode", (rig) => Object.assign(rig.world.guard, { mode: "gauge" })],
      ["trust", (rig) => Object.assign(rig.world.guard, { trusted: false })],
      ["agent-gone", (rig) => Object.assign(rig.world, { birth: undefined })],
      ["not-connected", (rig) => Object.assign(rig.world, { connected: false })],
      ["terminal-closed", (rig) => rig.window.close(rig.terminal)],
    ];
    for (const [reason, change] of cases) {
      const rig = await createRig("claude");
      change(rig);
      deepEqual(await escaped(rig), { sent: false, reason });
      deepEqual(rig.written, []);
    }
  });

  it("is not sent late, nor to another process", async () => {
    const rig = await createRig("claude");
    rig.world.roundTripMs = 100;
    const sent = rig.typist.escape(rig.order);
    rig.world.birth = "78";
    deepEqual(await rig.clock.run(sent), { sent: false, reason: "agent-gone" });
    deepEqual(rig.written, []);
  });

  it("goes past what is being typed, which is then not entered but taken back", async () => {
    const rig = await createRig("claude");
    const answer = await typed(rig);
    const sequence = answer.outcome === "shown" ? answer.sequence : -1;
    deepEqual(await escaped(rig), { sent: true });
    rig.becomes({ text: "/clear" });
    await rig.clock.pass(100);
    const again = await rig.clock.run(rig.typist.lookAgain(rig.order));
    for (const number of [sequence, again.sequence]) {
      const press = { ...rig.order, sequence: number, token: `k${number}`, validMs: 250 };
      deepEqual(await rig.clock.run(rig.typist.press(press)), { outcome: "refused", reason: "changed" });
    }
    deepEqual(await rig.clock.run(rig.typist.erase(rig.order)), { erased: true });
    deepEqual(rig.written, [pasted("/clear"), "\u001b", deletes(6)]);
  });

  it("keeps a line from being pasted right behind it", async () => {
    const rig = await createRig("claude");
    rig.world.roundTripMs = 20;
    const sent = rig.typist.escape(rig.order);
    const typing = rig.typist.type(rig.order);
    deepEqual(await rig.clock.run(sent), { sent: true });
    deepEqual(await rig.clock.run(typing), refused("changed"));
    deepEqual(rig.written, ["\u001b"]);
  });
});

it("an Escape keeps a line from being pasted, although the agent has painted an empty box since", async () => {
  const rig = await createRig("claude");
  rig.world.roundTripMs = 200;
  const typing = rig.typist.type(rig.order);
  rig.world.roundTripMs = 20;
  const sent = rig.typist.escape(rig.order);
  rig.onWrite = () => rig.becomes({ text: "" });
  deepEqual(await rig.clock.run(sent), { sent: true });
  deepEqual(await rig.clock.run(typing), refused("changed"));
  deepEqual(rig.written, ["\u001b"]);
});

describe("held texts", () => {
  it("are known by an id and the digest that the worker knows texts by", () => {
    const held = createHeldTexts();
    const text = "go on\r\n with é 😀 this\u001b \n";
    const { textId, digest } = held.hold(text);
    equal(held.textOf(textId), "go on\n with é 😀 this");
    equal(digest, digestInWorker("go on with é 😀 this"));
    notEqual(held.hold(text).textId, textId);
  });

  it("are given back once where they were not delivered", () => {
    const held = createHeldTexts();
    const ids = ["a", "b", "c"].map((text) => held.hold(text).textId);
    held.release(ids.slice(0, 1));
    deepEqual(held.takeUndelivered([...ids].reverse()), ["c", "b"]);
    deepEqual(held.takeUndelivered(ids), []);
  });

  it("are the same text when they are made pastable twice", () => {
    for (const text of ["\u001b\n \n\n  a\tb \r\n\r c\u0085", "  indented", "\n\u0000\n!x"])
      equal(pastable(pastable(text)), pastable(text));
    equal(pastable("\n\n  a\tb \r\n\r c\u0085"), "  a\tb \n\n c");
  });
});
