import { deepEqual, equal } from "node:assert/strict";
import fc from "fast-check";
import { lineText } from "../../server/protocol/lines.ts";
import { createRig, type Rig } from "./typistRig.ts";

/** Something that happens to the agent or the window, some time after our line was ordered. */
const event = fc.record({
  atMs: fc.nat(400),
  what: fc.constantFrom(
    "type",
    "space",
    "move-left",
    "delete",
    "dialog",
    "dialog-ends",
    "shell-mode",
    "repaint",
    "resize",
    "agent-ends",
    "pause",
    "disconnect",
    "reconnect",
  ),
});
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

function happen(rig: Rig, what: Event["what"]): void {
  const { now } = rig.agent;
  const cursor = now.cursor ?? now.text.length;
  const left = Math.max(0, cursor - 1);
  const put = (text: string) =>
    rig.becomes({
      ...now,
      text: now.text.slice(0, cursor) + text + now.text.slice(cursor),
      cursor: cursor + text.length,
    });
  const acts: Readonly<Record<Event["what"], () => void>> = {
    type: () => put("x"),
    space: () => put(" "),
    "move-left": () => rig.becomes({ ...now, cursor: left }),
    delete: () => rig.becomes({ ...now, text: now.text.slice(0, left) + now.text.slice(cursor), cursor: left }),
    dialog: () => rig.becomes({ ...now, dialog: true }),
    "dialog-ends": () => rig.becomes({ ...now, dialog: false }),
    "shell-mode": () => rig.becomes({ ...now, shellMode: true }),
    repaint: () => rig.becomes(now),
    resize: () => {
      rig.world.size = { cols: 62, rows: 30 };
      rig.becomes(now);
    },
    "agent-ends": () => {
      rig.world.birth = undefined;
    },
    pause: () => {
      rig.world.guard = { ...rig.world.guard, paused: true };
    },
    disconnect: () => {
      rig.world.connected = false;
    },
    reconnect: () => {
      rig.world.connected = true;
    },
  };
  acts[what]();
}

/**
 * Told from what the agent painted, not by the code under test. A space that the person typed and stepped back over is
 * behind our line and on no screen; to both agents a command with it is the same command.
 */
function isExactlyOurs(rig: Rig, text: string): boolean {
  const { delivered } = rig.agent;
  const isAtEnd = (delivered.cursor ?? delivered.text.length) === text.length;
  return delivered.text.trimEnd() === text && isAtEnd && delivered.dialog !== true && delivered.shellMode !== true;
}

for (const agent of ["claude", "codex"] as const) {
  it(`whatever happens, Enter goes to ${agent} only where its box shows exactly our line`, async function () {
    this.timeout(60_000);
    const line = fc.constantFrom("clear" as const, "compact" as const);
    const delays = fc.array(fc.nat(200), { minLength: 1, maxLength: 3 });
    let keys = 0;
    await fc.assert(
      fc.asyncProperty(line, fc.array(event, { maxLength: 4 }), delays, async (command, events, presses) => {
        const rig = await createRig(agent, command);
        const text = lineText(agent, command);
        const wrong: string[] = [];
        rig.onWrite = (data) => {
          if (!data.includes("\r")) return;
          keys += 1;
          const isAllowed = rig.world.birth !== undefined && !rig.world.guard.paused && rig.world.connected;
          if (data !== "\r" || !isAllowed || !isExactlyOurs(rig, text)) wrong.push(JSON.stringify(rig.agent.delivered));
        };
        for (const { atMs, what } of events) rig.clock.after(atMs, () => happen(rig, what));
        const answer = await rig.clock.run(rig.typist.type(rig.order));
        let sequence = answer.outcome === "shown" ? answer.sequence : -1;
        let pressed = 0;
        for (const [index, delayMs] of presses.entries()) {
          await rig.clock.pass(delayMs);
          const reply = await rig.clock.run(
            rig.typist.press({ ...rig.order, sequence, token: `k${index}`, validMs: 250 }),
          );
          if (reply.outcome === "pressed") pressed += 1;
          else sequence = reply.stillShown ?? -1;
        }
        await rig.clock.run(rig.typist.erase(rig.order));
        deepEqual(wrong, []);
        equal(rig.written.filter((data) => data === "\r").length, pressed);
        equal(pressed <= 1, true, "one line is entered once");
      }),
      { numRuns: 60 },
    );
    equal(keys > 10, true, "and it does go there");
  });
}
