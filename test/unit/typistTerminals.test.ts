import { deepEqual, equal } from "node:assert/strict";
import { keptBytes } from "../../extension/screen/stream.ts";
import { createTerminals } from "../../extension/terminals.ts";
import { parseStat } from "../../extension/typing/agentProcess.ts";
import { TerminalFacts } from "../../server/protocol/terminals.ts";
import { createFakeClock } from "./screenClock.ts";
import { paint } from "./screenPaint.ts";
import { createRig, echoMs } from "./typistRig.ts";
import { createFakeExecution, createFakeTerminal, createFakeWindow } from "./typistWindow.ts";

const size = { cols: 70, rows: 39 };

async function createPlace(options: { existed?: boolean; isMeasured?: boolean; shellPid?: number | undefined } = {}) {
  const clock = createFakeClock();
  const shellPid = "shellPid" in options ? options.shellPid : 5000;
  const terminal = createFakeTerminal(shellPid, () => undefined);
  const window = createFakeWindow(options.existed === true ? [terminal] : []);
  const terminals = createTerminals(window, { clock, readSize: () => size, isMeasured: options.isMeasured ?? true });
  if (options.existed !== true) window.open(terminal);
  await clock.pass(0);
  const stream = () => {
    const [facts] = terminals.facts().map((each) => TerminalFacts.parse(each));
    return facts?.stream.kind === "none" ? facts.stream.why : facts?.stream.kind;
  };
  return { clock, terminal, window, terminals, stream };
}

describe("the terminals of a window", () => {
  it("are named by a number and their shell", async () => {
    const place = await createPlace();
    equal(place.terminals.facts()[0]?.terminalId, "t1-5000");
    equal(place.terminals.terminalOf("t1-5000")?.terminal, place.terminal);
    place.window.close(place.terminal);
    deepEqual(place.terminals.facts(), []);
    equal(place.terminals.terminalOf("t1-5000"), undefined);
  });

  it("have a held stream from a command's start to its end", async () => {
    const place = await createPlace();
    const execution = createFakeExecution();
    equal(place.stream(), "no-shell-integration");
    place.window.start(place.terminal, execution);
    equal(execution.reads(), 1);
    equal(place.stream(), "held");
    place.window.end(place.terminal, execution);
    equal(place.stream(), "started-before");
  });

  it("can't be seen into when they were there before, and at the start that is made up at the old command's end", async () => {
    const place = await createPlace({ existed: true });
    equal(place.stream(), "started-before");
    const madeUp = createFakeExecution(1);
    place.window.start(place.terminal, madeUp);
    equal(place.stream(), "started-before");
    place.window.end(place.terminal, madeUp);
    place.window.start(place.terminal, createFakeExecution());
    equal(place.stream(), "held");
  });

  it("can't be seen into when too much came before an agent was known", async () => {
    const place = await createPlace();
    const execution = createFakeExecution();
    place.window.start(place.terminal, execution);
    execution.output("x".repeat(keptBytes + 1));
    await place.clock.pass(0);
    equal(place.stream(), "overflow");
    place.terminals.agentRuns("t1-5000", "claude");
    equal(await place.clock.run(place.terminals.readBox("t1-5000")), undefined);
  });

  it("are not seen into where that was not measured, or without a shell process", async () => {
    const elsewhere = await createPlace({ isMeasured: false });
    const execution = createFakeExecution();
    elsewhere.window.start(elsewhere.terminal, execution);
    equal(elsewhere.stream(), "platform");
    equal(execution.reads(), 0);
    const shellless = await createPlace({ shellPid: undefined });
    shellless.window.start(shellless.terminal, createFakeExecution());
    equal(shellless.stream(), "size-unknown");
    equal(shellless.terminals.facts()[0]?.terminalId, "t1");
  });

  it("show the prompt box of the agent that runs in them", async () => {
    const place = await createPlace();
    const execution = createFakeExecution();
    place.window.start(place.terminal, execution);
    execution.output(paint("claude", { text: "hello" }));
    await place.clock.pass(0);
    equal(await place.terminals.readBox("t1-5000"), undefined);
    place.terminals.agentRuns("t1-5000", "claude");
    const look = await place.clock.run(place.terminals.readBox("t1-5000"));
    equal(look?.kind === "read" && look.box.kind === "box" && look.box.text, "hello");
    place.terminals.agentRuns("t1-5000", undefined);
    equal(await place.terminals.readBox("t1-5000"), undefined);
  });

  it("say what Codex says of itself, once for each change", async () => {
    const place = await createPlace();
    const execution = createFakeExecution();
    place.window.start(place.terminal, execution);
    place.terminals.agentRuns("t1-5000", "codex");
    let changes = 0;
    place.terminals.onDidChange(() => {
      changes += 1;
    });
    for (const output of [
      "\u001b]0;01a22e88-b46c-75f3-a8ee-22dc6... | Ready\u0007",
      "x",
      "\u001b]7501;state=working:app=codex\u0007",
      "y",
    ]) {
      execution.output(output);
      await place.clock.pass(0);
    }
    const [facts] = place.terminals.facts();
    deepEqual([facts?.titleId, facts?.reported, changes], ["01a22e88-b46c-75f3-a8ee-22dc6", "working", 2]);
    execution.output("\u001b]0;Ready\u0007");
    await place.clock.pass(0);
    equal(place.terminals.facts()[0]?.titleId, undefined);
  });

  it("leave nothing behind", async () => {
    const place = await createPlace();
    place.window.start(place.terminal, createFakeExecution());
    place.terminals.dispose();
    equal(place.window.listenerCount(), 0);
    deepEqual(place.terminals.facts(), []);
  });
});

describe("a probe", () => {
  it("tells what the box holds, without its text", async () => {
    const rig = await createRig("codex");
    const probe = () => rig.clock.run(rig.typist.probe(rig.order));
    const first = await probe();
    deepEqual([first.observable, first.box, first.connected, first.terminalOpen], [true, "empty", true, true]);
    equal(first.quietForMs, 2000);
    rig.becomes({ text: "secret" });
    await rig.clock.pass(echoMs);
    equal((await probe()).box, "draft");
    equal(JSON.stringify(await probe()).includes("secret"), false);
    rig.becomes({ text: "ls", shellMode: true });
    await rig.clock.pass(echoMs);
    equal((await probe()).box, "shell-mode");
    rig.world.connected = false;
    equal((await probe()).connected, false);
    rig.window.close(rig.terminal);
    deepEqual(await probe(), {
      terminalOpen: false,
      connected: false,
      observable: false,
      box: "none",
      sequence: 0,
      freshSinceOwnWrite: false,
    });
  });

  it("says why nothing is seen", async () => {
    const rig = await createRig("claude");
    rig.window.end(rig.terminal, rig.execution);
    const facts = await rig.clock.run(rig.typist.probe(rig.order));
    deepEqual([facts.observable, facts.why, facts.terminalOpen], [false, "started-before", true]);
  });
});

describe("a line pasted for the person", () => {
  it("goes into a terminal whose screen is not seen, and is never entered", async () => {
    const rig = await createRig("claude");
    rig.window.end(rig.terminal, rig.execution);
    deepEqual(await rig.clock.run(rig.typist.pasteForPerson(rig.order)), { pasted: true });
    deepEqual(rig.written, ["\u001b[200~/clear\u001b[201~"]);
  });

  it("does not go into a draft, to a dead agent, into a closed terminal or past a pause", async () => {
    const drafted = await createRig("claude");
    drafted.becomes({ text: "mine" });
    await drafted.clock.pass(echoMs);
    const dead = await createRig("claude");
    dead.world.birth = undefined;
    const closed = await createRig("claude");
    closed.window.close(closed.terminal);
    const paused = await createRig("claude");
    paused.world.guard = { ...paused.world.guard, paused: true };
    const offline = await createRig("claude");
    offline.world.connected = false;
    const cases = [
      [drafted, "box-not-empty"],
      [dead, "agent-gone"],
      [closed, "terminal-closed"],
      [paused, "paused"],
      [offline, "not-connected"],
    ] as const;
    for (const [rig, reason] of cases) {
      deepEqual(await rig.clock.run(rig.typist.pasteForPerson(rig.order)), { pasted: false, reason });
      deepEqual(rig.written, []);
    }
  });
});

describe("a process's stat line", () => {
  it("is read behind the last parenthesis", () => {
    const line = "4100 (a) b (c)) S 4000 4100 4000 34817 4100 4194304 1 2 3 4 5 6 7 8 20 0 11 0 987654 1 2 3";
    deepEqual(parseStat(line), { state: "S", group: "4100", tty: "34817", foregroundGroup: "4100", birth: "987654" });
    equal(parseStat("nonsense"), undefined);
  });
});
