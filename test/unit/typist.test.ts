import { deepEqual, equal } from "node:assert/strict";
import { answerMs } from "../../extension/screen/mirror.ts";
import { exampleLines, lineText } from "../../server/protocol/lines.ts";
import { createRig, echoMs, type Order, type Rig } from "./typistRig.ts";

const pasted = (text: string) => `\u001b[200~${text}\u001b[201~`;
const deletes = (text: string) => "\u007f".repeat(text.length);
const refused = (reason: string, wrote = false, erased = false) => ({ outcome: "refused", reason, wrote, erased });

const typed = (rig: Rig, order: Order = rig.order) => rig.clock.run(rig.typist.type(order));

async function shown(rig: Rig): Promise<number> {
  const answer = await typed(rig);
  if (answer.outcome !== "shown") throw new Error(`not shown: ${answer.reason}`);
  return answer.sequence;
}

const pressed = (rig: Rig, sequence: number, token = "k1", validMs = 250) =>
  rig.clock.run(rig.typist.press({ ...rig.order, sequence, token, validMs }));

for (const agent of ["claude", "codex"] as const) {
  describe(`typing to ${agent}`, () => {
    for (const line of exampleLines) {
      it(`pastes "${lineText(agent, line)}", sees it, and presses Enter alone`, async () => {
        const rig = await createRig(agent, line);
        const sequence = await shown(rig);
        deepEqual(rig.written, [pasted(lineText(agent, line))]);
        equal((await pressed(rig, sequence)).outcome, "pressed");
        deepEqual(rig.written, [pasted(lineText(agent, line)), "\r"]);
      });
    }

    it("writes nothing into a draft, a shell line or a dialog", async () => {
      const cases = [
        [{ text: "my draft" }, "box-not-empty"],
        [{ text: " " }, "box-not-empty"],
        [{ text: "", shellMode: true }, "shell-mode"],
        [{ text: "ls", shellMode: true }, "shell-mode"],
        [{ text: "", dialog: true }, "box-not-found"],
      ] as const;
      for (const [painted, reason] of cases) {
        const rig = await createRig(agent);
        rig.becomes(painted);
        await rig.clock.pass(echoMs);
        deepEqual(await typed(rig), refused(reason));
        deepEqual(rig.written, []);
      }
    });

    it("takes its line back when a dialog's end shows it behind something else", async () => {
      const rig = await createRig(agent);
      rig.onWrite = (data) => {
        if (data.startsWith("\u001b")) rig.agent.now = { text: "wip " };
      };
      deepEqual(await typed(rig), refused("not-shown", true, true));
      equal(rig.agent.now.text, "wip ");
      deepEqual(rig.written, [pasted("/clear"), deletes("/clear")]);
    });

    it("says that a line which a dialog swallowed was not taken back", async () => {
      const rig = await createRig(agent);
      rig.onWrite = () => rig.becomes({ text: "", dialog: true });
      deepEqual(await typed(rig), refused("not-shown", true, false));
      deepEqual(rig.written, [pasted("/clear")]);
    });

    it("does not press when a character came between look and key, and leaves what the cursor left", async () => {
      const rig = await createRig(agent);
      const sequence = await shown(rig);
      rig.becomes({ text: "/clearx" });
      await rig.clock.pass(echoMs);
      deepEqual(await pressed(rig, sequence), { outcome: "refused", reason: "changed" });
      deepEqual(await rig.clock.run(rig.typist.erase(rig.order)), { erased: false });
      deepEqual(rig.written, [pasted("/clear")]);
    });

    it("does not press into a dialog that opened between look and key", async () => {
      const rig = await createRig(agent);
      const sequence = await shown(rig);
      rig.becomes({ text: "", dialog: true });
      await rig.clock.pass(echoMs);
      deepEqual(await pressed(rig, sequence), { outcome: "refused", reason: "changed" });
    });

    it("looks again when the screen was painted anew, and presses with a new token", async () => {
      const rig = await createRig(agent);
      const sequence = await shown(rig);
      rig.becomes({ text: "/clear" });
      await rig.clock.pass(echoMs);
      const answer = await pressed(rig, sequence);
      equal(answer.outcome === "refused" && answer.reason, "changed");
      const newer = (answer.outcome === "refused" && answer.stillShown) || -1;
      equal(newer > sequence, true);
      deepEqual(await pressed(rig, newer, "k1"), { outcome: "refused", reason: "token" });
      equal((await pressed(rig, newer, "k2")).outcome, "pressed");
    });

    it("takes its line back when it is told to, and then lets others type", async () => {
      const rig = await createRig(agent);
      await shown(rig);
      deepEqual(await typed(rig, { ...rig.order, resetId: "r2" }), refused("busy"));
      deepEqual(await rig.clock.run(rig.typist.erase(rig.order)), { erased: true });
      deepEqual(rig.written, [pasted("/clear"), deletes("/clear")]);
      equal((await typed(rig, { ...rig.order, resetId: "r2" })).outcome, "shown");
    });

    it("takes nothing back for another reset", async () => {
      const rig = await createRig(agent);
      await shown(rig);
      deepEqual(await rig.clock.run(rig.typist.erase({ ...rig.order, resetId: "r2" })), { erased: false });
      deepEqual(rig.written, [pasted("/clear")]);
    });

    it("says that it may still be there when the deletes were not seen to work", async () => {
      const rig = await createRig(agent);
      await shown(rig);
      rig.agent.isDeaf = true;
      deepEqual(await rig.clock.run(rig.typist.erase(rig.order)), { erased: false });
      deepEqual(rig.written, [pasted("/clear"), deletes("/clear")]);
    });

    it("presses once more after a swallowed Enter, if the line still stands there", async () => {
      const rig = await createRig(agent);
      const sequence = await shown(rig);
      rig.onWrite = (data) => {
        rig.agent.isDeaf = data === "\r";
      };
      equal((await pressed(rig, sequence)).outcome, "pressed");
      equal((await rig.clock.run(rig.typist.lookAgain(rig.order))).shown, false, "the screen is from before the key");
      await rig.clock.pass(answerMs);
      const again = await rig.clock.run(rig.typist.lookAgain(rig.order));
      equal(again.shown, true);
      equal((await pressed(rig, again.sequence, "k2")).outcome, "pressed");
      deepEqual(rig.written, [pasted("/clear"), "\r", "\r"]);
    });
  });
}

describe("typing", () => {
  const forbidden = [
    ["paused", { paused: true, mode: "ask", trusted: true }],
    ["mode", { paused: false, mode: "gauge", trusted: true }],
    ["trust", { paused: false, mode: "ask", trusted: false }],
  ] as const;
  for (const [reason, guard] of forbidden) {
    it(`is refused for ${reason}, before the first byte and before the key`, async () => {
      const rig = await createRig("claude");
      const sequence = await shown(rig);
      rig.world.guard = guard;
      deepEqual(await pressed(rig, sequence), { outcome: "refused", reason });
      const other = await createRig("claude");
      other.world.guard = guard;
      deepEqual(await typed(other), refused(reason));
      deepEqual(other.written, []);
    });
  }

  it("is refused while the window is not connected, and nothing is kept for later", async () => {
    const rig = await createRig("claude");
    const sequence = await shown(rig);
    rig.world.connected = false;
    deepEqual(await pressed(rig, sequence), { outcome: "refused", reason: "not-connected" });
    deepEqual(await rig.clock.run(rig.typist.erase(rig.order)), { erased: false });
    deepEqual(rig.written, [pasted("/clear")]);
    const other = await createRig("claude");
    other.world.connected = false;
    deepEqual(await typed(other), refused("not-connected"));
  });

  it("is refused when the agent is gone, or another process has its number", async () => {
    for (const birth of [undefined, "78"]) {
      const rig = await createRig("claude");
      const sequence = await shown(rig);
      rig.world.birth = birth;
      deepEqual(await pressed(rig, sequence), { outcome: "refused", reason: "agent-gone" });
      deepEqual(rig.written, [pasted("/clear")]);
    }
  });

  it("is refused when the agent ends during the round trip", async () => {
    const rig = await createRig("claude");
    const sequence = await shown(rig);
    const answer = rig.typist.press({ ...rig.order, sequence, token: "k1", validMs: 250 });
    rig.world.birth = undefined;
    deepEqual(await rig.clock.run(answer), { outcome: "refused", reason: "agent-gone" });
  });

  it("is refused when the terminal was closed or its command ended", async () => {
    const rig = await createRig("claude");
    const sequence = await shown(rig);
    rig.window.end(rig.terminal, rig.execution);
    deepEqual(await pressed(rig, sequence), { outcome: "refused", reason: "not-observable" });
    rig.window.close(rig.terminal);
    deepEqual(await pressed(rig, sequence, "k2"), { outcome: "refused", reason: "terminal-closed" });
    deepEqual(await typed(rig), refused("terminal-closed"));
  });

  it("is refused in a terminal with another shell than the order's", async () => {
    const rig = await createRig("claude");
    deepEqual(await typed(rig, { ...rig.order, shellPid: 1 }), refused("agent-gone"));
  });

  it("is refused when the size is not known", async () => {
    const rig = await createRig("claude");
    rig.world.size = undefined;
    deepEqual(await typed(rig), refused("not-observable"));
  });

  it("is refused when the panel was resized and the agent has not painted yet", async () => {
    const rig = await createRig("claude");
    const sequence = await shown(rig);
    rig.world.size = { cols: 71, rows: 39 };
    deepEqual(await pressed(rig, sequence), { outcome: "refused", reason: "changed" });
    deepEqual(rig.written, [pasted("/clear")]);
  });

  it("is refused with a token that is too old", async () => {
    const rig = await createRig("claude");
    const sequence = await shown(rig);
    rig.world.roundTripMs = 10;
    deepEqual(await pressed(rig, sequence, "k1", 9), { outcome: "refused", reason: "token" });
    equal((await pressed(rig, sequence, "k2", 10)).outcome, "pressed");
  });

  it("is refused without a line of ours in the box", async () => {
    const rig = await createRig("claude");
    deepEqual(await pressed(rig, 1), { outcome: "refused", reason: "changed" });
  });

  it("is for the very line that was pasted", async () => {
    const rig = await createRig("claude", { kind: "save", resetId: "0123456789ab" });
    const sequence = await shown(rig);
    const other = { ...rig.order, line: { kind: "save", resetId: "0123456789ac" } } as const;
    const press = { sequence, token: "k1", validMs: 250 };
    deepEqual(await rig.clock.run(rig.typist.press({ ...other, ...press })), { outcome: "refused", reason: "busy" });
    deepEqual(await rig.clock.run(rig.typist.erase(other)), { erased: false });
    const same = { ...rig.order, line: { resetId: "0123456789ab", kind: "save" } } as const;
    equal((await rig.clock.run(rig.typist.press({ ...same, ...press, token: "k2" }))).outcome, "pressed");
  });

  it("is for one at a time", async () => {
    const rig = await createRig("claude");
    const first = rig.typist.type(rig.order);
    const second = rig.typist.type({ ...rig.order, resetId: "r2" });
    deepEqual(await rig.clock.run(second), refused("busy"));
    equal((await rig.clock.run(first)).outcome, "shown");
    deepEqual(rig.written, [pasted("/clear")]);
  });

  it("presses once when two orders come at the same time", async () => {
    const rig = await createRig("claude");
    const sequence = await shown(rig);
    const first = rig.typist.press({ ...rig.order, sequence, token: "k1", validMs: 250 });
    const second = rig.typist.press({ ...rig.order, sequence, token: "k2", validMs: 250 });
    equal((await rig.clock.run(first)).outcome, "pressed");
    deepEqual(await rig.clock.run(second), { outcome: "refused", reason: "busy" });
    deepEqual(rig.written, [pasted("/clear"), "\r"]);
  });

  it("gives the terminal free when nothing more is asked for", async () => {
    const rig = await createRig("claude");
    await shown(rig);
    await rig.clock.pass(31_000);
    deepEqual(await typed(rig, { ...rig.order, resetId: "r2" }), refused("box-not-empty"));
  });

  it("waits for the end of a busy turn of Codex before it takes its line back", async () => {
    const rig = await createRig("codex");
    rig.execution.output("\u001b]7501;state=working:app=codex\u0007");
    await rig.clock.pass(0);
    rig.onWrite = (data) => {
      if (!data.startsWith("\u001b")) return;
      rig.agent.isDeaf = true; // the box is painted, but its output is held back until the turn ends
      rig.clock.after(6000, () => {
        rig.agent.isDeaf = false;
        rig.execution.output("\u001b]7501;state=done:app=codex\u0007");
        rig.becomes({ text: "wip text/clear" }, 0);
      });
    };
    deepEqual(await typed(rig), refused("not-shown", true, true));
    equal(rig.agent.now.text, "wip text");
    deepEqual(rig.written, [pasted("/clear"), deletes("/clear")]);
  });

  it("leaves its line where the turn of Codex does not end in time", async () => {
    const rig = await createRig("codex");
    rig.execution.output("\u001b]7501;state=working:app=codex\u0007");
    rig.agent.isDeaf = true;
    await rig.clock.pass(0);
    const startedAt = rig.clock.now();
    deepEqual(await typed(rig), refused("not-shown", true, false));
    equal(rig.clock.now() - startedAt <= 18_500, true);
    deepEqual(rig.written, [pasted("/clear")]);
  });
});
