import { deepEqual, equal } from "node:assert/strict";
import { parseLine } from "../../server/agents/claude/parse.ts";
import type { Conversation } from "../../server/core/conversation.ts";
import { foldFacts } from "../../server/core/fold.ts";
import { createConversation } from "../demo/agent/conversation.ts";
import type { Entry } from "../demo/agent/records.ts";
import { createFakeClock } from "./screenClock.ts";

type Report = { readonly id: string; readonly status: "idle" | "busy" };

function createDemo(resumed?: { readonly id: string; readonly tokens: number }) {
  const clock = createFakeClock();
  const files = new Map<string, Entry[]>();
  const reports: Report[] = [];
  let shown = 0;
  let hasQuit = false;
  const store = {
    report: (id: string, status: "idle" | "busy") => void reports.push({ id, status }),
    append: (id: string, entries: readonly Entry[]) => void files.set(id, [...(files.get(id) ?? []), ...entries]),
    typed: () => undefined,
    tokensOf: (id: string) => (id === resumed?.id ? resumed.tokens : read(id)?.tokens),
    close: () => undefined,
  };
  const conversation = createConversation(
    {
      store,
      clock: {
        now: clock.wall,
        after: (ms, run) => {
          const timer = clock.after(ms, run);
          return () => void timer.cancel();
        },
      },
      cwd: "/home/dev/demo",
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

  it("goes back to the one that was cleared", async () => {
    const demo = createDemo();
    demo.submit("hello");
    await demo.pass(1000);
    const old = demo.id();
    demo.submit("/clear");
    await demo.pass(1000);
    demo.submit(`/resume ${old}`);
    await demo.pass(1000);
    equal(demo.id(), old);
    demo.submit("hello");
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
