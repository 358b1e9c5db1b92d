import assert from "node:assert/strict";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { digestOf } from "../../server/core/digest.ts";
import * as messages from "../../server/protocol/messages.ts";
import { ask } from "../../server/protocol/wire.ts";
import type { Agent, Submitted } from "./agent.ts";
import { apiError, human } from "./records.ts";
import { fullReset, held, type Rig, withRig } from "./rig.ts";
import { resetOf } from "./support.ts";
import { together } from "./together.ts";

const wholeReset = [
  "type save",
  "press save",
  "type clear",
  "press clear",
  "type brief wait",
  "press brief wait",
] as const;

/** Every step of a line: typed, looked at, pressed, proved. */
const line = (phase: string): readonly string[] =>
  ["typing", "last-look", "pressing", "proof"].map((s) => `${phase}/${s}`);

const wholePath = [
  "none",
  "prepared",
  "saving/locking",
  "saving/preparing",
  ...line("saving"),
  "saving/writing",
  "saved/briefing",
  "saved/waiting",
  "claimed",
  ...line("dispatched"),
  "confirmed",
  "resuming/waiting",
  ...line("resuming"),
  "resuming/settling",
  "none",
];

/** Where the steps of a journal lead, each place once while it is stayed in. */
function pathOf(rig: Rig): readonly string[] {
  const steps = rig.steps();
  const path = [steps[0]?.from ?? "", ...steps.map(({ to }) => to)];
  return path.filter((place, index) => place !== path[index - 1]);
}

const metaOf = (agent: Agent, resetId: string): unknown =>
  JSON.parse(readFileSync(agent.savedIn(resetId, "meta.json"), "utf8"));

/** Lets one line of a kind be done otherwise. */
const instead =
  (kind: Submitted["kind"], does: (line: Submitted, agent: Agent) => Promise<void> | void) =>
  async (submitted: Submitted, agent: Agent): Promise<boolean> => {
    if (submitted.kind !== kind) return false;
    await does(submitted, agent);
    return true;
  };

together("a full reset over the wire", (scenario) => {
  scenario("saves, clears and briefs, step by step, and says so with all figures", () =>
    withRig({}, async (rig) => {
      const { agent, window, instanceId, storageDir } = rig;
      const { resetId, saved, ...ending } = await rig.run(fullReset);
      const next = agent.conversationId();

      assert.deepEqual(ending, {
        instanceId,
        name: "api",
        agent: "claude",
        goal: "reset",
        outcome: "confirmed",
        conversationId: agent.first,
        cleared: true,
        reason: "a new conversation began in the same agent and was told where it stands",
        remedy: "Nothing to do.",
        beforeTokens: 152_000,
        afterTokens: 20_004,
        undelivered: [],
        lost: 0,
      });
      assert.deepEqual(window.orders, wholeReset);
      assert.notEqual(next, agent.first);

      const state = agent.savedIn(resetId, "state.md");
      assert.deepEqual(saved, { path: state, bytes: statSync(state).size });
      const dir = join(agent.cwd, ".plimsoll", resetId);
      assert.deepEqual(readdirSync(dir).toSorted(), ["brief.md", "meta.json", "request.md", "state.md"]);
      assert.equal(statSync(dir).mode & 0o777, 0o700);
      assert.match(readFileSync(agent.savedIn(resetId, "brief.md"), "utf8"), new RegExp(`${agent.first}[^]*${state}`));
      const { at, stateDigest, ...meta } = metaOf(agent, resetId) as Record<string, unknown>;
      assert.deepEqual(meta, {
        v: 1,
        resetId,
        chain: agent.first,
        conversationId: agent.first,
        instanceId,
        agent: "claude",
        nextConversationId: next,
      });

      assert.deepEqual(pathOf(rig), wholePath);
      const steps = rig.steps();
      assert.deepEqual(
        steps.map(({ seq }) => seq),
        steps.map((_, index) => index),
      );
      for (const step of steps) {
        assert.equal(step.resetId, resetId);
        assert.deepEqual([step.origin, step.path, step.requestedBy], ["normal", "approved", "person"]);
      }
      assert.deepEqual(
        steps.flatMap(({ effects }) => effects).filter((effect) => effect !== "judge"),
        [
          "claim",
          "prepare-save",
          "type",
          "press",
          "write-brief",
          "claim",
          "type",
          "press",
          "collect",
          "type",
          "press",
          "end",
        ],
      );
      const approved = steps[0]?.event;
      assert.equal(approved?.kind, "approved");
      if (approved?.kind === "approved") assert.equal(approved.order.shownTokens, 150_000);
      const { outcome, nextConversationId, afterTokens } = steps.at(-1)?.ended ?? {};
      assert.deepEqual(
        { outcome, nextConversationId, afterTokens },
        { outcome: "confirmed", nextConversationId: next, afterTokens: 20_004 },
      );
      const journal = readFileSync(rig.journalFile, "utf8");
      assert.doesNotMatch(journal, /go on|Standing orders/);
      for (const row of journal.trim().split("\n")) assert.match(row, /^\{"v":2,.*"mac":"[0-9a-f]{64}"\}$/);
      assert.equal(statSync(rig.journalFile).mode & 0o777, 0o600);
      assert.deepEqual(rig.claims(), []);
      const log = rig.host().log.filter((entry) => entry.startsWith("reset: reset="));
      assert.equal(log.length, 1);
      assert.match(
        log[0] ?? "",
        new RegExp(
          `^reset: reset=${resetId} goal=reset outcome=confirmed cleared=true path=approved origin=normal requested-by=person approval-record=[0-9a-f-]+ approval-ts=[0-9TZ:.-]+ saved-bytes=${saved?.bytes}$`,
        ),
      );
      assert.ok(existsSync(join(storageDir, "claims")));

      const { path } = await ask(rig.host().peer, messages.LastSaved, { instanceId });
      assert.equal(path, state);
      const { clears } = await ask(rig.host().peer, messages.ListClears, {});
      assert.deepEqual(
        clears.map(({ at: _, ...clear }) => clear),
        [
          {
            resetId,
            instanceId,
            agent: "claude",
            conversationId: agent.first,
            beforeTokens: 152_000,
            cwd: agent.cwd,
            inPlace: true,
          },
        ],
      );
    }),
  );

  scenario("uses a click once, and refuses one about the conversation before", () =>
    withRig({}, async (rig) => {
      const { agent, instanceId } = rig;
      await rig.ready();
      const click = {
        approvalId: "a1",
        instanceId,
        conversationId: agent.first,
        act: fullReset,
        at: Date.now() - 1000,
      };
      assert.deepEqual(await ask(rig.host().peer, messages.Approve, click), { outcome: "started" });
      const second = await ask(rig.host().peer, messages.Approve, { ...click, approvalId: "a2" });
      assert.equal(second.outcome, "refused");
      assert.equal((await rig.host().ended(40_000)).outcome, "confirmed");
      for (const approvalId of ["a1", "a3"]) {
        const late = await ask(rig.host().peer, messages.Approve, { ...click, approvalId });
        assert.equal(late.outcome === "refused" && late.reason, "this was about an earlier conversation");
      }
      const used = await ask(rig.host().peer, messages.Approve, { ...click, conversationId: agent.conversationId() });
      assert.equal(used.outcome === "refused" && used.reason, "this click was used already");
    }),
  );

  scenario("types nothing into the fresh conversation where it is to stop", () =>
    withRig({}, async (rig) => {
      const ending = await rig.run({ kind: "reset", then: "stop", review: false, carry: [] });
      assert.equal(ending.outcome, "confirmed");
      assert.equal(ending.cleared, true);
      assert.equal(ending.afterTokens, undefined);
      assert.deepEqual(rig.window.orders, wholeReset.slice(0, 4));
    }),
  );

  scenario("lets it go on by itself where the person chose that", () =>
    withRig({}, async (rig) => {
      const ending = await rig.run({ kind: "reset", then: "continue", review: false, carry: [] });
      assert.equal(ending.outcome, "confirmed");
      assert.deepEqual(rig.window.orders.slice(4), ["type brief continue", "press brief continue"]);
      const brief = readFileSync(rig.agent.savedIn(ending.resetId, "brief.md"), "utf8");
      assert.match(brief, /go on with the next action/);
    }),
  );

  scenario("asks again what the agent had asked, and waits, whatever the person chose", () =>
    withRig({ prepare: (agent) => agent.answers(150_000, "Which of the two shall I take?") }, async (rig) => {
      await new Promise((resolve) => setTimeout(resolve, 1100));
      const ending = await rig.run({ kind: "reset", then: "continue", review: false, carry: [] });
      assert.equal(ending.outcome, "confirmed");
      assert.deepEqual(rig.window.orders.slice(4), ["type brief wait", "press brief wait"]);
    }),
  );

  scenario("carries the texts given with the click, in order, each after the turn before", () => {
    const texts = { x1: "First look at the tests.", x2: "Then fix\nthe second one." };
    const turns: string[] = [];
    return withRig(
      {
        window: (agent) => ({
          texts,
          before: {
            type: ({ line: { kind } = { kind: "clear" } }) => {
              const last =
                readFileSync(agent.transcriptOf(agent.conversationId()), "utf8").trim().split("\n").at(-1) ?? "";
              if (kind === "held") turns.push(JSON.parse(last).type);
              return undefined;
            },
          },
        }),
      },
      async (rig) => {
        const carry = [held("x1", texts.x1), held("x2", texts.x2)];
        const ending = await rig.run({ kind: "reset", then: "stop", review: false, carry }, 40_000);
        assert.equal(ending.outcome, "confirmed");
        assert.deepEqual(ending.undelivered, []);
        assert.ok(rig.window.count("texts") > 0);
        assert.deepEqual(rig.window.orders.slice(4), [
          "type brief next",
          "press brief next",
          "type held x1",
          "press held x1",
          "type held x2",
          "press held x2",
        ]);
        assert.deepEqual(turns, ["assistant", "assistant"]);
        assert.deepEqual(rig.agent.submitted.slice(-2), [texts.x1, texts.x2]);
        assert.doesNotMatch(readFileSync(rig.journalFile, "utf8"), /First look|second one/);
      },
    );
  });

  scenario("refuses where the window no longer holds the texts, and clears nothing", () =>
    withRig({}, async (rig) => {
      const ending = await rig.run({ kind: "reset", then: "wait", review: false, carry: [held("x1", "hello")] });
      assert.equal(ending.outcome, "refused");
      assert.equal(ending.gate, "brief-deliverable");
      assert.deepEqual(ending.undelivered, ["x1"]);
      assert.deepEqual(rig.window.orders, []);
    }),
  );

  scenario("names the texts that it could not deliver after the clear", () =>
    withRig(
      {
        window: {
          texts: { x1: "one", x2: "two" },
          before: {
            type: ({ line: asked }) =>
              asked?.kind === "held" && asked.textId === "x2"
                ? { outcome: "refused" as const, reason: "text-unknown" as const, wrote: false, erased: false }
                : undefined,
          },
        },
      },
      async (rig) => {
        const carry = [held("x1", "one"), held("x2", "two")];
        const ending = await rig.run({ kind: "reset", then: "wait", review: false, carry }, 40_000);
        assert.equal(ending.outcome, "not-briefed");
        assert.equal(ending.cleared, true);
        assert.deepEqual(ending.undelivered, ["x2"]);
      },
    ),
  );

  scenario("carries word for word what came into the old conversation after the claim, and counts lost images", () => {
    const late = "And please:\n  keep the *old* names — “quoted”.";
    const picture = [
      { type: "text", text: "See this" },
      { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
    ];
    return withRig(
      {
        window: (agent) => ({
          before: {
            press: ({ line: asked }) => {
              if (asked?.kind !== "clear") return undefined;
              agent.write(
                human(agent.first, "late-1", Date.now(), late),
                human(agent.first, "late-2", Date.now(), picture),
              );
              return undefined;
            },
          },
        }),
      },
      async (rig) => {
        const ending = await rig.run(fullReset, 40_000);
        assert.equal(ending.outcome, "confirmed");
        assert.equal(ending.lost, 1);
        assert.deepEqual(rig.window.orders.slice(4), [
          "type brief next",
          "press brief next",
          `type carried ${late}`,
          `press carried ${late}`,
          "type carried See this",
          "press carried See this",
        ]);
        assert.deepEqual(rig.agent.submitted.slice(-2), [late, "See this"]);
        const journal = readFileSync(rig.journalFile, "utf8");
        assert.doesNotMatch(journal, /keep the|See this/);
        const collected = rig.steps().find(({ event }) => event.kind === "collected")?.event;
        assert.ok(collected?.kind === "collected");
        assert.deepEqual(collected.carried, [
          { recordId: "late-1", digest: digestOf(late) },
          { recordId: "late-2", digest: digestOf("See this") },
        ]);
      },
    );
  });

  scenario("goes by the clear alone where the conversation no longer fitted when it was clicked", () =>
    withRig(
      { prepare: (agent) => agent.write(apiError(agent.first, "e1", Date.now() - 5000, "Prompt is too long")) },
      async (rig) => {
        const ending = await rig.run(fullReset);
        assert.equal(ending.outcome, "confirmed");
        assert.equal(ending.saved, undefined);
        assert.deepEqual(rig.window.orders, wholeReset.slice(2));
        assert.ok(
          rig
            .steps()
            .slice(0, -1)
            .every(({ origin }) => origin === "forced"),
        );
        assert.match(readFileSync(rig.agent.savedIn(ending.resetId, "brief.md"), "utf8"), /nothing could be saved/);
      },
    ),
  );

  scenario("becomes a forced one where the save's own turn no longer fits", () =>
    withRig(
      {
        agent: {
          instead: instead("save", async ({ text }, agent) => {
            agent.hears(text);
            agent.write(apiError(agent.first, "e1", Date.now(), "Prompt is too long"));
            agent.says("idle");
          }),
        },
      },
      async (rig) => {
        const ending = await rig.run(fullReset);
        assert.equal(ending.outcome, "confirmed");
        assert.equal(ending.saved, undefined);
        assert.deepEqual(rig.window.orders, wholeReset);
        assert.equal(rig.steps()[0]?.origin, "normal");
        assert.equal(rig.steps().at(-1)?.origin, "forced");
        assert.match(rig.host().log.at(-1) ?? "", /origin=forced/);
      },
    ),
  );

  scenario("shows what was saved before the clear, and counts what the person changes in it", () =>
    withRig({}, async (rig) => {
      const { agent, instanceId, window } = rig;
      await rig.clicked({ kind: "reset", then: "wait", review: true, carry: [] });
      const view = await rig.stepIs("reviewing");
      const { resetId = "", statePath = "", savedBytes } = resetOf(view) ?? {};
      assert.equal(savedBytes, statSync(statePath).size);
      assert.deepEqual(window.orders, wholeReset.slice(0, 2));
      appendFileSync(statePath, "\nThe person adds: mind the staging server.\n");
      const other = await ask(rig.host().peer, messages.Reviewed, { instanceId, resetId: "000000000000" });
      assert.deepEqual(other, { goesOn: false });
      assert.deepEqual(await ask(rig.host().peer, messages.Reviewed, { instanceId, resetId }), { goesOn: true });
      const ending = await rig.host().ended(40_000);
      assert.equal(ending.outcome, "confirmed");
      assert.equal(ending.saved?.bytes, statSync(statePath).size);
      assert.deepEqual(window.orders, wholeReset);
      assert.ok(agent.has(resetId, "brief.md"));
    }),
  );

  scenario("is called off while the saved state is looked at", () =>
    withRig({}, async (rig) => {
      await rig.clicked({ kind: "reset", then: "wait", review: true, carry: [] });
      await rig.stepIs("reviewing");
      const { instanceId } = rig;
      assert.deepEqual(await ask(rig.host().peer, messages.Cancel, { instanceId }), { cancelled: true });
      const ending = await rig.host().ended();
      assert.equal(ending.outcome, "aborted");
      assert.equal(ending.cleared, false);
      assert.deepEqual(rig.claims(), []);
    }),
  );

  scenario("is done by hand where the prompt box cannot be seen: each line is pasted, the person presses Enter", () =>
    withRig({ window: { screen: () => ({ observable: false, why: "started-before" }) } }, async (rig) => {
      const { window } = rig;
      await rig.clicked(fullReset);
      for (const word of ["save", "clear", "brief wait"]) {
        await rig
          .host()
          .viewWhere(
            `${word} pasted`,
            (view) => resetOf(view)?.step === "handed" && window.orders.at(-1) === `paste ${word}`,
            15_000,
          );
        await new Promise((resolve) => setTimeout(resolve, 100));
        window.enter();
      }
      const ending = await rig.host().ended(40_000);
      assert.equal(ending.outcome, "confirmed");
      assert.deepEqual(window.orders, ["paste save", "paste clear", "paste brief wait"]);
    }),
  );

  scenario("shows that the agent asks for permission to write, and goes on when it was given", () => {
    let allow: () => void = () => undefined;
    const allowed = new Promise<void>((resolve) => {
      allow = resolve;
    });
    return withRig(
      {
        agent: {
          permissionMode: "default",
          instead: instead("save", async ({ text, resetId }, agent) => {
            agent.hears(text);
            agent.says("waiting", "permission prompt");
            await allowed;
            agent.says("busy");
            agent.saves(resetId);
            agent.answers(152_000);
          }),
        },
      },
      async (rig) => {
        const view = await rig.ready();
        assert.equal(view.agents[0]?.saving.kind, "asks");
        await rig.click(fullReset);
        await rig.stepIs("permission");
        allow();
        assert.equal((await rig.host().ended(40_000)).outcome, "confirmed");
      },
    );
  });
});

together("the other things a click may ask for", (scenario) => {
  scenario("a save alone", () =>
    withRig({}, async (rig) => {
      const ending = await rig.run({ kind: "save" });
      assert.deepEqual([ending.outcome, ending.goal, ending.cleared], ["confirmed", "save", false]);
      assert.equal(ending.saved?.path, rig.agent.savedIn(ending.resetId, "state.md"));
      assert.deepEqual(rig.window.orders, wholeReset.slice(0, 2));
      assert.deepEqual(rig.claims(), []);
      const last = await ask(rig.host().peer, messages.LastSaved, { instanceId: rig.instanceId });
      assert.equal(last.path, ending.saved?.path);
    }),
  );

  scenario("a compaction", () =>
    withRig({}, async (rig) => {
      const ending = await rig.run({ kind: "compact" });
      assert.deepEqual(
        [ending.outcome, ending.goal, ending.cleared, ending.beforeTokens, ending.afterTokens],
        ["confirmed", "compact", false, 150_000, 32_000],
      );
      const text =
        "/compact Keep the current task its state the open questions the decisions made the files in work and the next action";
      assert.deepEqual(rig.window.orders, [`type compact ${text}`, `press compact ${text}`]);
      assert.ok(!existsSync(join(rig.agent.cwd, ".plimsoll")));
    }),
  );

  const taskSnapshot = (agent: Agent) => {
    const files = {
      "datarim/snapshots/ABC-12.snapshot.md": "---\ntask: ABC-12\nstage: do\n---\n\nWhere the task stands.\n",
      "datarim/tasks/ABC-12-task-description.md": "# ABC-12\n",
    };
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(agent.cwd, name, ".."), { recursive: true });
      writeFileSync(join(agent.cwd, name), text, { mode: 0o644 });
    }
  };

  scenario("a compaction with the workflow of snapshots, bound to the task's snapshot", () =>
    withRig({ settings: { workflow: "snapshot" }, prepare: taskSnapshot }, async (rig) => {
      const ending = await rig.run({ kind: "compact" });
      assert.equal(ending.outcome, "confirmed");
      const text =
        "/compact Preserve active Datarim task pointer last completed phase current plan open verification findings and next action";
      assert.deepEqual(rig.window.orders, [`type compact ${text}`, `press compact ${text}`]);
      assert.equal(ending.saved?.path, join(rig.agent.cwd, "datarim/snapshots/ABC-12.snapshot.md"));
    }),
  );

  scenario("a full reset with the workflow of snapshots goes on with the task", () =>
    withRig({ settings: { workflow: "snapshot" }, prepare: taskSnapshot }, async (rig) => {
      const ending = await rig.run(fullReset);
      assert.equal(ending.outcome, "confirmed");
      assert.deepEqual(rig.window.orders, [
        "type clear",
        "press clear",
        "type command /dr-next ABC-12",
        "press command /dr-next ABC-12",
      ]);
    }),
  );

  scenario("a full reset whose agent saves by a command of its own, and proves it", () =>
    withRig({ settings: { workflow: "stow" } }, async (rig) => {
      const ending = await rig.run(fullReset, 40_000);
      assert.equal(ending.outcome, "confirmed");
      assert.deepEqual(rig.window.orders, [
        "type command /stow",
        "press command /stow",
        "type receipt",
        "press receipt",
        ...wholeReset.slice(2),
      ]);
    }),
  );

  scenario("the way back to the conversation before a clear", () =>
    withRig({}, async (rig) => {
      const { agent, window } = rig;
      assert.equal((await rig.run(fullReset)).outcome, "confirmed");
      const { clears } = await ask(rig.host().peer, messages.ListClears, {});
      const conversationId = clears[0]?.conversationId ?? "";
      assert.equal(clears[0]?.inPlace, true);
      await new Promise((resolve) => setTimeout(resolve, 1100));
      await rig
        .host()
        .viewWhere("the new conversation", ({ agents }) => agents[0]?.conversationId === agent.conversationId());
      assert.deepEqual(await rig.click({ kind: "undo", conversationId }), { outcome: "started" });
      const ending = await rig.host().ended(40_000);
      assert.deepEqual([ending.outcome, ending.goal, ending.cleared], ["confirmed", "undo", false]);
      assert.deepEqual(window.orders.slice(6), [
        `type resume /resume ${agent.first}`,
        `press resume /resume ${agent.first}`,
      ]);
      assert.equal(ending.afterTokens, 152_000);
      await rig.host().viewWhere("the old conversation", ({ agents }) => agents[0]?.conversationId === agent.first);
    }),
  );

  scenario("one Escape to a working agent, none to an idle one, and never a second", () =>
    withRig({}, async (rig) => {
      const { agent, window, instanceId } = rig;
      const interrupt = () => ask(rig.host().peer, messages.Interrupt, { instanceId });
      await rig.ready();
      const idle = await interrupt();
      assert.equal(idle.outcome === "refused" && idle.reason, "the agent is not working");
      agent.hears("do something long");
      await rig.host().viewWhere("working", ({ agents }) => agents[0]?.turn.kind === "working");
      assert.deepEqual(await interrupt(), { outcome: "sent" });
      const second = await interrupt();
      assert.equal(second.outcome, "refused");
      assert.deepEqual(window.orders, ["escape"]);
      const gone = await ask(rig.host().peer, messages.Interrupt, { instanceId: "claude-1-1" });
      assert.equal(gone.outcome, "refused");
    }),
  );

  scenario("the rule that lets it save without being asked", () =>
    withRig({ agent: { permissionMode: "default" } }, async (rig) => {
      const { agent, instanceId } = rig;
      assert.equal((await rig.ready()).agents[0]?.saving.kind, "asks");
      const path = join(agent.cwd, ".claude/settings.local.json");
      assert.deepEqual(await ask(rig.host().peer, messages.AllowSaving, { instanceId }), { allowed: true, path });
      assert.deepEqual(JSON.parse(readFileSync(path, "utf8")), { permissions: { allow: ["Edit(.plimsoll/**)"] } });
      await rig.host().viewWhere("free", ({ agents }) => agents[0]?.saving.kind === "free");
    }),
  );

  scenario("the steps of what is open, as a report without a word of the conversation", () =>
    withRig({}, async (rig) => {
      const report = () => ask(rig.host().peer, messages.ReportReset, { instanceId: rig.instanceId });
      await rig.ready();
      assert.match((await report()).markdown, /Nothing is open/);
      assert.deepEqual(await ask(rig.host().peer, messages.LastSaved, { instanceId: rig.instanceId }), {});
      await rig.click({ kind: "reset", then: "wait", review: true, carry: [] });
      const { resetId } = resetOf(await rig.stepIs("reviewing")) ?? {};
      const { markdown } = await report();
      assert.match(markdown, new RegExp(`# Reset ${resetId}[^]*\\| approved \\| none \\| prepared \\|`));
      assert.match(markdown, /\| saving\/pressing \| saving\/proof \|/);
      assert.doesNotMatch(markdown, /go on|Standing orders/);
    }),
  );
});
