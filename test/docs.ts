// `npm run docs` makes the tables of the README anew from the code. Whoever changes the code sees a unit test fail first.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import * as z from "zod";
import { shownCommands } from "../extension/commandIds.ts";
import type { Facts } from "../server/core/gates/gate.ts";
import { diskGates, gates, lastLookOf } from "../server/core/gates/gates.ts";
import { defaultLines } from "../server/core/pressure.ts";
import { AgentId } from "../server/protocol/agents.ts";
import { exampleLines, type FixedLine, lineText } from "../server/protocol/lines.ts";
import { conversation, goodFacts, screen } from "./unit/gates/goodFacts.ts";

const root = path.resolve(import.meta.dirname, "..");

const Manifest = z.object({
  contributes: z.object({
    commands: z.array(z.object({ command: z.string(), title: z.string() })),
    configuration: z.object({
      properties: z.record(
        z.string(),
        z.object({
          default: z.unknown(),
          scope: z.string(),
          order: z.number(),
          markdownDescription: z.string(),
          enum: z.array(z.string()).optional(),
          markdownEnumDescriptions: z.array(z.string()).optional(),
        }),
      ),
    }),
  }),
});
const { contributes } = Manifest.parse(JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")));

/** What each command does, in the README's words. A command without a row does not compile. */
const commandWords: Readonly<Record<keyof typeof shownCommands, string>> = {
  showAgents: "The menu of the status bar: every agent, who waits for you, and what can be done.",
  reset: "Has the agent save, checks that, clears, briefs the new conversation, which says where it stands and waits.",
  resetContinue: "The same; the new conversation goes on by itself.",
  resetStop: "The same without the brief: nothing is typed after the clear.",
  resetThen: "The same; the new conversation begins with what you write in a document that lives in memory only.",
  review: "The same; what it saved is opened for you first, and the clear waits for *Clear Now*.",
  compact: "Types the line that makes the agent summarise its conversation.",
  save: "Has the agent save and checks that; nothing is cleared.",
  openLastSaved: "Opens the newest saved state of an agent.",
  undo: "Every clear in the log; the one you choose is undone in the same agent, or in a new terminal if that has ended.",
  interrupt: "One Escape, at once.",
  allowSaving: "Shows and adds the one rule that lets Claude Code write its saved state without asking you.",
  check: "Asks every question of the table below and types nothing: what a click would meet right now.",
  bind: "You say which conversation a terminal shows, where that cannot be known for certain.",
  reconnect: "Where the prompt box cannot be seen: ends the agent and resumes its conversation in the same terminal.",
  pause: "Until you resume, nothing is typed in this window and no click counts.",
  resume: "Ends the pause.",
  changeLine: "Offers usual lines, and *percentage only*.",
  doctor: "What Plimsoll sees of this machine and what it cannot read, as text to look at or to report.",
  showLog: "Each step and each refusal, one line each; never anything of a conversation.",
  restartWorker: "Starts the background process anew. It also does that by itself.",
};

type Table = { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };

const code = (text: string): string => `\`${text}\``;
const thousands = (tokens: number): string => `${tokens / 1000}k`;
const products = { claude: "Claude Code", codex: "Codex" };
const purposes: Readonly<Record<FixedLine["kind"], string>> = {
  save: "*Save*",
  receipt: "*Save* by a command of the workflow's own: the file that proves it",
  compact: "*Compact*",
  clear: "*Clear*",
  brief: "*Brief* of the new conversation",
  command: "A command of the workflow's own",
  resume: "*Undo*",
  exit: "*Reconnect…* (pasted; you press Enter)",
};

/** By the name of the marker in the README. */
const tables: Readonly<Record<string, () => Table>> = {
  typed: () => ({
    head: ["Agent", "For", "Typed, word for word"],
    rows: [
      ...AgentId.options.flatMap((agent) => {
        const rows = exampleLines.map((line) => ({ kind: line.kind, text: lineText(agent, line) }));
        // Codex has one text where Claude Code has two.
        return rows
          .filter(({ text }, index) => rows.findIndex((other) => other.text === text) === index)
          .map(({ kind, text }) => [products[agent], purposes[kind], code(text)]);
      }),
      ["both", "*Save, Clear, Then…*, and prompts of yours that came during the clear", "your own words, as they are"],
    ],
  }),

  lines: () => ({
    head: ["Line", "The status bar changes colour", "Plimsoll asks"],
    rows: [
      ["tokens", `from ${thousands(defaultLines.softTokens)}`, `from ${thousands(defaultLines.hardTokens)}`],
      ["share of the window", `from ${defaultLines.softPercent}%`, `from ${defaultLines.hardPercent}%`],
      ["the agent compacts by itself", "", "a tenth of the window before that point, where it is known"],
    ],
  }),

  commands: () => ({
    head: ["Command", "What it does"],
    rows: contributes.commands
      .filter(({ command }) => Object.hasOwn(shownCommands, command.replace("plimsoll.", "")))
      .map(({ command, title }) => [`*Plimsoll: ${title}*`, wordsOf(command)]),
  }),

  settings: () => ({
    head: ["Setting", "Default", "What it does"],
    rows: Object.entries(contributes.configuration.properties)
      .toSorted(([, a], [, b]) => a.order - b.order)
      .map(([key, setting]) => [
        code(key),
        code(JSON.stringify(setting.default)),
        [
          setting.markdownDescription.replaceAll(/`#([\w.]+)#`/g, "`$1`"),
          ...(setting.enum ?? []).map((value, index) => `${code(value)}: ${setting.markdownEnumDescriptions?.[index]}`),
        ].join(" "),
      ]),
  }),

  gates: () => {
    const mark = (list: typeof gates, id: string) => (list.some((gate) => gate.id === id) ? "yes" : "");
    return {
      head: [
        "",
        "Asked before anything is typed",
        "If not",
        "Asked again right before Enter",
        "Asked where you press Enter",
      ],
      rows: gates.map(({ id, question }, index) => [
        String(index + 1),
        question,
        answers(id),
        mark(lastLookOf(gates), id),
        mark(diskGates(gates), id),
      ]),
    };
  },
};

/** Moments that are bad for one reason each. Those that time alone may end come first; all others refuse. */
const badMoments: readonly Facts[] = [
  { ...goodFacts, turn: { kind: "working" } },
  { ...goodFacts, subagents: [{ name: "Explore" }] },
  { ...goodFacts, turn: { kind: "unknown" } },
  { ...goodFacts, conversation: { ...conversation, queued: 1 } },
  { ...goodFacts, screen: { ...screen, quietForMs: 0 } },
  { ...goodFacts, screen: { ...screen, connected: false } },
  { ...goodFacts, screen: { ...screen, box: "draft" } },
];

/** What a gate says where it is the first that does not say yes. */
function answers(id: string): string {
  const kinds = badMoments.flatMap((facts) => {
    const first = gates
      .map((gate) => ({ id: gate.id, kind: gate.check(facts).kind }))
      .find(({ kind }) => kind !== "yes" && kind !== "after-save");
    return first?.id === id ? [first.kind] : [];
  });
  const waitsForSave = gates.find((gate) => gate.id === id)?.check(goodFacts).kind === "after-save";
  if (waitsForSave) return "asked after the save; it refuses";
  if (!kinds.includes("not-yet")) return "it refuses";
  return kinds.includes("no") ? "it waits, or refuses" : "it waits";
}

function wordsOf(command: string): string {
  const found = Object.entries(commandWords).find(([name]) => command === `plimsoll.${name}`);
  if (found === undefined) throw new Error(`${command} has no words in test/docs.ts`);
  return found[1];
}

/** The README with every table made anew. A marker without a table, or a table without a marker, is an error. */
export function withTables(readme: string): string {
  const missing = new Set(Object.keys(tables));
  const made = readme.replaceAll(/(<!-- table: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g, (_all, start, name, end) => {
    const table = tables[String(name)];
    if (table === undefined) throw new Error(`the README asks for a table ${name}, which test/docs.ts does not make`);
    missing.delete(String(name));
    return `${start}\n${markdown(table())}\n${end}`;
  });
  if (missing.size > 0) throw new Error(`the README has no place for: ${[...missing].join(", ")}`);
  return made;
}

function markdown({ head, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("");
}

export const readmeFile = path.join(root, "README.md");

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const before = readFileSync(readmeFile, "utf8");
  const after = withTables(before);
  writeFileSync(readmeFile, after);
  console.log(before === after ? "README.md is up to date" : "README.md was changed");
}
