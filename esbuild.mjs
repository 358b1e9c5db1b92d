import * as esbuild from "esbuild";

const watch = process.argv.includes("--watch");
const minify = process.argv.includes("--minify");
const common = {
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  sourcemap: !minify,
  minify,
  metafile: true,
  outdir: "dist",
  outExtension: { ".js": ".cjs" },
  logLevel: "warning",
};
const builds = [
  { ...common, entryPoints: { extension: "extension/main.ts" }, external: ["vscode"] },
  { ...common, entryPoints: { server: "server/main.ts" } },
  { ...common, entryPoints: { cli: "server/cli.ts" }, banner: { js: "#!/usr/bin/env node" } },
];
if (watch) await Promise.all(builds.map(async (options) => (await esbuild.context(options)).watch()));
else await Promise.all(builds.map((options) => esbuild.build(options)));
