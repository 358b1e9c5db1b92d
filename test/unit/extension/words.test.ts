import assert from "node:assert/strict";
import { bytes, clock, list, share, size, span } from "../../../extension/words/amounts.ts";
import { checkRows, checkText, checkTitle } from "../../../extension/words/check.ts";
import { actOf, type Choice, choiceTitles, linesOf } from "../../../extension/words/choices.ts";
import { confirmation } from "../../../extension/words/confirm.ts";
import { detailsOf } from "../../../extension/words/details.ts";
import { doctorText } from "../../../extension/words/doctor.ts";
import { lineChoices } from "../../../extension/words/lineChoices.ts";
import { lostAndKeptLong } from "../../../extension/words/lostAndKept.ts";
import { type MenuRow, menuOf, moreOf } from "../../../extension/words/menu.ts";
import { type Ended, endedWords } from "../../../extension/words/outcome.ts";
import { plain } from "../../../extension/words/plain.ts";
import { askAbout, why } from "../../../extension/words/question.ts";
import { commandText, resumeCommand } from "../../../extension/words/reconnect.ts";
import { thenDocument, thenProblem, thenWords } from "../../../extension/words/then.ts";
import { clearRow } from "../../../extension/words/undo.ts";
import { Goal } from "../../../server/protocol/agents.ts";
import { lineText } from "../../../server/protocol/lines.ts";
import { type Act, ResetOutcome } from "../../../server/protocol/messages.ts";
import type { ResetView } from "../../../server/protocol/view.ts";
import { agent, model, now, over, reset, view, without } from "./builders.ts";

const isChoice = (name: string): name is Choice => Object.hasOwn(choiceTitles, name);
const choices = Object.keys(choiceTitles).filter(isChoice);

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
    assert.deepEqual([999, 6200, 6299, 1_250_000].map(bytes), ["999 bytes", "6.2 kB", "6.2 kB", "1.2 MB"]);
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
  const saving = { kind: "impossible", why: "it is in plan mode", remedy: "Leave plan mode." } as const;

  it("offer to save and clear, and say what is lost and kept", () => {
    const { message, buttons, severe } = askAbout(over(), [], "types");
    assert.equal(
      message,
      "api: 287k tokens, every further step re-reads them. Save and clear? (about a minute). Lost from the window: the conversation, the terminal's scrollback and the rewind points. Kept: files, the permission mode and the model.",
    );
    assert.deepEqual(
      buttons.map(({ title }) => title),
      ["Save & Clear", "Show Terminal", "More…"],
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
    assert.equal(buttons[0]?.title, "Save & Clear api");
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
    assert.match(
      askAbout(over({ backgroundShells: 2 }), [], "types").message,
      /and 2 background commands running on\./,
    );
  });

  it("say that it will ask to write a file, and which workflow the folder asks for", () => {
    const { message } = askAbout(over({ saving: { kind: "asks" }, workflow: "stow\u202e" }), [], "types");
    assert.match(
      message,
      /It will ask you there to allow writing one file\. This folder asks for the workflow “stow”\./,
    );
  });

  it("offer no clear where it can't save, and say why and what to do", () => {
    const { message, buttons } = askAbout(over({ saving }), [], "types");
    assert.equal(
      message,
      "api: 287k tokens, every further step re-reads them. It can't save now: it is in plan mode. Leave plan mode.",
    );
    assert.deepEqual(
      buttons.map(({ title }) => title),
      ["Show Terminal", "Not Now", "More…"],
    );
  });

  it("speak of the share where tokens are not measured", () => {
    const { message } = askAbout(over({ reading: { kind: "unmeasured", why: "x" }, percent: 92 }), [], "types");
    assert.match(message, /^api: 92% of its window is used\./);
  });
});

describe("what is lost and kept", () => {
  it("is the agent's own, and says with which version it was measured where this is another", () => {
    assert.match(lostAndKeptLong(agent()), /rewind points\. The task list is shown on/);
    assert.doesNotMatch(lostAndKeptLong(agent()), /Measured/);
    assert.match(lostAndKeptLong(agent({ version: "3.0.0" })), /\(Measured with Claude Code 2\.1\.332\.\)$/);
    assert.match(lostAndKeptLong(agent({ agent: "codex" })), /plan mode\. .*\(Measured with Codex 0\.171\.0\.\)$/);
  });
});

describe("the dialog before the first line", () => {
  const acts: readonly Act[] = [
    ...choices.map((choice) => actOf(choice)),
    actOf("resetThen", [{ textId: "t", digest: "0".repeat(64) }]),
    { kind: "undo", conversationId: "00000000-0000-0000-0000-000000000000" },
  ];

  it("says word for word what is typed, in its order", () => {
    for (const kind of ["claude", "codex"] as const)
      for (const act of acts) {
        const lines = linesOf(act).map((line) => lineText(kind, line));
        const shown =
          lines.length === 1 ? `    ${lines[0]}` : lines.map((line, index) => `${index + 1}.  ${line}`).join("\n");
        const { detail } = confirmation(agent({ agent: kind }), act, "types");
        assert.ok(detail.includes(`\n\n${shown}\n\n`), act.kind);
      }
  });

  it("for a clear: the request, /clear and the brief, marked as an example, then lost, kept and undo", () => {
    const { message, detail, button } = confirmation(over(), actOf("reset"), "types");
    assert.equal(message, "Save & Clear: api (287k)?");
    assert.equal(button, "Save & Clear");
    assert.match(
      detail,
      /\[plimsoll save 0123456789ab\].*\n2\. {2}\/clear\n3\. {2}\[plimsoll brief 0123456789ab\].* then wait\.\n/,
    );
    assert.match(detail, /\(0123456789ab is an example\.\)/);
    assert.match(detail, /only when what it saved was found and checked\./);
    assert.match(detail, /Lost from the window.*Kept:/);
    assert.match(detail, /Undo in the result, or “Plimsoll: Undo Clear…” later/);
  });

  it("has the brief that belongs to what was chosen; none for stop", () => {
    assert.match(confirmation(over(), actOf("resetContinue"), "types").detail, /then go on\./);
    assert.doesNotMatch(confirmation(over(), actOf("resetStop"), "types").detail, /plimsoll brief/);
    const { detail } = confirmation(over(), actOf("resetThen", [{ textId: "t", digest: "0".repeat(64) }]), "types");
    assert.match(detail, /more follows\.\n\nThen what you wrote, as it is\./);
    assert.match(confirmation(over(), actOf("review"), "types").detail, /and you have looked at it/);
  });

  it("says what a save and a compaction do", () => {
    const save = confirmation(over({ saving: { kind: "asks" } }), actOf("save"), "types");
    assert.equal(save.button, "Save Now");
    assert.match(save.detail, /allow writing one file.*Nothing is cleared/s);
    const compact = confirmation(over({ backgroundShells: 1 }), actOf("compact"), "types");
    assert.equal(compact.button, "Compact");
    assert.match(compact.detail, /1 background command keeps running.*can't be undone/s);
    assert.doesNotMatch(compact.detail, /example/);
  });

  it("does not promise an Enter where the prompt box can't be seen", () => {
    assert.match(confirmation(over(), actOf("reset"), "pastes").detail, /You look at each line and press Enter/);
  });
});

describe("how a reset ended", () => {
  const ended = (part: Partial<Ended> = {}): Ended => ({
    resetId: "0123456789ab",
    instanceId: "i1",
    name: "api",
    agent: "claude",
    goal: "reset",
    outcome: "confirmed",
    cleared: false,
    reason: "a reason",
    remedy: "A remedy.",
    undelivered: [],
    lost: 0,
    ...part,
  });
  const saved = { path: "/w/.plimsoll/0123456789ab/state.md", bytes: 6200 };
  const words = (part: Partial<Ended> = {}) => endedWords(ended(part), false);

  it("shows before and after, and offers to undo", () => {
    const { message, good, buttons } = words({ cleared: true, saved, beforeTokens: 287_000, afterTokens: 19_000 });
    assert.equal(message, "api: 287k → 19k. Saved (6.2 kB) and cleared; the old conversation is kept.");
    assert.deepEqual(buttons, ["undo", "openSaved", "showTerminal"]);
    assert.equal(good, true);
  });

  it("does not call a compaction a new conversation, and says what a save and an undo did", () => {
    const compacted = words({ goal: "compact", beforeTokens: 287_000 });
    assert.equal(compacted.message, "api: compacted, was 287k. The same conversation, as a summary.");
    assert.deepEqual(words({ goal: "save", saved }).buttons, ["openSaved", "showTerminal"]);
    assert.equal(words({ goal: "save", saved }).message, "api: saved, 6.2 kB.");
    assert.equal(
      words({ goal: "undo" }).message,
      "api: back in the old conversation. Files changed since are not undone.",
    );
  });

  it("says that it was saved but not cleared", () => {
    for (const outcome of ["refused", "aborted", "taken-back"] as const) {
      const { message, buttons } = words({ outcome, saved });
      assert.match(message, /Its state is saved \(6\.2 kB\), but the conversation was not cleared\. A reason\./);
      assert.deepEqual(buttons, ["openSaved", "showTerminal", "showLog"]);
    }
  });

  it("says that it was cleared but not briefed, and offers to undo", () => {
    const { message, buttons, good } = words({ outcome: "not-briefed", cleared: true, saved });
    assert.match(message, /^api: cleared, but the new conversation was not told where it stands\./);
    assert.deepEqual(buttons, ["undo", "openSaved", "showTerminal"]);
    assert.equal(good, false);
  });

  it("says what of the person's own could not be carried over", () => {
    const { message, good } = words({ cleared: true, lost: 2 });
    assert.match(
      message,
      /2 prompts or images of yours could not be carried over: they are in the old conversation \(Undo\)\.$/,
    );
    assert.equal(good, false);
    const shown = endedWords(ended({ cleared: true, undelivered: ["t"] }), true);
    assert.match(shown.message, /What you wrote was not delivered; it is shown in the editor\.$/);
    assert.deepEqual(shown.buttons, ["copy", "undo", "showTerminal"]);
    assert.match(endedWords(ended({ undelivered: ["t"] }), true).message, /its document is open again\.$/);
    assert.match(words({ undelivered: ["t"] }).message, /gone with the window it was written in\.$/);
  });

  it("shows no marks of Markdown, which a notice does not read", () => {
    const { message } = words({ outcome: "refused", remedy: "Run *Plimsoll: Resume Typing*." });
    assert.equal(message, "api: not cleared, /clear was not typed. A reason. Run Plimsoll: Resume Typing.");
    assert.doesNotMatch(why(over()), /\*/);
  });

  it("leaves the name of a setting as it is written", () => {
    const { message } = words({ outcome: "refused", reason: "plimsoll.typing.quietMs can't be used." });
    assert.match(message, /not typed\. plimsoll\.typing\.quietMs can't be used\. A remedy\.$/);
  });

  it("has words of its own for every outcome, each with its reason and remedy, and three buttons at most", () => {
    for (const goal of Goal.options) {
      const all = ResetOutcome.options.map((outcome) => words({ outcome, goal }));
      const messages = all.map(({ message }) => message);
      assert.equal(new Set(messages).size, ResetOutcome.options.length);
      for (const message of messages.slice(1)) assert.match(message, /A reason\. A remedy\.$/);
      for (const { buttons } of all) assert.ok(buttons.length <= 3);
    }
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
    assert.deepEqual(first?.action, { kind: "showTerminal", instanceId: "i2" });
    assert.equal(first?.description, "you, since 09:12");
  });

  it("offers to save and clear, to compact and to save, but not in mode gauge, paused, elsewhere or during a reset", () => {
    const acts = (part: Parameters<typeof model>[0]) =>
      rows(menuOf(model(part), now)).flatMap(({ action }) => (action.kind === "act" ? [action.choice] : []));
    const saving = { kind: "impossible", why: "x", remedy: "y" } as const;
    assert.deepEqual(acts({ view: view([over()]) }), ["reset", "compact", "save"]);
    assert.deepEqual(acts({ view: view([over({ saving })]) }), ["compact"]);
    assert.deepEqual(acts({ view: view([over()]), mode: "gauge" }), []);
    assert.deepEqual(acts({ view: view([over()]), paused: true }), []);
    assert.deepEqual(acts({ view: view([over({ place: "multiplexer" })]) }), []);
    assert.deepEqual(acts({ view: view([over({ reset: reset() })]) }), []);
  });

  it("offers Cancel, Not Now, Reconnect, Bind and Interrupt where they mean something", () => {
    const question = { questionId: "q", instanceId: "i1", alsoInstanceIds: [], since: now };
    assert.ok(kinds({ view: view([over({ reset: reset() })]) }).includes("cancel"));
    assert.ok(kinds({ view: view([over()], { question }) }).includes("not-now"));
    assert.ok(kinds({ view: view([over({ observable: { kind: "no", why: "x" } })]) }).includes("reconnect"));
    assert.ok(kinds({ view: view([over({ binding: "none" })]) }).includes("bind"));
    assert.ok(kinds({ view: view([over({ turn: { kind: "working" } })]) }).includes("interrupt"));
    for (const kind of ["cancel", "not-now", "reconnect", "bind", "interrupt"] as const)
      assert.ok(!kinds({ view: view([over()]) }).includes(kind), kind);
  });

  it("shows the step of a reset, with Cancel only while it can be cancelled", () => {
    const of = (part: Partial<ResetView>) =>
      rows(menuOf(model({ view: view([over({ reset: reset(part) })]) }), now)).map(({ label, detail }) => [
        label,
        detail,
      ]);
    assert.deepEqual(of({ phase: "saving", step: "writing" })[0], [
      "$(close) Cancel",
      "asked to save; it writes its state",
    ]);
    assert.deepEqual(of({ phase: "dispatched", step: "pressed", cancellable: false })[0], [
      "$(watch) Under Way",
      "/clear sent, looking for the new conversation",
    ]);
    assert.equal(of({ phase: "saved", step: "reviewing" })[0]?.[0], "$(check) Clear Now");
  });

  it("offers to undo the newest clear that can be undone where it is", () => {
    const past = {
      resetId: "r1",
      instanceId: "i1",
      agent: "claude",
      at: now,
      conversationId: "c0",
      inPlace: true,
    } as const;
    const undo = rows(
      menuOf(model({ view: view([over()]) }), now, [{ ...past, resetId: "r2", inPlace: false }, past]),
    ).find(({ action }) => action.kind === "undo");
    assert.deepEqual(undo?.action, { kind: "undo", resetId: "r1" });
    assert.ok(!kinds({ view: view([over()]) }).includes("undo"));
  });

  it("names every agent, and says that one without a figure has none yet", () => {
    const inTmux = agent({ place: "multiplexer", reading: { kind: "none-yet" }, percent: undefined });
    const { terminalId: _none, ...elsewhere } = inTmux;
    const all = menuOf(model({ view: view([elsewhere]) }), now);
    assert.equal(all[0]?.label, "○ api · no reading yet · Claude Code");
    assert.equal(all[1]?.kind, "row");
  });

  it("offers a report where nobody knows what happened", () => {
    const undecided = reset({ phase: "needs-reconcile" });
    const labels = rows(menuOf(model({ view: view([over({ reset: undecided })]) }), now)).map(({ label }) => label);
    assert.deepEqual(labels.slice(0, 2), ["$(file-text) Report", "$(close) Abort"]);
    assert.ok(!labels.includes("$(close) Cancel"));
  });

  it("pauses and resumes, and restarts a worker that stopped", () => {
    assert.ok(kinds({}).includes("pause"));
    assert.ok(kinds({ paused: true }).includes("resume"));
    assert.ok(!kinds({ mode: "gauge" }).includes("pause"));
    assert.ok(kinds({ worker: { kind: "down", since: now, nextTryAt: now } }).includes("restartWorker"));
  });

  it("keeps the rest behind More…", () => {
    const question = { questionId: "q", instanceId: "i1", alsoInstanceIds: [], since: now };
    const labels = (part: Parameters<typeof over>[0], asked = true) =>
      rows(moreOf(over(part), model({ view: view([over(part)], asked ? { question } : {}) }))).map(({ label }) =>
        label.replace(/^\$\([\w-]+\) /, ""),
      );
    const rest = ["Change Line…", "Check", "Why?"];
    const saves = [
      "Save, Clear & Continue…",
      "Save, Clear & Stop…",
      "Save, Clear, Then…",
      "Compact…",
      "Save Now…",
      "Review First…",
    ];
    assert.deepEqual(labels({}), [...saves, "Not Now", ...rest]);
    assert.deepEqual(labels({}, false), [...saves, ...rest]);
    assert.deepEqual(labels({ saving: { kind: "asks" } }, false), [...saves, "Allow Saving Without Asking…", ...rest]);
    assert.deepEqual(labels({ saving: { kind: "impossible", why: "x", remedy: "y" } }), [
      "Compact…",
      "Not Now",
      ...rest,
    ]);
    assert.ok(!rows(moreOf(over(), model({ mode: "gauge" }))).some(({ action }) => action.kind === "act"));
  });
});

describe("Undo Clear…", () => {
  const past = {
    resetId: "r1",
    instanceId: "i1",
    agent: "claude",
    at: now,
    conversationId: "c0",
    cwd: "/w",
    inPlace: true,
  } as const;

  it("says when, which agent, how large it was and how it goes back", () => {
    assert.deepEqual(clearRow({ ...past, beforeTokens: 287_000 }, agent(), now), {
      label: "09:12 · api (Claude Code)",
      description: "287k tokens before",
      detail: "In the same agent in /w: /resume c0",
    });
    assert.equal(clearRow(past, undefined, now).detail, "In a new terminal in /w: claude --resume c0");
  });
});

describe("what comes after the clear", () => {
  it("is sent as it is, but for what could not be pasted", () => {
    assert.equal(thenProblem("Go on\nwith the tests"), undefined);
    assert.equal(thenProblem(" \n "), thenWords.empty);
    assert.equal(thenProblem(" !rm x"), thenWords.shell);
    assert.equal(thenProblem("x".repeat(100_001)), thenWords.tooLong);
    assert.equal(thenDocument("a/b"), "Then a-b.plimsoll-then");
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
    assert.equal(checkTitle(agent(), answers), "api: a click on Save & Clear would be refused now");
    assert.equal(checkTitle(agent(), answers.slice(2)), "api: a click on Save & Clear would wait");
    assert.equal(checkTitle(agent(), answers.slice(0, 1)), "api: a click on Save & Clear would go ahead");
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
