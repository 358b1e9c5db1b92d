import assert from "node:assert/strict";
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import * as messages from "../../server/protocol/messages.ts";
import { ask, tell } from "../../server/protocol/wire.ts";
import { codeLine, stateText } from "../support/savedState.ts";
import { until } from "../support/until.ts";
import type { Agent, Submitted } from "./agent.ts";
import { human } from "./records.ts";
import { fullReset, type Rig, withRig } from "./rig.ts";
import { type Ending, resetOf } from "./support.ts";
import { together } from "./together.ts";
import { createWindow } from "./window.ts";

/** The agent saves in a way of its own; its turn ends as always. */
const savesSo = (does: (agent: Agent, resetId: string) => Promise<void> | void) => ({
  async instead({ kind, text, resetId }: Submitted, agent: Agent) {
    if (kind !== "save") return false;
    agent.hears(text);
    await does(agent, resetId);
    agent.answers(152_000);
    return true;
  },
});

/** The agent saves well, and its turn goes on until it is ended. */
const savesAndGoesOn = {
  instead({ kind, text, resetId }: Submitted, agent: Agent) {
    if (kind !== "save") return false;
    agent.hears(text);
    agent.works(151_000, "Write");
    agent.saves(resetId);
    return true;
  },
};

function assertUncleared(rig: Rig, ending: Ending): void {
  assert.equal(ending.cleared, false);
  assert.equal(rig.window.presses("clear"), 0);
  assert.equal(rig.window.box(), "");
  assert.ok(!rig.agent.submitted.includes("/clear"));
  assert.deepEqual(rig.claims(), []);
  assert.equal(rig.steps().at(-1)?.to, "none");
  assert.equal(rig.steps().at(-1)?.ended?.outcome, ending.outcome);
}

together("a state that is saved badly clears nothing", (scenario) => {
  const bad: Readonly<Record<string, readonly [RegExp, (agent: Agent, resetId: string) => Promise<void> | void]>> = {
    "it is the request written back": [
      /wrote back what it was asked/,
      (agent, resetId) => {
        const { code } = agent.request(resetId);
        agent.saves(resetId, `${codeLine(code)}\n${readFileSync(agent.savedIn(resetId, "request.md"), "utf8")}`);
      },
    ],
    "it is a link": [
      /link/,
      (agent, resetId) => {
        const other = join(agent.lab.home, "other.md");
        writeFileSync(other, stateText(agent.request(resetId).code, []));
        symlinkSync(other, agent.savedIn(resetId, "state.md"));
      },
    ],
    "its folder was moved out of the agent's": [
      /outside|link/,
      (agent, resetId) => {
        agent.saves(resetId);
        const dir = join(agent.cwd, ".plimsoll", resetId);
        renameSync(dir, join(agent.lab.home, "moved"));
        symlinkSync(join(agent.lab.home, "moved"), dir);
      },
    ],
    "it is a folder": [
      /no plain file/,
      (agent, resetId) => {
        mkdirSync(agent.savedIn(resetId, "state.md"));
      },
    ],
    "it is larger than 1 MiB": [
      /too large/,
      (agent, resetId) => agent.saves(resetId, `${codeLine(agent.request(resetId).code)}\n${"x".repeat(1024 * 1024)}`),
    ],
    "its check code is another's": [
      /check code/,
      (agent, resetId) => agent.saves(resetId, stateText("0123456789ab", [])),
    ],
    "it has no check code": [/check code/, (agent, resetId) => agent.saves(resetId, "All is well. ".repeat(200))],
    "it is a stub": [
      /only 5\d\d bytes/,
      (agent, resetId) => agent.saves(resetId, `${codeLine(agent.request(resetId).code)}\n${"y".repeat(460)}`),
    ],
    "it is not there when the turn has ended": [/saved nothing/, () => undefined],
  };
  for (const [what, [reason, does]] of Object.entries(bad))
    scenario(what, () =>
      withRig({ agent: savesSo(does) }, async (rig) => {
        const ending = await rig.run(fullReset, 40_000);
        assert.equal(ending.outcome, "refused");
        assert.equal(ending.gate, "saved-well");
        assert.match(ending.reason, reason);
        assert.equal(ending.saved, undefined);
        assertUncleared(rig, ending);
        assert.deepEqual(rig.window.orders, ["type save", "press save"]);
      }),
    );

  scenario("while it still changes it is not taken; once it stands still it is", () => {
    let changedLast = 0;
    return withRig(
      {
        agent: savesSo(async (agent, resetId) => {
          agent.saves(resetId);
          for (let n = 0; n < 6; n += 1) {
            await pause(700);
            appendFileSync(agent.savedIn(resetId, "state.md"), `\nOne line more: ${n}.\n`);
            changedLast = Date.now();
          }
        }),
      },
      async (rig) => {
        const ending = await rig.run(fullReset, 40_000);
        assert.equal(ending.outcome, "confirmed");
        const size = statSync(rig.agent.savedIn(ending.resetId, "state.md")).size;
        assert.equal(ending.saved?.bytes, size);
        const saved = rig.steps().find(({ to }) => to === "saved/briefing");
        assert.ok((saved?.event.at ?? 0) - changedLast >= 1900);
      },
    );
  });
});

/** One thing that is broken between the save and the clear; the gate that says so. */
type Break = {
  readonly gate: string;
  readonly does: (rig: Rig, resetId: string) => Promise<unknown> | unknown;
  /** It is no refusal but voids the click. */
  readonly aborts?: boolean;
  /** The agent is not there to take a key any more; the gate that says so at the last look. */
  readonly gone?: string;
};

const breaks: Readonly<Record<string, Break>> = {
  "the agent went on working": { gate: "no-work-since", does: ({ agent }) => agent.works() },
  "a prompt was sent": {
    gate: "nothing-said-since",
    aborts: true,
    does: ({ agent }) => agent.write(human(agent.first, "h-late", Date.now(), "wait, one more thing")),
  },
  "what was saved was changed": {
    gate: "saved-well",
    does: ({ agent }, resetId) => appendFileSync(agent.savedIn(resetId, "state.md"), "\nmore\n"),
  },
  "what was saved was removed": {
    gate: "saved-well",
    does: ({ agent }, resetId) => rmSync(agent.savedIn(resetId, "state.md")),
  },
  "the brief was changed": {
    gate: "brief-complete",
    does: ({ agent }, resetId) => appendFileSync(agent.savedIn(resetId, "brief.md"), "\nmore\n"),
  },
  "its transcript grew by far": {
    gate: "grown-little",
    does: ({ agent }) => {
      for (let n = 0; n < 5; n += 1)
        agent.write(`${JSON.stringify({ type: "file-history-snapshot", text: "z".repeat(60_000) })}\n`);
    },
  },
  "it is in another conversation": {
    gate: "approved-for-this",
    does: ({ agent }) =>
      agent.begins(
        "9b7a0c1e-1111-4222-8333-777788889999",
        human("9b7a0c1e-1111-4222-8333-777788889999", "h-other", Date.now() - 60_000),
      ),
  },
  "typing was paused": { gate: "not-paused", does: (rig) => rig.tellWindow({ paused: true }) },
  "the mode became gauge": { gate: "mode-allows", does: (rig) => rig.tellSettings({ mode: "gauge" }) },
  "the workspace lost its trust": { gate: "workspace-trusted", does: (rig) => rig.tellWindow({ trusted: false }) },
  "a setting became useless": {
    gate: "settings-sane",
    does: (rig) =>
      tell(rig.host().peer, messages.SettingsProblems, { problems: ["plimsoll.typing.quietMs is no number"] }),
  },
  "its transcript was deleted": { gate: "grown-little", does: ({ agent }) => agent.removeTranscript() },
  "the agent ended": { gate: "agent-running", aborts: true, gone: "terminal-open", does: ({ agent }) => agent.end() },
  "its terminal was closed": {
    gate: "agent-running",
    aborts: true,
    gone: "terminal-open",
    does: (rig) => tell(rig.host().peer, messages.TerminalsChanged, { terminals: [] }),
  },
};

together("after the save, with one thing broken while its turn ends", (scenario) => {
  for (const [what, { gate, does, aborts = false }] of Object.entries(breaks))
    scenario(what, () =>
      withRig({ agent: savesAndGoesOn }, async (rig) => {
        const { agent } = rig;
        await rig.clicked(fullReset);
        const { resetId = "" } = resetOf(await rig.stepIs("turn-ending", 40_000)) ?? {};
        await until("the brief", () => agent.has(resetId, "brief.md"));
        await pause(300);
        await does(rig, resetId);
        await pause(300);
        if (what !== "its transcript was deleted" && gate !== "agent-running") agent.answers(152_000);
        const ending = await rig.host().ended(40_000);
        assert.equal(ending.outcome, aborts ? "aborted" : "refused", ending.reason);
        assert.equal(ending.gate, gate);
        assert.notEqual(ending.saved, undefined);
        assertUncleared(rig, ending);
        assert.deepEqual(rig.window.orders, ["type save", "press save"]);
      }),
    );
});

together("with the clear in the prompt box and one thing broken before Enter", (scenario) => {
  for (const [what, { gate, does, gone }] of Object.entries(breaks))
    scenario(what, async () => {
      let rigNow: Rig | undefined;
      const window = {
        before: {
          async type({ line }: { line?: { kind: string } }) {
            if (line?.kind !== "clear" || rigNow === undefined) return undefined;
            const resetId = rigNow.steps()[0]?.resetId ?? "";
            await does(rigNow, resetId);
            await pause(200);
            return undefined;
          },
        },
      };
      await withRig({ window }, async (rig) => {
        rigNow = rig;
        const ending = await rig.run(fullReset, 40_000);
        assert.equal(rig.window.presses("clear"), 0);
        assert.equal(ending.cleared, false);
        assert.equal(ending.gate, gone ?? gate, `${ending.outcome}: ${ending.reason}`);
        assert.equal(ending.outcome, gone !== undefined ? "left-in-box" : "taken-back");
        assert.equal(rig.window.box(), gone !== undefined ? "/clear" : "");
        assert.deepEqual(rig.claims(), []);
      });
    });
});

together("before anything is typed", (scenario) => {
  const before: Readonly<Record<string, readonly [string, (rig: Rig) => Promise<unknown> | unknown]>> = {
    "typing is paused": ["not-paused", (rig) => rig.tellWindow({ paused: true })],
    "the mode is gauge": ["mode-allows", (rig) => rig.tellSettings({ mode: "gauge" })],
    "the workspace is not trusted": ["workspace-trusted", (rig) => rig.tellWindow({ trusted: false })],
    "a setting cannot be used": [
      "settings-sane",
      (rig) => tell(rig.host().peer, messages.SettingsProblems, { problems: ["plimsoll.typing.quietMs is no number"] }),
    ],
    "its way of saving is not known": ["workflow-usable", (rig) => rig.tellSettings({ workflow: "unheard-of" })],
  };
  for (const [what, [gate, does]] of Object.entries(before))
    scenario(`${what}: the click is refused, and Check says why`, () =>
      withRig({}, async (rig) => {
        await rig.ready();
        await does(rig);
        await pause(100);
        const ending = await rig.run(fullReset);
        assert.deepEqual([ending.outcome, ending.gate], ["refused", gate]);
        assert.deepEqual(rig.window.orders, []);
        const { answers } = await ask(rig.host().peer, messages.Check, { instanceId: rig.instanceId, goal: "reset" });
        assert.deepEqual(
          answers.filter(({ verdict }) => verdict === "no").map((one) => one.gate),
          [gate],
        );
      }),
    );

  scenario("plan mode came late: the click is refused with what to do", () =>
    withRig({}, async (rig) => {
      await rig.ready();
      rig.agent.write(
        `${JSON.stringify({ type: "permission-mode", permissionMode: "plan", sessionId: rig.agent.first })}\n`,
      );
      await rig.host().viewWhere("impossible", ({ agents }) => agents[0]?.saving.kind === "impossible");
      const ending = await rig.run(fullReset);
      assert.deepEqual([ending.outcome, ending.gate], ["refused", "save-possible"]);
      assert.match(ending.remedy, /Leave plan mode/);
      assert.deepEqual(rig.window.orders, []);
    }),
  );

  scenario("plan mode came after the click, while it waited for the turn's end", () =>
    withRig({ prepare: (agent) => agent.says("busy") }, async (rig) => {
      const { agent } = rig;
      await rig.clicked(fullReset);
      await rig.stepIs("armed");
      agent.write(`${JSON.stringify({ type: "permission-mode", permissionMode: "plan", sessionId: agent.first })}\n`);
      agent.says("idle");
      const ending = await rig.host().ended(40_000);
      assert.deepEqual([ending.outcome, ending.gate], ["refused", "save-possible"]);
      assert.deepEqual(rig.window.orders, []);
    }),
  );

  scenario("a prompt after the click voids it", () =>
    withRig({ prepare: (agent) => agent.says("busy") }, async (rig) => {
      await rig.clicked(fullReset);
      await rig.stepIs("armed");
      rig.agent.write(human(rig.agent.first, "h-late", Date.now(), "and now this"));
      const ending = await rig.host().ended(40_000);
      assert.deepEqual([ending.outcome, ending.gate], ["aborted", "nothing-said-since"]);
      assert.deepEqual(rig.window.orders, []);
    }),
  );
});

together("an agent that ends", (scenario) => {
  const moments = ["type save", "press save", "type clear", "press clear", "type brief wait", "press brief wait"];
  const outcomes = ["aborted", "aborted", "left-in-box", "unconfirmed", "not-briefed", "not-briefed"];
  for (const [index, moment] of moments.entries())
    scenario(`at ${moment}: nothing more is pressed, and the end is told once`, async () => {
      let agentNow: Agent | undefined;
      let seen = 0;
      const end = async ({ kind, line }: { kind: string; line?: { kind: string } }) => {
        if (!moment.startsWith(`${kind} ${line?.kind}`)) return undefined;
        agentNow?.end();
        seen += 1;
        await pause(300);
        return undefined;
      };
      await withRig(
        {
          agent: { instead: () => seen > 0 },
          window: (agent) => {
            agentNow = agent;
            return { before: { type: end, press: end } };
          },
        },
        async (rig) => {
          const ending = await rig.run(fullReset, 40_000);
          assert.equal(ending.outcome, outcomes[index], ending.reason);
          assert.equal(ending.gate, moment === "type clear" ? "terminal-open" : "agent-running");
          assert.deepEqual(rig.window.orders.slice(0, index + 1), moments.slice(0, index + 1));
          assert.deepEqual(
            rig.window.orders.slice(index + 1).filter((order) => !order.startsWith("erase")),
            [],
          );
          await pause(500);
          assert.deepEqual(rig.host().endings, []);
          assert.deepEqual(rig.claims(), []);
        },
      );
    });
});

together("two windows, one agent", (scenario) => {
  scenario("of eight clicks at once in four workers one wins, and is the only one that types", () =>
    withRig({}, async (rig) => {
      const windows = [rig.window];
      const hosts = [rig.host()];
      for (let n = 1; n < 4; n += 1) {
        const window = createWindow(rig.agent);
        windows.push(window);
        hosts.push(await rig.start(window));
      }
      for (const host of hosts)
        await host.viewWhere(
          "the agent",
          ({ agents }) => agents[0]?.terminalId !== undefined && agents[0].reading.kind === "measured",
        );
      const click = {
        instanceId: rig.instanceId,
        conversationId: rig.agent.first,
        act: fullReset,
        at: Date.now() - 1000,
      };
      const answers = await Promise.all(
        hosts.flatMap((host, n) =>
          ["a", "b"].map((one) => ask(host.peer, messages.Approve, { ...click, approvalId: `${n}${one}` })),
        ),
      );
      // One that is refused at once leaves its worker free for its second click.
      const started = answers.filter(({ outcome }) => outcome === "started").length;
      assert.ok(started >= 4);
      const ends = hosts.map(async (host, n) => {
        const count = answers.slice(2 * n, 2 * n + 2).filter(({ outcome }) => outcome === "started").length;
        const all: Ending[] = [];
        while (all.length < count) all.push(await host.ended(30_000));
        return all;
      });
      const endings = (await Promise.all(ends)).flat();
      const said = endings.map(({ outcome, gate, reason }) => `${outcome} ${gate} ${reason}`).join("\n");
      assert.equal(endings.filter(({ outcome }) => outcome === "confirmed").length, 1, said);
      for (const { outcome, gate } of endings)
        if (outcome !== "confirmed")
          assert.ok(outcome === "refused" && (gate === "no-other-reset" || gate === "log-writable"), said);
      assert.equal(windows.filter(({ orders }) => orders.length > 0).length, 1);
      assert.equal(rig.agent.submitted.filter((text) => text === "/clear").length, 1);
      assert.deepEqual(rig.claims(), []);
      assert.equal(rig.steps().filter(({ ended }) => ended?.outcome === "confirmed").length, 1);
    }),
  );

  scenario("a click in the second while the first resets is refused, and again possible afterwards", () =>
    withRig({}, async (rig) => {
      const first = rig.host();
      await rig.clicked({ kind: "reset", then: "wait", review: true, carry: [] });
      await rig.stepIs("reviewing");
      const window = createWindow(rig.agent);
      const second = await rig.start(window);
      await rig.ready();
      const { answers } = await ask(second.peer, messages.Check, { instanceId: rig.instanceId, goal: "reset" });
      assert.equal(answers.find(({ gate }) => gate === "no-other-reset")?.verdict, "no");
      const ending = await rig.run(fullReset);
      assert.equal(ending.outcome, "refused");
      assert.deepEqual(window.orders, []);
      await ask(first.peer, messages.Cancel, { instanceId: rig.instanceId });
      assert.equal((await first.ended()).outcome, "aborted");
      assert.equal((await rig.run({ kind: "save" })).outcome, "confirmed");
    }),
  );
});
