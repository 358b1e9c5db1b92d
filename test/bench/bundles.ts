import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";

const root = path.resolve(import.meta.dirname, "../..");

/** Bundles as they are packed, in a folder of their own: a build for something else must not change them meanwhile. */
export async function buildInto(outdir: string): Promise<string> {
  const options = ["--minify", "--metafile", "--outdir", outdir];
  await promisify(execFile)(process.execPath, [path.join(root, "esbuild.mjs"), ...options], { cwd: root });
  return outdir;
}

/** One of our programs as plain JavaScript: the loader of TypeScript would be measured with it. */
export async function buildProgram(entry: string, outdir: string): Promise<string> {
  const outfile = path.join(outdir, `${path.basename(entry, ".ts")}.mjs`);
  await build({
    entryPoints: [path.join(import.meta.dirname, entry)],
    outfile,
    bundle: true,
    minify: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "error",
  });
  return outfile;
}
