import { deepEqual, equal } from "node:assert/strict";
import { exactlyShownAt, lookAtBox } from "../../extension/screen/box.ts";
import { createMirror, type Mirror } from "../../extension/screen/mirror.ts";
import type { OurText } from "../../server/agents/composer.ts";
import { exampleLines, lineText } from "../../server/protocol/lines.ts";
import { createFakeClock } from "./screenClock.ts";
import { type Painted, paint } from "./screenPaint.ts";
import { createRig, echoMs } from "./typistRig.ts";

const widths = [30, 31, 32, 33, 35, 38, 40, 43, 47, 51, 56, 62, 70, 79, 80, 97, 100, 118, 119, 137, 160, 179, 200];

const brief = exampleLines.find(({ kind }) => kind === "brief");

for (const agent of ["claude", "codex"] as const) {
  const texts = exampleLines.map((line) => lineText(agent, line));
  const shows = async (mirror: Mirror, cols: number, painted: Painted, ours: OurText) => {
    mirror.write(paint(agent, painted, cols, 39));
    await mirror.flush();
    return exactlyShownAt(mirror, agent, ours) !== undefined;
  };

  it(`every line of ours is read exactly in a panel of any width (${agent})`, async function () {
    this.timeout(60_000);
    for (const cols of widths) {
      const mirror = createMirror(createFakeClock(), () => ({ cols, rows: 39 }));
      for (const text of texts) {
        const ours = { kind: "line", text } as const;
        const where = `${cols} ${text}`;
        equal(await shows(mirror, cols, { text }, ours), true, where);
        equal(await shows(mirror, cols, { text: text.slice(0, -1) }, ours), false, where);
        equal(await shows(mirror, cols, { text: `${text}x` }, ours), false, where);
        equal(await shows(mirror, cols, { text: `x${text}` }, ours), false, where);
        equal(await shows(mirror, cols, { text, cursor: text.length - 1 }, ours), false, where);
        equal(await shows(mirror, cols, { text, shellMode: true }, ours), false, where);
      }
      mirror.dispose();
    }
  });

  it(`no line of ours is taken for another (${agent})`, async () => {
    const mirror = createMirror(createFakeClock(), () => ({ cols: 70, rows: 39 }));
    for (const text of texts)
      for (const other of texts)
        equal(await shows(mirror, 70, { text }, { kind: "line", text: other }), text === other, `${text} ${other}`);
    mirror.dispose();
  });

  it(`a line that a low panel cuts off is not entered, and is taken back (${agent})`, async () => {
    const rig = await createRig(agent, brief);
    rig.world.size = { cols: 32, rows: 12 };
    rig.becomes({ text: "" });
    await rig.clock.pass(echoMs);
    const answer = await rig.clock.run(rig.typist.type(rig.order));
    deepEqual(answer, { outcome: "refused", reason: "not-shown", wrote: true, erased: true });
    equal(rig.agent.now.text, "");
    equal(rig.written.includes("\r"), false);
  });

  it(`a cut off end that is not our line's is left alone (${agent})`, async () => {
    const rig = await createRig(agent, brief);
    rig.world.size = { cols: 56, rows: 12 };
    rig.becomes({ text: "" });
    await rig.clock.pass(echoMs);
    rig.onWrite = () => {
      rig.agent.isDeaf = true;
      rig.becomes({ text: "something of the person's own that is long enough to be cut off ".repeat(4).trim() });
    };
    const answer = await rig.clock.run(rig.typist.type(rig.order));
    deepEqual(answer, { outcome: "refused", reason: "not-shown", wrote: true, erased: false });
    equal(rig.written.length, 1);
  });

  it(`characters of two cells leave nothing of what stood there before (${agent})`, async () => {
    const mirror = createMirror(createFakeClock(), () => ({ cols: 70, rows: 39 }));
    for (const text of ["😀 end", "漢字 end", "👍🏽 end", "👩‍👩‍👧 end", "🇩🇪 end", "❤️ end", "é Я end"]) {
      mirror.write(paint(agent, { text: "all of this stood there before" }));
      const first = agent === "claude" ? 37 : 36;
      // As the agents do it: the text, then the next word at the column where they count it to be.
      const cells = text.startsWith("漢") ? 4 : text.startsWith("é") ? 3 : 2;
      const [word = ""] = text.split(" end");
      mirror.write(`\u001b[${first};3H${word}\u001b[${first};${3 + cells}H end\u001b[K`);
      await mirror.flush();
      const look = lookAtBox(mirror, agent);
      const shown = look.kind === "read" && look.box.kind === "box" ? look.box.text : "";
      equal(shown.replace(/\s/gu, ""), text.replace(/\s/gu, ""), text);
    }
    mirror.dispose();
  });
}
