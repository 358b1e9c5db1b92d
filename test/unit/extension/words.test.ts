import assert from "node:assert/strict";
import { clock, list, share, size, span } from "../../../extension/words/amounts.ts";
import { checkRows, checkText, checkTitle } from "../../../extension/words/check.ts";
import { confirmation } from "../../../extension/words/confirm.ts";
import { detailsOf } from "../../../extension/words/details.ts";
import { doctorText } from "../../../extension/words/doctor.ts";
import { lineChoices } from "../../../extension/words/lineChoices.ts";
import { type MenuRow, menuOf, moreOf } from "../../../extension/words/menu.ts";
import { endedWords } from "../../../extension/words/outcome.ts";
import { plain } from "../../../extension/words/plain.ts";
import { askAbout, why } from "../../../extension/words/question.ts";
import { commandText, resumeCommand } from "../../../extension/words/reconnect.ts";
import { lineText } from "../../../server/protocol/lines.ts";
import { ResetOutcome } from "../../../server/protocol/messages.ts";
import { agent, model, now, over, view, without } from "./builders.ts";

describe("amounts", () => {
  it("never show a size fuller than it is", () => {
    assert.deepEqual([0, 1, 999, 1000, 279_999, 280_000, 1_000_000, 1_059_999].map(size), [
      "0",
      "<1k",
      "<1k",
      "1k",
      "279k",
      "280k",
      "1M",
      "1.05M",
    ]);
  });

  it("round a share up, as the line is judged", () => {
    assert.deepEqual([0, 74.1, 75, 104.2].map(share), ["0%", "75%", "75%", "105%"]);
  });

  it("say how long and when", () => {
    assert.deepEqual([-5, 12_000, 190_000, 7_300_000, 200_000_000].map(span), [
      "0 s",
      "12 s",
      "3 min",
      "2 h 1 min",
      "2 days",
    ]);
    assert.equal(clock(now, now), "09:12");
    assert.equal(clock(now - 86_400_000, now), "2026-11-29 09:12");
    assert.equal(list(["a", "b", "c"]), "a, b and c");
  });
});

describe("text that is not ours", () => {
  it("keeps one line and no meaning", () => {
    assert.equal(plain("a\n\tb\u202ec\u0007"), "a b c");
    assert.doesNotMatch(plain("$(bell) [x](command:y)"), /\$\(|\]\(/);
    assert.equal(plain("x".repeat(50), 10), `${"x".repeat(9)}…`);
  });
});

describe("the question's words", () => {
  it("say what is lost and how to undo it", () => {
    const { message, buttons, severe } = askAbout(over(), [], "types");
    assert.equal(
      message,
      "api: 287k tokens, every further step re-reads them. Clear it? Nothing is saved in this version: the conversation leaves the window. To undo, type /resume.",
    );
    assert.deepEqual(
      buttons.map(({ title }) => title),
      ["Clear", "Compact", "More…"],
    );
    assert.equal(severe, false);
  });

  it("get stronger far over the line", () => {
    const { message, severe } = askAbout(over({ breach: true }), [], "types");
    assert.match(message, /far over the line/);
    assert.equal(severe, true);
  });

  it("combine several agents and name the one that the buttons mean", () => {
    const web = over({ instanceId: "i2", name: "web" });
    const db = over({ instanceId: "i3", name: "db" });
    const { message, buttons } = askAbout(over(), [web, db], "types");
    assert.match(message, /Also over the line: web \(287k\) and db \(287k\)\.$/);
    assert.equal(buttons[0]?.title, "Clear api");
  });

  it("offer nothing that types where nothing is typed", () => {
    for (const typing of ["gauge", "paused", "not-here"] as const) {
      const kinds = askAbout(over(), [], typing).buttons.map(({ answer }) => answer.kind);
      assert.ok(!kinds.includes("act"), typing);
    }
  });

  it("offer to resume typing while it is paused, and closing it means nothing then", () => {
    const { buttons, closing } = askAbout(over(), [], "paused");
    assert.equal(buttons[0]?.title, "Resume Typing");
    assert.equal(closing, "nothing");
  });

  it("say when the click will count, who presses Enter, and what keeps running", () => {
    assert.match(askAbout(over({ turn: { kind: "working" } }), [], "types").message, /when the turn has ended\?/);
    assert.match(askAbout(over(), [], "pastes").message, /you press Enter/);
    assert.match(askAbout(over({ backgroundShells: 2 }), [], "types").message, /2 background commands keep running/);
  });

  it("speak of the share where tokens are not measured", () => {
    const { message } = askAbout(over({ reading: { kind: "unmeasured", why: "x" }, percent: 92 }), [], "types");
    assert.match(message, /^api: 92% of its window is used\./);
  });
});

describe("the dialog before the first line", () => {
  it("says word for word what is typed", () => {
    for (const kind of ["claude", "codex"] as const)
      for (const command of ["compact", "clear"] as const)
        assert.ok(
          confirmation(agent({ agent: kind }), command, "types").detail.includes(`\n    ${lineText(kind, command)}\n`),
        );
  });

  it("says what is lost, that nothing is saved, and how to undo", () => {
    const { detail, button } = confirmation(over(), "clear", "types");
    assert.match(detail, /scrollback/);
    assert.match(detail, /Nothing is saved/);
    assert.match(detail, /\/resume c1/);
    assert.equal(button, "Type It");
    assert.match(confirmation(without(over(), "conversationId"), "clear", "types").detail, /type \/resume there/);
  });

  it("does not promise an Enter where the prompt box can't be seen", () => {
    const { detail, button } = confirmation(over(), "clear", "pastes");
    assert.match(detail, /You look at it and press Enter/);
    assert.equal(button, "Paste It");
  });
});

describe("how a reset ended", () => {
  const ended = (part: object) => ({
    resetId: "r",
    instanceId: "i1",
    name: "api",
    agent: "claude" as const,
    command: "clear" as const,
    outcome: "confirmed" as const,
    reason: "a reason",
    remedy: "A remedy.",
    ...part,
  });

  it("shows before and after, and where the old conversation is", () => {
    const { message, good } = endedWords(ended({ beforeTokens: 287_000, afterTokens: 19_000, conversationId: "c1" }));
    assert.equal(message, "api: 287k → 19k. A new conversation; the old one is kept: /resume c1");
    assert.equal(good, true);
  });

  it("does not call a compaction a new conversation", () => {
    const { message } = endedWords(ended({ command: "compact", beforeTokens: 287_000 }));
    assert.equal(message, "api: compacted, was 287k. The same conversation, as a summary.");
  });

  it("shows no marks of Markdown, which a notice does not read", () => {
    const { message } = endedWords(ended({ outcome: "refused", remedy: "Run *Plimsoll: Resume Typing*." }));
    assert.equal(message, "api: not cleared, nothing was typed. A reason. Run Plimsoll: Resume Typing.");
    assert.doesNotMatch(why(over()), /\*/);
  });

  it("leaves the name of a setting as it is written", () => {
    const { message } = endedWords(ended({ outcome: "refused", reason: "plimsoll.typing.quietMs can't be used." }));
    assert.match(message, /nothing was typed\. plimsoll\.typing\.quietMs can't be used\. A remedy\.$/);
  });

  it("has words of its own for every outcome, each with its reason and remedy", () => {
    const messages = ResetOutcome.options.map((outcome) => endedWords(ended({ outcome })).message);
    assert.equal(new Set(messages).size, ResetOutcome.options.length);
    for (const message of messages.slice(1)) assert.match(message, /A reason\. A remedy\.$/);
  });
});

describe("the hover's words", () => {
  const lines = (part: Parameters<typeof agent>[0]) => detailsOf(agent(part), now).map(({ text }) => text);

  it("say the figure, its age, both lines and which one decided", () => {
    const texts = lines({ pressure: "selective", decidedBy: "absolute" });
    assert.equal(texts[0], "212k tokens · 21% of its window · read 12 s ago");
    assert.ok(texts.includes("Lines: 200k and 280k tokens, 75% and 90% · the tokens decided"));
    assert.ok(texts.includes("Window 1M tokens, from the model's name"));
  });

  it("say who waits for what, since when", () => {
    const texts = lines({ turn: { kind: "waiting", since: now - 60_000, waitingFor: "permission for Bash" } });
    assert.ok(texts.includes("Waiting for you since 09:11: permission for Bash"));
  });

  it("name queue, sub-agents and background commands", () => {
    const texts = lines({ queued: 2, subagents: [{ name: "reviewer", since: now - 190_000 }], backgroundShells: 1 });
    assert.ok(texts.includes("2 prompts queued · 1 sub-agent: reviewer (3 min) · 1 background command running"));
  });

  it("say how far its own compaction is, and that its prompt box can't be seen", () => {
    const parts = detailsOf(
      agent({
        agent: "codex",
        ownCompaction: { point: 232_000, remaining: 26_400 },
        observable: { kind: "no", why: "window reloaded", since: now },
      }),
      now,
    );
    assert.ok(parts.some(({ text }) => text === "26k before Codex compacts by itself (at 232k)"));
    const unseen = parts.find(({ link }) => link === "reconnect");
    assert.equal(unseen?.text, "Can't see its prompt box since 09:12: window reloaded");
  });

  it("offer to bind where the conversation is not known", () => {
    for (const binding of ["none", "ambiguous"] as const)
      assert.ok(detailsOf(agent({ binding }), now).some(({ link }) => link === "bind"));
  });

  it("never give a figure that is not certain without saying so", () => {
    const reading = { kind: "measured", tokens: 6000, at: now, estimate: true, suspect: true } as const;
    assert.match(lines({ reading })[0] ?? "", /^~6k\? tokens .*estimate.*unusual/);
  });

  it("say that a window's size is not known", () => {
    const parts = detailsOf(without(agent(), "window", "percent"), now);
    assert.ok(parts.some(({ text }) => text === "Window size not known: its percentage can't be told"));
  });
});

describe("the menu", () => {
  const rows = (all: readonly MenuRow[]) => all.flatMap((row) => (row.kind === "row" ? [row] : []));
  const kinds = (part: Parameters<typeof model>[0]) => rows(menuOf(model(part), now)).map(({ action }) => action.kind);

  it("puts who waits first, and only shows the terminal there", () => {
    const waiting = agent({ instanceId: "i2", name: "web", turn: { kind: "waiting", since: now, waitingFor: "you" } });
    const [first] = rows(menuOf(model({ view: view([over(), waiting]) }), now));
    assert.deepEqual(first?.action, { kind: "show", instanceId: "i2" });
    assert.equal(first?.description, "you, since 09:12");
  });

  it("offers to clear and to compact, but not in mode gauge, paused, elsewhere or during a reset", () => {
    const acts = (part: Parameters<typeof model>[0]) => kinds(part).filter((kind) => kind === "act").length;
    const reset = { resetId: "r", command: "clear", phase: "armed", since: now, cancellable: true } as const;
    assert.equal(acts({ view: view([over()]) }), 2);
    assert.equal(acts({ view: view([over()]), mode: "gauge" }), 0);
    assert.equal(acts({ view: view([over()]), paused: true }), 0);
    assert.equal(acts({ view: view([over({ place: "multiplexer" })]) }), 0);
    assert.equal(acts({ view: view([over({ reset })]) }), 0);
  });

  it("offers Cancel, Not Now, Reconnect and Bind where they mean something", () => {
    const reset = { resetId: "r", command: "clear", phase: "armed", since: now, cancellable: true } as const;
    const question = { questionId: "q", instanceId: "i1", alsoInstanceIds: [], since: now };
    assert.ok(kinds({ view: view([over({ reset })]) }).includes("cancel"));
    assert.ok(kinds({ view: view([over()], { question }) }).includes("not-now"));
    assert.ok(kinds({ view: view([over({ observable: { kind: "no", why: "x" } })]) }).includes("reconnect"));
    assert.ok(kinds({ view: view([over({ binding: "none" })]) }).includes("bind"));
    for (const kind of ["cancel", "not-now", "reconnect", "bind"] as const)
      assert.ok(!kinds({ view: view([over()]) }).includes(kind), kind);
  });

  it("names every agent, and says that one without a figure has none yet", () => {
    const inTmux = agent({ place: "multiplexer", reading: { kind: "none-yet" }, percent: undefined });
    const { terminalId: _none, ...elsewhere } = inTmux;
    const all = menuOf(model({ view: view([elsewhere]) }), now);
    assert.equal(all[0]?.label, "○ api · no reading yet · Claude Code");
    assert.equal(all[1]?.kind, "row");
  });

  it("asks to look where nobody knows what happened", () => {
    const reset = { resetId: "r", command: "clear", phase: "needs-reconcile", since: now, cancellable: true } as const;
    const labels = rows(menuOf(model({ view: view([over({ reset })]) }), now)).map(({ label }) => label);
    assert.ok(labels.includes("$(check) Done, I Have Looked"));
    assert.ok(!labels.includes("$(close) Cancel"));
  });

  it("pauses and resumes, and restarts a worker that stopped", () => {
    assert.ok(kinds({}).includes("pause"));
    assert.ok(kinds({ paused: true }).includes("resume"));
    assert.ok(!kinds({ mode: "gauge" }).includes("pause"));
    assert.ok(kinds({ worker: { kind: "down", since: now, nextTryAt: now } }).includes("restart"));
  });

  it("keeps the rest of the question behind More…", () => {
    const offered = rows(moreOf(over(), model({ view: view([over()]) }))).map(({ action }) => action.kind);
    assert.deepEqual(offered, ["show", "not-now", "act", "act", "change-line", "check", "why"]);
    assert.ok(!rows(moreOf(over(), model({ mode: "gauge" }))).some(({ action }) => action.kind === "act"));
  });
});

describe("Check, Change Line, Doctor and Reconnect", () => {
  const answers = [
    { gate: "a", question: "Is a?", verdict: "yes" },
    { gate: "b", question: "Is b?", verdict: "no", reason: "not b", remedy: "Do b." },
    { gate: "c", question: "Is c?", verdict: "not-yet", reason: "c comes", remedy: "Wait." },
    { gate: "approved-for-this", question: "Was it approved?", verdict: "no", reason: "nobody did", remedy: "Click." },
  ] as const;

  it("list what refuses first, and leave out the click that is not there yet", () => {
    const labels = checkRows(answers).map(({ label }) => label);
    assert.deepEqual(labels, ["in the way", "✗ Is b?", "not yet", "… Is c?", "in order", "✓ Is a?"]);
    assert.equal(checkTitle(agent(), answers), "api: a click on Clear would be refused now");
    assert.equal(checkTitle(agent(), answers.slice(2)), "api: a click on Clear would wait");
    assert.equal(checkTitle(agent(), answers.slice(0, 1)), "api: a click on Clear would go ahead");
    assert.match(checkText("t", answers), /- ✗ Is b\? {2}\n {2}not b · Do b\./);
  });

  it("keep the soft line in proportion", () => {
    const soft = lineChoices.flatMap((choice) => (choice.kind === "tokens" ? [[choice.hard, choice.soft]] : []));
    assert.deepEqual(soft, [
      [150_000, 110_000],
      [280_000, 200_000],
      [400_000, 290_000],
      [600_000, 430_000],
    ]);
  });

  it("say what is known without the worker too", () => {
    const text = doctorText(model({ worker: { kind: "down", since: now, nextTryAt: now } }), "0.1.0", undefined, now);
    assert.match(text, /stopped at 09:12/);
    assert.match(text, /Restart Worker/);
    assert.match(doctorText(model(), "0.1.0", "## Agents", now), /## Agents/);
  });

  it("resume each agent in its own way", () => {
    assert.equal(commandText(resumeCommand("claude", "c1", ["--model", "x"])), "claude --resume c1 --model x");
    assert.equal(commandText(resumeCommand("codex", "c1", ["--no-daemon"])), "codex resume c1 --no-daemon");
  });
});
