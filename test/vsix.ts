// Builds and packs the extension: `tsx test/vsix.ts` writes out/plimsoll.vsix and says how big its parts are.
// `tsx test/vsix.ts <folder> <file>` packs any other extension as it is.
import { execFileSync } from "node:child_process";
import { mkdirSync, statSync } from "node:fs";
import path from "node:path";
import { createVSIX, listFiles, PackageManager } from "@vscode/vsce";
import { type BuildOptions, build } from "esbuild";

const root = path.resolve(import.meta.dirname, "..");
const host = { external: ["vscode", "./extension/client.ts"], supported: { "dynamic-import": false } };
/** As in esbuild.mjs. */
const bundles: readonly Bundle[] = [
  { file: "dist/extension.cjs", entry: "extension/main.ts", options: host },
  { file: "dist/client.cjs", entry: "extension/client.ts", options: { ...host, external: ["vscode"] } },
  { file: "dist/server.cjs", entry: "server/main.ts", options: {} },
  { file: "dist/cli.cjs", entry: "server/cli.ts", options: { banner: { js: "#!/usr/bin/env node" } } },
];
/** Bytes by which the names of outer files may differ. */
const tolerance = 100;
/** All that may be in the package. */
const allowed =
  /^(dist\/(extension|client|server|cli)\.cjs|media\/[^/]+\.(png|svg)|package\.json|(README|CHANGELOG)\.md|LICENSE)$/;
const largest = 5;

/** The packed extension. */
async function packExtension(): Promise<string> {
  execFileSync(process.execPath, ["esbuild.mjs", "--minify"], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  const packed = await listFiles({ cwd: root, packageManager: PackageManager.None });
  const stray = packed.filter((file) => !allowed.test(file));
  if (stray.length > 0) throw new Error(`not to be packed, see .vscodeignore: ${stray.join(", ")}`);
  const missing = bundles.flatMap(({ file }) => (packed.includes(file) ? [] : file));
  if (missing.length > 0) throw new Error(`not packed, see .vscodeignore: ${missing.join(", ")}`);
  const packagePath = path.join(root, "out/plimsoll.vsix");
  mkdirSync(path.dirname(packagePath), { recursive: true });
  await createVSIX({ cwd: root, packagePath, dependencies: false, allowMissingRepository: true });
  return packagePath;
}

async function packFolder(folder: string, packagePath: string): Promise<void> {
  const quiet = { allowMissingRepository: true, skipLicense: true };
  await createVSIX({ cwd: folder, packagePath, dependencies: false, ...quiet });
}

async function report(vsix: string): Promise<void> {
  for (const bundle of bundles) {
    const { size } = statSync(path.join(root, bundle.file));
    console.log(`${kilobytes(size)}  ${bundle.file}`);
    const { bytes, parts } = await partsOf(bundle);
    if (Math.abs(bytes - size) > tolerance)
      console.warn(`(built otherwise here: ${bytes} bytes; the parts are of that build)`);
    for (const [name, part] of parts.slice(0, largest)) console.log(`${kilobytes(part)}      ${name}`);
  }
  console.log(`${kilobytes(statSync(vsix).size)}  ${path.relative(root, vsix)}`);
}

type Bundle = { readonly file: string; readonly entry: string; readonly options: BuildOptions };
type Parts = { readonly bytes: number; readonly parts: readonly (readonly [string, number])[] };

/** What a bundle is made of, by package or folder of ours. Built once more, because the build keeps no such figures. */
async function partsOf({ entry, options }: Bundle): Promise<Parts> {
  const built = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile: "out/parts.cjs",
    write: false,
    bundle: true,
    minify: true,
    metafile: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    logLevel: "error",
    ...options,
  });
  const [output] = Object.values(built.metafile?.outputs ?? {});
  const sums = new Map<string, number>();
  for (const [file, { bytesInOutput }] of Object.entries(output?.inputs ?? {})) {
    const name = partOf(file);
    sums.set(name, (sums.get(name) ?? 0) + bytesInOutput);
  }
  return { bytes: output?.bytes ?? 0, parts: [...sums].toSorted(([, a], [, b]) => b - a) };
}

function partOf(file: string): string {
  const module = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1];
  return module ?? file.split("/").slice(0, -1).join("/");
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1).padStart(8)} kB`;

const [folder, file] = process.argv.slice(2);
if (folder === undefined || file === undefined) await report(await packExtension());
else await packFolder(folder, file);
