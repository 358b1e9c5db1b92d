import { deepEqual, equal } from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import type { Readable } from "node:stream";
import fc from "fast-check";
import { lookAtBox } from "../../extension/screen/box.ts";
import { createMirror, type Mirror } from "../../extension/screen/mirror.ts";
import { createCommandStream, keptBytes } from "../../extension/screen/stream.ts";
import { threadIdIn } from "../../extension/screen/titleId.ts";
import { readTtySize, type Size } from "../../extension/screen/ttySize.ts";
import type { AgentId } from "../../server/protocol/agents.ts";
import { createFakeClock } from "./screenClock.ts";
import { readStream } from "./screenFixture.ts";
import { paint } from "./screenPaint.ts";

const recorded = { cols: 70, rows: 39 };
const streams = { claude: "session_70x39", codex: "busy_70x39" } as const satisfies Record<AgentId, string>;

function mirrorOf(size: () => Size | undefined = () => recorded): Mirror {
  return createMirror(createFakeClock(), size);
}

function shown(mirror: Mirror, agent: AgentId): string {
  const look = lookAtBox(mirror, agent);
  if (look.kind !== "read") return look.kind;
  if (look.box.kind === "none") return "none";
  return `${look.box.shellMode ? "! " : ""}${look.box.empty ? "empty" : look.box.text}`;
}

/** Every different thing that the box shows, chunk by chunk. */
async function history(agent: AgentId): Promise<readonly string[]> {
  const mirror = mirrorOf();
  const seen: string[] = [];
  for (const chunk of readStream(agent, streams[agent]).chunks) {
    mirror.write(chunk);
    await mirror.flush();
    const now = shown(mirror, agent).replace(/^(word\d\d){30}$/, "30 words");
    if (now !== seen.at(-1)) seen.push(now);
  }
  return seen;
}

function everything(mirror: Mirror): unknown {
  return [mirror.look(), mirror.title(), mirror.reported()];
}

describe("the mirror", () => {
  it("follows a recorded session of Claude through all that its prompt box held", async () => {
    deepEqual(await history("claude"), [
      ...["none", "empty", "hellodraf", "hellodraft", "empty", "30 words", "empty", "/cl", "empty", "/clear", "empty"],
      ...[
        "! empty",
        "! ls",
        "! empty",
        "empty",
        "none",
        "empty",
        "/model",
        "none",
        "empty",
        "helloDELAY=14000",
        "empty",
      ],
      ...["queu", "queueddr", "queueddraft", "empty", "none", "empty", "none", "empty", "/exit", "none"],
    ]);
  });

  it("follows a recorded turn of Codex through all that its prompt box held", async () => {
    deepEqual(await history("codex"), [
      "none",
      "empty",
      "helloDELAY=8000",
      "empty",
      "/clear",
      "empty",
      "/exit",
      "none",
    ]);
  });

  for (const agent of ["claude", "codex"] as const) {
    it(`ends with the same screen however the recorded output of ${agent} is cut`, async () => {
      const { text, chunks } = readStream(agent, streams[agent]);
      const whole = mirrorOf();
      for (const chunk of chunks.slice(0, -2)) whole.write(chunk);
      await whole.flush();
      const length = chunks.slice(0, -2).join("").length;
      const cuts = fc.array(fc.nat(length), { maxLength: 60 });
      await fc.assert(
        fc.asyncProperty(cuts, async (at) => {
          const mirror = mirrorOf();
          const edges = [0, ...at.sort((a, b) => a - b), length];
          for (const [index, edge] of edges.entries()) mirror.write(text.slice(edges[index - 1] ?? 0, edge));
          await mirror.flush();
          deepEqual(everything(mirror), everything(whole));
        }),
        { numRuns: 15 },
      );
    });
  }

  it("hears what Codex says of itself, and nothing in Claude's question", async () => {
    const mirror = mirrorOf();
    mirror.write("\u001b]7501;?\u0007");
    await mirror.flush();
    equal(mirror.reported(), undefined);
    mirror.write("\u001b]7501;state=blocked:app=codex:kind=permission\u0007\u001b]0;a title\u0007");
    await mirror.flush();
    equal(mirror.reported(), "blocked");
    equal(mirror.title(), "a title");
  });

  it("tells a hidden cursor from a shown one, also after a reset", async () => {
    const mirror = mirrorOf();
    const hidden = async (output: string) => {
      mirror.write(output);
      await mirror.flush();
      const view = mirror.look();
      return view.kind === "screen" && view.grid.cursorHidden;
    };
    equal(await hidden("\u001b[?25l"), true);
    equal(await hidden("\u001b[?1049;25h"), false);
    equal(await hidden("\u001b[?25l"), true);
    equal(await hidden("\u001bc"), false);
  });

  it("numbers its screens by chunks and own writes, and knows whether one came since", async () => {
    const mirror = mirrorOf();
    equal(mirror.sequence(), 0);
    mirror.write("a");
    equal(mirror.sequence(), 1);
    equal(mirror.hasUnparsed(), true);
    equal(mirror.freshSinceOwnWrite(), true);
    await mirror.flush();
    equal(mirror.hasUnparsed(), false);
    mirror.noteOwnWrite();
    equal(mirror.sequence(), 2);
    equal(mirror.freshSinceOwnWrite(), false);
  });

  it("shows nothing while a chunk is not parsed yet", async () => {
    const mirror = mirrorOf();
    mirror.write(paint("claude", { text: "" }));
    equal(shown(mirror, "claude"), "unsettled");
    await mirror.flush();
    equal(shown(mirror, "claude"), "empty");
  });

  it("believes nothing after a resize until the agent paints again", async () => {
    let size: Size | undefined = recorded;
    const mirror = mirrorOf(() => size);
    mirror.write(paint("claude", { text: "" }));
    await mirror.flush();
    equal(shown(mirror, "claude"), "empty");
    size = { cols: 60, rows: 20 };
    equal(shown(mirror, "claude"), "unsettled");
    mirror.write(paint("claude", { text: "x" }, 60, 20));
    await mirror.flush();
    equal(shown(mirror, "claude"), "x");
    size = undefined;
    equal(shown(mirror, "claude"), "size-unknown");
  });

  it("gives each chunk the size it was painted for, though they are parsed later", async () => {
    let size: Size = recorded;
    const mirror = mirrorOf(() => size);
    mirror.write(paint("codex", { text: "" }));
    size = { cols: 60, rows: 20 };
    mirror.write(paint("codex", { text: "y" }, 60, 20));
    await mirror.flush();
    equal(shown(mirror, "codex"), "y");
  });
});

describe("the output of a command", () => {
  it("is kept until an agent is known to run, then replayed and followed", async () => {
    const stream = createCommandStream(createFakeClock(), () => recorded);
    const { chunks } = readStream("claude", streams.claude);
    for (const chunk of chunks.slice(0, 24)) stream.feed(chunk);
    const state = stream.mirror();
    if (state.kind !== "mirrored") throw new Error(state.kind);
    await state.mirror.flush();
    equal(shown(state.mirror, "claude"), "empty");
    stream.feed(chunks[24] ?? "");
    await state.mirror.flush();
    equal(shown(state.mirror, "claude"), "/clear");
  });

  it("can't be followed any more when too much came before that", () => {
    const stream = createCommandStream(createFakeClock(), () => recorded);
    stream.feed("x".repeat(keptBytes));
    equal(stream.state().kind, "keeping");
    stream.feed("x");
    equal(stream.state().kind, "overflow");
    equal(stream.mirror().kind, "overflow");
  });

  it("ends with the command", () => {
    const stream = createCommandStream(createFakeClock(), () => recorded);
    stream.mirror();
    stream.end();
    stream.feed("late");
    equal(stream.mirror().kind, "ended");
  });
});

describe("a thread id in a title", () => {
  const cases: readonly [string, string | undefined][] = [
    ["01a22e88-b46c-75f3-a8ee-22dc6... | Ready | Context 0% used", "01a22e88-b46c-75f3-a8ee-22dc6"],
    ["01a22e88-b46c-75f3-a8ee-22dc6abcdef0 | Working", "01a22e88-b46c-75f3-a8ee-22dc6abcdef0"],
    ["01a22e88-b46c", "01a22e88-b46c"],
    ["01a22e88-b46", undefined],
    ["Ready | Context 0% used", undefined],
    ["proj", undefined],
    ["01a22e88-b46c-75f3-a8ee-22dc6abcdef01234 | x", undefined],
    ["01a22e88-b46czzz | x", undefined],
  ];
  for (const [title, id] of cases) {
    it(`is ${id} in "${title}"`, () => equal(threadIdIn(title), id));
  }
});

describe("the size of a terminal", () => {
  it("is unknown where there is no such process", () => {
    equal(readTtySize(2 ** 22 + 1), undefined);
  });

  it("is the one it has now, takes no input and leaves nothing open", async function () {
    if (process.platform !== "linux" || !existsSync(script)) this.skip();
    const command = "stty cols 91 rows 17; echo pid $$; read a; stty cols 40 rows 9; echo got $a; read b";
    const child = spawn(script, ["-qec", command, "/dev/null"], { env: { ...process.env, SHELL: "/bin/sh" } });
    try {
      const [, pid] = await said(child.stdout, /pid (\d+)/);
      const openBefore = openDescriptors();
      child.stdin.write("ty");
      deepEqual(readTtySize(Number(pid)), { cols: 91, rows: 17 });
      child.stdin.write("ped\n");
      await said(child.stdout, /got typed/);
      for (let look = 0; look < 5; look += 1) deepEqual(readTtySize(Number(pid)), { cols: 40, rows: 9 });
      equal(openDescriptors(), openBefore);
    } finally {
      child.stdin.end("\n");
      child.kill();
    }
  });
});

const script = "/usr/bin/script";

const openDescriptors = () => readdirSync("/proc/self/fd").length;

function said(output: Readable, what: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve) => {
    let text = "";
    const hear = (data: Buffer) => {
      text += data.toString();
      const found = what.exec(text);
      if (found === null) return;
      output.off("data", hear);
      resolve(found);
    };
    output.on("data", hear);
  });
}
