// The long repetitions, with the real agents in a real VS Code. Arguments go to mocha: `npm run soak -- -g "Claude Code"`.
import { spawnSync } from "node:child_process";

const steps: readonly (readonly string[])[] = [
  ["esbuild.mjs"],
  [
    "--import",
    "tsx",
    "test/support/netns.ts",
    process.execPath,
    "node_modules/mocha/bin/mocha.js",
    "test/soak/**/*.test.ts",
    ...process.argv.slice(2),
  ],
];
for (const step of steps) {
  const { status } = spawnSync(process.execPath, step, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
