import path from "node:path";

export type Stage = {
  readonly name: string;
  readonly does: string;
  /** Commands one after the other, the next only if the last went well; each is run by this Node. */
  readonly commands: readonly (readonly string[])[];
  /** Its tests are counted from mocha's own summary; otherwise the stage is one test. */
  readonly mocha: boolean;
  readonly limitMinutes: number;
  /** Why it cannot be run here. */
  readonly skipped?: string;
};

const root = path.resolve(import.meta.dirname, "../..");
const bin = (file: string) => path.join(root, "node_modules", file);
const tsc = bin("typescript/bin/tsc");
const mocha = [bin("mocha/bin/mocha.js"), "--no-color"];
const tsx = bin("tsx/dist/cli.mjs");

/** VS Code's server, in which the last stages run, exists for this system only. */
const serverHere = process.platform === "linux" && process.arch === "x64";
const onlyThere = serverHere ? {} : { skipped: "VS Code's server is installed for tests on Linux x64 only" };

/** Cheapest first; every stage is run, whatever the others said. */
export const stages: readonly Stage[] = [
  {
    name: "typecheck",
    does: "types, and the core without those of Node",
    commands: [
      [tsc, "-p", "."],
      [tsc, "-p", "server/core"],
    ],
    mocha: false,
    limitMinutes: 5,
  },
  {
    name: "lint",
    does: "Biome: rules, imports, format",
    commands: [[bin("@biomejs/biome/bin/biome"), "check", "--error-on-warnings", "."]],
    mocha: false,
    limitMinutes: 5,
  },
  {
    name: "unused",
    does: "files, exports and packages nobody uses",
    commands: [[bin("knip/bin/knip.js")]],
    mocha: false,
    limitMinutes: 5,
  },
  {
    name: "unit",
    does: "everything that needs no other process, with coverage",
    commands: [[bin("c8/bin/c8.js"), process.execPath, ...mocha, "test/unit/**/*.test.ts"]],
    mocha: true,
    limitMinutes: 15,
  },
  {
    name: "contract",
    does: "the built worker and command line as real processes",
    commands: [["esbuild.mjs"], [...mocha, "test/contract/**/*.test.ts"]],
    mocha: true,
    limitMinutes: 15,
  },
  {
    name: "vscode",
    does: "inside a real VS Code",
    commands: [["esbuild.mjs"], [tsx, "test/host/runInside.ts"]],
    mocha: true,
    limitMinutes: 20,
  },
  {
    name: "e2e",
    does: "the real agents in a real VS Code, without a network",
    commands: [["esbuild.mjs"], [tsx, "test/support/netns.ts", process.execPath, ...mocha, "test/e2e/**/*.test.ts"]],
    mocha: true,
    limitMinutes: 45,
    ...onlyThere,
  },
];
