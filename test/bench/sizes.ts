import { execFile } from "node:child_process";
import { cp, mkdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { type Bench, type Figure, kilobytes, type Row } from "./figure.ts";

const root = path.resolve(import.meta.dirname, "../..");
const partsShown = 5;

const Metafile = z.object({
  outputs: z.record(
    z.string(),
    z.object({ bytes: z.number(), inputs: z.record(z.string(), z.object({ bytesInOutput: z.number() })) }),
  ),
});

export const sizes: Figure = {
  id: "sizes",
  title: "Sizes",
  async measure(bench) {
    const metafile: unknown = JSON.parse(await readFile(path.join(bench.dist, "metafile.json"), "utf8"));
    const bundles = Object.entries(Metafile.parse(metafile).outputs).map(([file, { bytes, inputs }]) => ({
      name: `dist/${path.basename(file)}`,
      bytes,
      parts: partsOf(inputs),
    }));
    const vsix = await packedBytes(bench);
    return {
      rows: [...bundles, { name: "the packed extension (.vsix)", bytes: vsix }].map(sizeRow),
      notes: bundles.map(({ name, parts }) => `${name}: ${parts.slice(0, partsShown).map(partText).join(", ")}.`),
    };
  },
};

const sizeRow = ({ name, bytes }: { readonly name: string; readonly bytes: number }): Row => ({
  what: name,
  measured: kilobytes(bytes),
  limit: "",
  met: undefined,
});

const partText = ([name, bytes]: readonly [string, number]): string => `${name} ${kilobytes(bytes)}`;

/** By package, or by folder of ours. */
function partsOf(inputs: Readonly<Record<string, { readonly bytesInOutput: number }>>): readonly [string, number][] {
  const sums = new Map<string, number>();
  for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
    const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? path.dirname(file);
    sums.set(name, (sums.get(name) ?? 0) + bytesInOutput);
  }
  return [...sums].toSorted(([, a], [, b]) => b - a);
}

/** What the extension's package holds, unpacked, in a folder of its own. */
export async function stageExtension({ dist, dir }: Bench): Promise<string> {
  const folder = path.join(dir, "staged");
  await mkdir(path.join(folder, "dist"), { recursive: true });
  for (const name of ["package.json", "README.md", "CHANGELOG.md", "LICENSE", "media", ".vscodeignore"])
    await cp(path.join(root, name), path.join(folder, name), { recursive: true });
  for (const name of ["extension", "client", "server", "cli"])
    await cp(path.join(dist, `${name}.cjs`), path.join(folder, "dist", `${name}.cjs`));
  return folder;
}

async function packedBytes(bench: Bench): Promise<number> {
  const vsix = path.join(bench.dir, "plimsoll.vsix");
  const pack = ["--import", "tsx", path.join(root, "test/vsix.ts"), await stageExtension(bench), vsix];
  await promisify(execFile)(process.execPath, pack, { cwd: root });
  return (await stat(vsix)).size;
}
