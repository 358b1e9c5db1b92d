// What the rules of the architecture refuse, and what they let pass: small files, by the place they stand in.

/** One file that breaks one rule. `says`: what the tool's message must hold. */
export type Seed = { readonly why: string; readonly file: string; readonly code: string; readonly says: RegExp };

const pure = /server\/core is pure/;
const leaf = /server\/protocol is a leaf/;
const adapter = /an adapter translates/;
const noVscode = /the worker never sees vscode/;
const narrow = /sees only server\/protocol/;
const mirror = /the screen mirror has no vscode/;
const clock = /pure: time and chance/;
const typist = /only extension\/typist.ts types/;
const shellCommand = /only extension\/reconnect.ts/;
const settings = /only extension\/settings.ts reads/;
const proposed = /a proposed API/;
const global = /Do not use the global variable/;

/** A seed for each of several ways to import. */
const imports = (folder: string, says: RegExp, ...specifiers: readonly string[]): readonly Seed[] =>
  specifiers.map((specifier) => ({
    why: `${folder} imports ${specifier}`,
    file: `${folder}/imports ${specifier.replaceAll(/[^a-z]+/g, "-")}.ts`,
    code: `import "${specifier}";\n`,
    says,
  }));

let number = 0;
const seed = (why: string, folder: string, says: RegExp, code: string): Seed => {
  number += 1;
  return { why, file: `${folder}/seed${number}.ts`, code: `${code}\n`, says };
};

export const lintSeeds: readonly Seed[] = [
  ...imports("server/core", pure, "node:fs", "fs", "vscode", "vscode-languageserver/node", "@xterm/headless"),
  ...imports("server/core", pure, "../agents/registry.ts", "../shell/tail.ts", "../main.ts", "../cli.ts"),
  ...imports("server/core", pure, "../cli/measure.ts", "../../extension/app.ts", "../../test/support/until.ts"),
  ...imports("server/core/gates", pure, "../../agents/claude/parse.ts", "../../shell/tail.ts", "node:fs/promises"),
  seed("core loads vscode later", "server/core", pure, 'export const later = () => import("vscode");'),
  seed("core names a type of vscode", "server/core", pure, 'export type { Terminal } from "vscode";'),
  seed("core asks the time", "server/core", clock, "export const at = () => Date.now();"),
  seed("core hands the clock on", "server/core", clock, "export const clock = { now: Date.now };"),
  seed("core takes the clock apart", "server/core", clock, "export const { now } = Date;"),
  seed("core makes a date of now", "server/core", clock, "export const today = () => new Date();"),
  seed("core rolls dice", "server/core/reset", clock, "export const chance = () => Math.random();"),
  seed("core goes around by globalThis", "server/core", clock, "export const everything = globalThis;"),
  ...imports("server/protocol", leaf, "node:fs", "vscode", "vscode-jsonrpc", "../core/fold.ts", "../main.ts"),
  ...imports("server/protocol", leaf, "../agents/adapter.ts", "../shell/tail.ts", "../../extension/app.ts"),
  ...imports("server/agents", adapter, "node:fs", "fs", "vscode", "../shell/tail.ts", "../../extension/app.ts"),
  ...imports("server/agents/claude", adapter, "../codex/parse.ts", "../registry.ts", "node:fs", "vscode"),
  ...imports("server/agents/claude", adapter, "../../shell/tail.ts", "../../main.ts", "../../../extension/app.ts"),
  ...imports("server/agents/codex", adapter, "../claude/parse.ts", "../registry.ts", "node:fs", "vscode"),
  ...imports("server/agents/codex", adapter, "../../shell/tail.ts", "../../main.ts", "../../../extension/app.ts"),
  ...["server/agents", "server/agents/claude", "server/agents/codex"].flatMap((folder) => [
    seed(`${folder} asks the time`, folder, clock, "export const at = () => Date.now();"),
    seed(`${folder} reads the environment`, folder, global, 'export const home = process.env["HOME"];'),
    seed(`${folder} waits`, folder, global, "export const wait = () => setTimeout(() => undefined, 1);"),
  ]),
  ...imports("server/shell", noVscode, "vscode", "vscode-languageclient/node", "../../extension/app.ts"),
  ...imports("server/cli", noVscode, "vscode", "vscode-languageclient/node", "../../extension/app.ts"),
  ...imports("extension", narrow, "../server/core/fold.ts", "../server/shell/tail.ts", "../server/main.ts"),
  ...imports("extension", narrow, "../server/agents/registry.ts", "../server/agents/claude/parse.ts"),
  ...imports("extension/words", narrow, "../../server/core/gates/gates.ts", "../../server/agents/codex/adapter.ts"),
  ...imports("extension/screen", mirror, "vscode", "vscode-languageclient/node", "../../server/shell/tail.ts"),
  ...imports("extension/screen", mirror, "../../server/core/fold.ts", "../../server/agents/claude/parse.ts"),
  ...["extension", "extension/typing", "extension/screen", "extension/words"].flatMap((folder) => [
    seed(`${folder} types`, folder, typist, 'export const type = (t: T) => t.sendText("x");\ntype T = never;'),
    seed(
      `${folder} hands typing on`,
      folder,
      typist,
      "export const type = (t: T) => ({ go: t.sendText });\ntype T = never;",
    ),
    seed(`${folder} may type`, folder, typist, 'export const type = (t: T) => t?.sendText?.("x");\ntype T = never;'),
    seed(
      `${folder} reads settings`,
      folder,
      settings,
      'export const s = (w: W) => w.getConfiguration("x");\ntype W = never;',
    ),
    seed(
      `${folder} uses a proposed event`,
      folder,
      proposed,
      "export const e = (w: W) => w.onDidWriteTerminalData;\ntype W = never;",
    ),
    seed(
      `${folder} uses a proposed size`,
      folder,
      proposed,
      "export const d = (t: T) => t.dimensions;\ntype T = never;",
    ),
  ]),
  seed(
    "typing is taken apart",
    "extension",
    typist,
    "declare const t: { sendText(): void };\nexport const { sendText } = t;",
  ),
  seed("a command types", "extension", typist, 'export const sequence = "workbench.action.terminal.sendSequence";'),
  seed(
    "a shell command is run",
    "extension",
    shellCommand,
    "export const go = (t: T) => t.shellIntegration?.executeCommand;\ntype T = never;",
  ),
  ...["server/core", "server/shell", "extension"].flatMap((folder) => [
    seed(`${folder} prints`, folder, /console/i, 'console.log("x");'),
    seed(`${folder} says any`, folder, /any/, "export const f = (x: any) => String(x);"),
    seed(`${folder} asserts a type`, folder, /no type assertion/, "export const f = (x: unknown) => x as string;"),
    seed(`${folder} waves undefined through`, folder, /non-null/, "export const f = (x?: string) => x!;"),
    seed(
      `${folder} forgets a promise`,
      folder,
      /Promise/,
      "const go = async () => 1;\nexport const f = () => {\n  go();\n};",
    ),
    seed(
      `${folder} gives a promise for a yes`,
      folder,
      /Promise/,
      "const go = async () => true;\nexport const f = () => {\n  if (go()) return 1;\n  return 2;\n};",
    ),
    seed(
      `${folder} forgets a case`,
      folder,
      /exhaustive/i,
      'export const f = (x: "a" | "b") => {\n  switch (x) {\n    case "a":\n      return 1;\n  }\n  return 2;\n};',
    ),
  ]),
  ...["server/core", "extension"].flatMap((folder) => [
    {
      why: `${folder} goes in a circle`,
      file: `${folder}/circleA.ts`,
      code: 'import { b } from "./circleB.ts";\n\nexport const a = () => b;\n',
      says: /cycle/,
    },
    {
      why: `${folder} goes in a circle`,
      file: `${folder}/circleB.ts`,
      code: 'import { a } from "./circleA.ts";\n\nexport const b = () => a;\n',
      says: /cycle/,
    },
  ]),
];

/** What the rules allow, in the places where they bite. */
export const allowed: Readonly<Record<string, string>> = {
  "server/core/allowed.ts":
    'import * as z from "zod";\nimport type { AgentId } from "../protocol/agents.ts";\nimport { helper } from "./helper.ts";\n\nexport const agent = (id: AgentId) => [z.string(), helper, id, new Date(5).getTime()] as const;\n',
  "server/core/gates/allowed.ts":
    'import { lineText } from "../../protocol/lines.ts";\nimport { helper } from "../helper.ts";\n\nexport const all = [lineText, helper];\n',
  "server/core/helper.ts": "export const helper = 1;\n",
  "server/protocol/agents.ts":
    'import * as z from "zod";\n\nexport const AgentId = z.string();\nexport type AgentId = z.infer<typeof AgentId>;\n',
  "server/protocol/lines.ts": 'import { AgentId } from "./agents.ts";\n\nexport const lineText = AgentId;\n',
  "server/agents/claude/allowed.ts":
    'import * as z from "zod";\nimport { helper } from "../../core/helper.ts";\nimport { AgentId } from "../../protocol/agents.ts";\nimport { bytes } from "../bytes.ts";\n\nexport const all = [z.string(), helper, AgentId, bytes, Date.parse("2026-01-01")];\n',
  "server/agents/bytes.ts": "export const bytes = 1;\n",
  "server/agents/composer.ts": "export const box = 1;\n",
  "server/agents/claude/composer.ts": 'import { box } from "../composer.ts";\n\nexport const claudeBox = box;\n',
  "server/agents/registry.ts": 'import { all } from "./claude/allowed.ts";\n\nexport const agents = [all];\n',
  "server/shell/allowed.ts":
    'import { readFileSync } from "node:fs";\nimport { createConnection } from "vscode-languageserver/node";\nimport { agents } from "../agents/registry.ts";\nimport { helper } from "../core/helper.ts";\n\nexport const all = [readFileSync, createConnection, agents, helper, Date.now()];\n',
  "extension/allowed.ts":
    'import * as vscode from "vscode";\nimport { LanguageClient } from "vscode-languageclient/node";\nimport { AgentId } from "../server/protocol/agents.ts";\n\nexport const all = [vscode.window, LanguageClient, AgentId];\n',
  "extension/screen/allowed.ts":
    'import { claudeBox } from "../../server/agents/claude/composer.ts";\nimport { box } from "../../server/agents/composer.ts";\nimport { AgentId } from "../../server/protocol/agents.ts";\n\nexport const all = [claudeBox, box, AgentId];\n',
  "extension/typist.ts":
    'import type { Terminal } from "vscode";\n\nexport const type = (terminal: Terminal) => terminal.sendText("x");\n',
  "extension/settings.ts":
    'import { workspace } from "vscode";\n\nexport const read = () => workspace.getConfiguration("x");\n',
  "extension/reconnect.ts":
    'import type { Terminal } from "vscode";\n\nexport const run = (terminal: Terminal) => terminal.shellIntegration?.executeCommand("x");\n',
  "extension/typing/allowed.ts":
    'import type { Terminal } from "vscode";\n\nexport type Typing = Pick<Terminal, "sendText">;\n',
};

/** What `server/core/tsconfig.json` refuses: the core is compiled without the types of Node. */
export const compilerSeeds: readonly Seed[] = [
  ["node:fs", 'export { readFileSync } from "node:fs";', /'node:fs'/],
  ["Node's modules by their old names", 'export { join } from "path";', /'path'/],
  ["process", "export const pid = process.pid;", /'process'/],
  ["a timer", "export const wait = () => setTimeout(() => undefined, 1);", /'setTimeout'/],
  ["console", 'export const say = () => console.log("x");', /'console'/],
  ["the network", 'export const load = () => fetch("x");', /'fetch'/],
  ["a clock", "export const at = () => performance.now();", /'performance'/],
  ["chance", "export const id = () => crypto.randomUUID();", /'crypto'/],
  ["bytes of Node", 'export const bytes = Buffer.from("x");', /'Buffer'/],
].flatMap(([why, code, says], index) =>
  ["server/core", "server/protocol"].map((folder) => ({
    why: `${folder} uses ${String(why)}`,
    file: `${folder}/compiled${index}.ts`,
    code: `${String(code)}\n`,
    says: says instanceof RegExp ? says : /never/,
  })),
);
