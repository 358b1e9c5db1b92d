import { deepEqual, equal, match, ok } from "node:assert/strict";
import { parseLine } from "../../server/agents/claude/parse.ts";
import type { Conversation } from "../../server/core/conversation.ts";
import { foldFacts } from "../../server/core/fold.ts";
import { createConversation } from "../demo/agent/conversation.ts";
import { pastIn } from "../demo/agent/past.ts";
import type { Entry } from "../demo/agent/records.ts";
import { createFakeClock } from "./screenClock.ts";

type Report = { readonly id: string; readonly status: "idle" | "busy" };

const cwd = "/home/dev/demo";

function createDemo(resumed?: { readonly id: string; readonly tokens: number }) {
  const clock = createFakeClock();
  const files = new Map<string, Entry[]>();
  const disk = new Map<string, string>();
  const reports: Report[] = [];
  let shown = 0;
  let hasQuit = false;
  const store = {
    report: (id: string, status: "idle" | "busy") => void reports.push({ id, status }),
    append: (id: string, entries: readonly Entry[]) => void files.set(id, [...(files.get(id) ?? []), ...entries]),
    typed: () => undefined,
    past: (id: string) => {
      if (id === resumed?.id) return { tokens: resumed.tokens, messages: [], lastUuid: undefined };
      return files.has(id) ? pastIn((files.get(id) ?? []).map((entry) => JSON.stringify(entry)).join("\n")) : undefined;
    },
    close: () => undefined,
  };
  const conversation = createConversation(
    {
      store,
      files: { read: (file) => disk.get(file), write: (file, text) => void disk.set(file, text) },
      clock: {
        now: clock.wall,
        after: (ms, run) => {
          const timer = clock.after(ms, run);
          return () => void timer.cancel();
        },
      },
      cwd,
      changed: () => {
        shown += 1;
      },
      quit: () => {
        hasQuit = true;
      },
    },
    resumed?.id,
  );

  function read(id: string): { readonly conversation: Conversation; readonly tokens: number | undefined } | undefined {
    const entries = files.get(id);
    if (entries === undefined) return undefined;
    const facts = entries.flatMap((entry) => {
      const parsed = parseLine({ whole: true, bytes: Buffer.from(JSON.stringify(entry)) });
      if (parsed.kind !== "record") throw new Error(`${parsed.kind}: ${JSON.stringify(entry)}`);
      return parsed.facts;
    });
    const conversation = foldFacts("claude", facts, { humanSearchComplete: true });
    const { reading } = conversation;
    return { conversation, tokens: reading.kind === "measured" ? reading.tokens : undefined };
  }

  return {
    ...conversation,
    pass: clock.pass,
    id: () => reports.at(-1)?.id ?? "",
    status: () => reports.at(-1)?.status,
    disk,
    entries: (id: string) => files.get(id) ?? [],
    ids: () => [...files.keys()],
    shown: () => shown,
    hasQuit: () => hasQuit,
    read: (id?: string) => read(id ?? reports.at(-1)?.id ?? ""),
  };
}

describe("the demo agent's conversation, as Plimsoll reads it", () => {
  it("grows with each turn, and is busy meanwhile", async () => {
    const demo = createDemo();
    for (const tokens of [40_000, 64_000]) {
      demo.submit("hello");
      equal(demo.status(), "busy");
      equal(demo.read()?.conversation.turn.kind, "working");
      await demo.pass(1000);
      equal(demo.status(), "idle");
      equal(demo.read()?.conversation.turn.kind, "idle");
      equal(demo.read()?.tokens, tokens);
    }
    const { reading, window } = demo.read()?.conversation ?? {};
    equal(reading?.kind === "measured" && reading.suspect, false);
    equal(window?.size, 1_000_000);
  });

  it("is a new one after a clear, made by the clear", async () => {
    const demo = createDemo();
    demo.submit("hello");
    await demo.pass(1000);
    const old = demo.id();
    demo.submit("/clear");
    await demo.pass(1000);
    equal(demo.ids().length, 2);
    equal(demo.id() === old, false);
    const fresh = demo.read()?.conversation;
    equal(fresh?.bornOfClear, true);
    equal(fresh?.lastCommand?.name, "clear");
    equal(fresh?.reading.kind, "none-yet");
    deepEqual(
      demo.messages().map(({ text }) => text),
      ["/clear"],
    );
  });

  it("has one boundary after a compaction, and is smaller", async () => {
    const demo = createDemo();
    for (let prompt = 0; prompt < 3; prompt += 1) {
      demo.submit("hello");
      await demo.pass(1000);
    }
    demo.submit("/compact Keep the current task");
    equal(demo.status(), "busy");
    await demo.pass(2000);
    const { conversation, tokens } = demo.read() ?? {};
    equal(conversation?.compactions, 1);
    equal(conversation?.lastCompaction?.trigger, "manual");
    equal(conversation?.lastCommand?.name, "compact");
    equal(tokens, 44_000);
  });

  it("is too short to be compacted before the first answer", () => {
    const demo = createDemo();
    demo.submit("/compact");
    equal(demo.read()?.conversation.lastCommand?.failed, "too-little");
  });

  it("keeps what is sent during a turn in its queue until the turn ends", async () => {
    const demo = createDemo();
    demo.submit("hello");
    demo.submit("and this");
    equal(demo.read()?.conversation.queued, 1);
    await demo.pass(1000);
    equal(demo.read()?.conversation.queued, 0);
    equal(demo.status(), "busy");
    await demo.pass(1000);
    equal(demo.read()?.tokens, 64_000);
  });

  it("ends a turn when it is interrupted", () => {
    const demo = createDemo();
    demo.submit("hello DELAY=60000");
    demo.interrupt();
    equal(demo.status(), "idle");
    equal(demo.read()?.conversation.turn.kind, "idle");
    equal(demo.read()?.tokens, undefined);
  });

  it("goes back to the one that was cleared, shows what was said in it, and goes on with it", async () => {
    const demo = createDemo();
    demo.submit("hello");
    await demo.pass(1000);
    const old = demo.id();
    demo.submit("/clear");
    await demo.pass(1000);
    const last = demo.entries(old).findLast((entry) => "uuid" in entry)?.["uuid"];
    demo.submit(`/resume ${old}`);
    await demo.pass(1000);
    equal(demo.id(), old);
    deepEqual(
      demo.messages().map(({ kind }) => kind),
      ["prompt", "answer", "note"],
    );
    demo.submit("hello");
    equal(demo.entries(old).findLast((entry) => "uuid" in entry)?.["parentUuid"], last);
    await demo.pass(1000);
    equal(demo.read(old)?.tokens, 64_000);
  });

  it("goes on where it was left by an earlier process", async () => {
    const id = "9b7a0c1e-1111-4222-8333-444455556666";
    const demo = createDemo({ id, tokens: 100_000 });
    equal(demo.id(), id);
    demo.submit("hello");
    await demo.pass(1000);
    equal(demo.read()?.tokens, 160_000);
  });

  it("ends on /exit, and knows no other command", () => {
    const demo = createDemo();
    demo.submit("/model");
    equal(demo.hasQuit(), false);
    demo.submit("/exit");
    equal(demo.hasQuit(), true);
  });
});

describe("the demo agent, asked to save", () => {
  const id = "0123456789ab";
  const folder = `${cwd}/.plimsoll/${id}`;
  const code = "fedcba987654";
  const line = (kind: "save" | "proof" | "brief") => `[plimsoll ${kind} ${id}] Read the file and do what it says now.`;

  async function createSaved() {
    const demo = createDemo();
    demo.disk.set(`${folder}/request.md`, `# Save\n\nWrite ${folder}/state.md\n\ncheck code: ${code}\n`);
    demo.disk.set(`${folder}/brief.md`, `# Brief\n\nRead ${folder}/state.md\n`);
    demo.submit("the codeword is WALRUS");
    await demo.pass(1000);
    return demo;
  }
  const blocks = (entries: readonly Entry[]) =>
    [...JSON.stringify(entries).matchAll(/"type":"(tool_use|tool_result)"/g)].map(([, type]) => type).join(" ");

  for (const kind of ["save", "proof"] as const)
    it(`writes what it knows where the ${kind} says, in two to three seconds, and stays as big`, async () => {
      const demo = await createSaved();
      const before = demo.entries(demo.id()).length;
      demo.submit(line(kind));
      await demo.pass(2000);
      equal(demo.status(), "busy");
      equal(demo.read()?.conversation.turn.kind, "working");
      await demo.pass(1000);
      equal(demo.status(), "idle");
      equal(demo.read()?.conversation.turn.kind, "idle");
      const state = demo.disk.get(`${folder}/state.md`) ?? "";
      equal(state.split("\n")[0], `<!-- plimsoll check code: ${code} -->`);
      ok(state.length >= 1500);
      match(state, /WALRUS/);
      equal(blocks(demo.entries(demo.id()).slice(before)), "tool_use tool_result tool_use tool_result");
      equal(demo.read()?.tokens, 40_300);
    });

  it("reads its brief and the state it names after a clear, and says where it stands in five lines", async () => {
    const demo = await createSaved();
    demo.submit(line("save"));
    await demo.pass(3000);
    demo.submit("/clear");
    await demo.pass(1000);
    demo.submit(line("brief"));
    await demo.pass(3000);
    match(JSON.stringify(demo.entries(demo.id())), /WALRUS/);
    equal(demo.read()?.tokens, 21_000);
    equal(demo.messages().at(-2)?.text.split("\n").length, 5);
  });

  it("writes nothing after it was interrupted", async () => {
    const demo = await createSaved();
    demo.submit(line("save"));
    await demo.pass(1000);
    demo.interrupt();
    equal(demo.status(), "idle");
    equal(demo.read()?.conversation.turn.kind, "idle");
    match(JSON.stringify(demo.entries(demo.id()).at(-1)), /\[Request interrupted by user\]/);
    await demo.pass(3000);
    equal(demo.disk.has(`${folder}/state.md`), false);
  });

  it("touches no file outside the folder for saves", async () => {
    const demo = await createSaved();
    demo.disk.set(`${folder}/request.md`, `Write /etc/.plimsoll/${id}/state.md\n\ncheck code: ${code}\n`);
    demo.submit(line("save"));
    await demo.pass(3000);
    equal(demo.status(), "idle");
    equal(demo.disk.size, 2);
  });
});
