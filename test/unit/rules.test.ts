// A guard that was never seen to fail is no guard: every rule that a tool holds is broken here once, in a folder of its own.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import * as z from "zod";
import { allowed, compilerSeeds, lintSeeds, type Seed } from "./ruleSeeds.ts";

const root = path.resolve(import.meta.dirname, "../..");

describe("the rules of the architecture", function () {
  this.timeout(60_000);

  let folder: string;
  before(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), "plimsoll-rules-")));
    for (const name of ["biome.json", "lint", "tsconfig.json", "server/core/tsconfig.json"])
      await cp(path.join(root, name), path.join(folder, name), { recursive: true });
    await symlink(path.join(root, "node_modules"), path.join(folder, "node_modules"), "junction");
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [file, code] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
      await writeFile(path.join(folder, file), code);
    }
  }
  const writeSeeds = (seeds: readonly Seed[]) => write(Object.fromEntries(seeds.map(({ file, code }) => [file, code])));

  describe("held by Biome", () => {
    let problems: readonly Problem[];
    before(async () => {
      await write(allowed);
      await writeSeeds(lintSeeds);
      problems = await lint(folder);
    });
    after(() => rm(path.join(folder, "extension"), { recursive: true }));

    for (const { why, file, says } of lintSeeds)
      it(`refuses: ${why}`, () => {
        const messages = problems.filter((problem) => problem.file === file).map(({ message }) => message);
        assert.ok(
          messages.some((message) => says.test(message)),
          `said only: ${messages.join(" · ")}`,
        );
      });

    it("lets pass what is allowed", () => {
      assert.deepEqual(
        problems.filter(({ file }) => Object.hasOwn(allowed, file)),
        [],
      );
    });
  });

  describe("held by the compiler", () => {
    let output: string;
    before(async () => {
      await rm(path.join(folder, "server/core"), { recursive: true });
      await rm(path.join(folder, "server/protocol"), { recursive: true });
      await cp(path.join(root, "server/core"), path.join(folder, "server/core"), { recursive: true });
      await cp(path.join(root, "server/protocol"), path.join(folder, "server/protocol"), { recursive: true });
      await writeSeeds(compilerSeeds);
      output = await compile(folder);
    });

    for (const { why, file, says } of compilerSeeds)
      it(`refuses: ${why}`, () => {
        const lines = output.split("\n").filter((line) => line.startsWith(`${file}(`));
        assert.ok(
          lines.some((line) => says.test(line)),
          `said only: ${lines.join("\n")}`,
        );
      });

    it("lets the core itself pass", () => {
      const seeded = new Set(compilerSeeds.map(({ file }) => file));
      const others = output
        .split("\n")
        .filter((line) => /^\S+\(\d/.test(line) && !seeded.has(line.split("(")[0] ?? ""));
      assert.deepEqual(others, []);
    });
  });

  // `@types/vscode` and the types of Node are installed, so a reference brings them back into a compilation without them.
  describe("held by reading the text", () => {
    const smuggles = /\/\/\/\s*<reference\b|\bimport\(\s*["'](?:vscode|node:)|@ts-(?:ignore|nocheck|expect-error)/;

    for (const line of [
      '/// <reference types="node" />',
      'export type Later = import("vscode").Terminal;',
      "export type Files = typeof import('node:fs');",
      "// @ts-ignore",
    ])
      it(`refuses: ${line}`, () => assert.match(line, smuggles));

    it("finds none in the pure folders", async () => {
      for (const pureFolder of ["server/core", "server/protocol", "server/agents", "extension/screen"])
        for (const file of await sources(pureFolder))
          assert.doesNotMatch(await readFile(path.join(root, file), "utf8"), smuggles, file);
    });
  });
});

type Problem = { readonly file: string; readonly message: string };

const report = z.object({
  diagnostics: z.array(
    z.object({ category: z.string(), message: z.string(), location: z.object({ path: z.string() }) }),
  ),
});

/** With the options of `npm run lint`, but every problem. */
async function lint(folder: string): Promise<readonly Problem[]> {
  const biome = createRequire(import.meta.url).resolve("@biomejs/biome/bin/biome");
  const run = await output(folder, [
    biome,
    "check",
    "--error-on-warnings",
    "--reporter=json",
    "--max-diagnostics=none",
    ".",
  ]);
  assert.notEqual(run.code, 0);
  return report.parse(JSON.parse(run.stdout)).diagnostics.map(({ message, location }) => ({
    file: location.path.replaceAll("\\", "/").replace(/^\.\//, ""),
    message,
  }));
}

async function compile(folder: string): Promise<string> {
  const run = await output(folder, [
    path.join(root, "node_modules/typescript/bin/tsc"),
    "-p",
    "server/core",
    "--pretty",
    "false",
  ]);
  assert.notEqual(run.code, 0);
  return run.stdout;
}

function output(cwd: string, args: readonly string[]): Promise<{ readonly code: number; readonly stdout: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { cwd, maxBuffer: 64 * 1024 * 1024 }, (_error, stdout) =>
      resolve({ code: child.exitCode ?? 1, stdout }),
    );
  });
}

async function sources(folder: string): Promise<readonly string[]> {
  const names = await readdir(path.join(root, folder), { recursive: true });
  return names.filter((name) => name.endsWith(".ts")).map((name) => path.join(folder, name));
}
