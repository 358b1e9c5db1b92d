import { writeFileSync } from "node:fs";
import path from "node:path";
import * as esbuild from "esbuild";

const watch = process.argv.includes("--watch");
const minify = process.argv.includes("--minify");
const outdirAt = process.argv.indexOf("--outdir");
const outdir = outdirAt < 0 ? "dist" : process.argv[outdirAt + 1];
const common = {
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  sourcemap: !minify,
  minify,
  metafile: true,
  outdir,
  outExtension: { ".js": ".cjs" },
  logLevel: "warning",
};
/** The client is a file of its own: it is loaded after activation, and VS Code's start does not pay for it. */
const clientLater = {
  name: "client-later",
  setup: (build) =>
    build.onResolve({ filter: /^\.\/client\.ts$/ }, ({ kind }) =>
      kind === "dynamic-import" ? { path: "./client.cjs", external: true } : undefined,
    ),
};
const host = { ...common, external: ["vscode"], supported: { "dynamic-import": false } };
const builds = [
  { ...host, entryPoints: { extension: "extension/main.ts" }, plugins: [clientLater] },
  { ...host, entryPoints: { client: "extension/client.ts" } },
  { ...common, entryPoints: { server: "server/main.ts" } },
  { ...common, entryPoints: { cli: "server/cli.ts" }, banner: { js: "#!/usr/bin/env node" } },
];
if (watch) await Promise.all(builds.map(async (options) => (await esbuild.context(options)).watch()));
else {
  const built = await Promise.all(builds.map((options) => esbuild.build(options)));
  // What the bundles are made of, for whoever asks.
  const metafile = { inputs: {}, outputs: Object.assign({}, ...built.map(({ metafile }) => metafile.outputs)) };
  if (process.argv.includes("--metafile")) writeFileSync(path.join(outdir, "metafile.json"), JSON.stringify(metafile));
}
