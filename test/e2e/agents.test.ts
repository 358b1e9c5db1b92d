import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type ClaudeSandbox, prepareClaude } from "../agents/claude.ts";
import { type CodexSandbox, prepareCodex } from "../agents/codex.ts";
import type { Sandbox } from "../agents/sandbox.ts";
import { type Server, startServer } from "../host/server.ts";
import { openWorkbench, type Workbench } from "../host/workbench.ts";
import { startFakeAnthropic } from "../support/fakeAnthropic.ts";
import type { FakeApi } from "../support/fakeApi.ts";
import { startFakeOpenai } from "../support/fakeOpenai.ts";
import { isAlive } from "../support/processes.ts";
import { until } from "../support/until.ts";

describe("the real agents in a real VS Code terminal", function () {
  this.timeout(120_000);

  let dir: string;
  let api: FakeApi | undefined;
  let server: Server | undefined;
  let workbench: Workbench | undefined;
  let codex: CodexSandbox | undefined;

  beforeEach(async () => {
    dir = await mkdtemp(path.join(tmpdir(), "plimsoll-e2e-"));
  });
  afterEach(async function () {
    if (this.currentTest?.state === "failed") await workbench?.screenshot(`out/e2e/${this.currentTest.title}.png`);
    await workbench?.close();
    await server?.stop();
    await codex?.stop();
    await api?.stop();
    workbench = server = codex = api = undefined;
    await rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });

  async function terminalFor(sandbox: Sandbox): Promise<Workbench> {
    const PATH = [sandbox.bin, process.env["PATH"]].join(path.delimiter);
    server = await startServer({ env: { PATH } });
    workbench = await openWorkbench({ server, folder: sandbox.project });
    await workbench.openTerminal();
    return workbench;
  }

  it("Claude Code writes the context size of a reply to its transcript", async () => {
    api = await startFakeAnthropic();
    const claude = await prepareClaude({ dir, api });
    const vscode = await terminalFor(claude);

    await enter(vscode, "claude");
    await vscode.terminalShows("❯");
    await enter(vscode, "hello USAGE=150000 SAY=aye");

    await until("a usage of 150000 in the transcript", async () => (await claudeSizes(claude)).includes(150_000));
    await vscode.terminalShows("aye");
  });

  it("Codex without its daemon writes the context size of a reply to its rollout", async () => {
    api = await startFakeOpenai();
    codex = await prepareCodex({ dir, api });
    const vscode = await terminalFor(codex);

    await codexReplies(vscode, codex, "codex --no-daemon");

    assert.equal(await codex.daemonPid(), undefined);
  });

  it("Codex with its daemon writes the context size of a reply to its rollout", async () => {
    api = await startFakeOpenai();
    codex = await prepareCodex({ dir, api });
    const vscode = await terminalFor(codex);

    await codexReplies(vscode, codex, "codex");

    const daemon = await codex.daemonPid();
    assert.ok(daemon !== undefined && isAlive(daemon));
    await codex.stop();
    assert.equal(isAlive(daemon), false);
  });
});

/** Enter only once the words are on the screen: together they would look like a paste. */
async function enter(vscode: Workbench, words: string): Promise<void> {
  await vscode.typeInTerminal(words);
  await vscode.terminalShows(words);
  await vscode.pressInTerminal("Enter");
}

async function codexReplies(vscode: Workbench, codex: CodexSandbox, command: string): Promise<void> {
  await enter(vscode, command);
  await vscode.terminalShows("Ask Codex to do anything", 30_000);
  await enter(vscode, "hello USAGE=150000 OUT=50 SAY=aye");
  await until("a usage of 150050 in the rollout", async () => (await codexSizes(codex)).includes(150_050));
  await vscode.terminalShows("aye (fake reply");
}

async function claudeSizes(claude: ClaudeSandbox): Promise<readonly number[]> {
  const text = await readAll(claude.transcripts);
  const usage =
    /"input_tokens":(\d+),"cache_creation_input_tokens":(\d+),"cache_read_input_tokens":(\d+),"output_tokens"/g;
  return [...text.matchAll(usage)].map(([, ...counts]) => counts.reduce((sum, count) => sum + Number(count), 0));
}

async function codexSizes(codex: CodexSandbox): Promise<readonly number[]> {
  const text = await readAll(path.join(codex.config, "sessions"));
  const usage = /"last_token_usage":\{[^}]*"total_tokens":(\d+)/g;
  return [...text.matchAll(usage)].map(([, count]) => Number(count));
}

async function readAll(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith(".jsonl"));
  return (await Promise.all(files.map((file) => readFile(path.join(file.parentPath, file.name), "utf8")))).join("\n");
}
