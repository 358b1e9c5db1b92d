import type { Dirent } from "node:fs";
import { open, readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { adapters, agentOf } from "../../agents/registry.ts";
import type { AgentId } from "../../protocol/agents.ts";
import { readFlags } from "../files.ts";
import { isInside } from "./tailFile.ts";

/** A transcript found under a path that somebody named. */
export type Found = {
  readonly agent: AgentId;
  readonly path: string;
  /** Folder that it must really lie in; absent where the file itself was named. */
  readonly root?: string;
  /** Config folder it belongs to, where its place shows one. */
  readonly configDir?: string;
};

export type Search =
  | { readonly kind: "found"; readonly files: readonly Found[] }
  | { readonly kind: "failed"; readonly path: string; readonly problem: string };

export type SearchOptions = {
  /** Only transcripts of this agent; a named file counts as one of its whatever it looks like. */
  readonly agent?: AgentId | undefined;
  /** The person's home: its environment's config folders belong to it. */
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

const agents = ["claude", "codex"] as const;
/** Folder of a config folder in which the transcripts are. */
const treeName = { claude: "projects", codex: "sessions" } as const;

/** Folders inside a tree are followed this deep: `projects/<slug>/…`, `sessions/<year>/<month>/<day>`. */
const deepest = 6;
/** Bytes of a file by which it is told whose it is. */
const headLength = 16 * 1024;
/** Folders that hold no conversation of their own. */
const skipped: ReadonlySet<string> = new Set(["subagents", "tool-results", "node_modules", ".git"]);

/** Transcripts of a path: a file, a home, a config folder, a `projects` or `sessions` tree, or any folder above them. */
export async function findTranscripts(path: string, options: SearchOptions): Promise<Search> {
  const named = resolve(path);
  try {
    const stats = await stat(named);
    if (isPacked(named)) return { kind: "failed", path: named, problem: "it is packed; Codex unpacks it on resume" };
    if (!stats.isDirectory()) return { kind: "found", files: await oneFile(named, stats.isFile(), options) };
    const trees = await treesOf(named, options);
    const files = new Map<string, Found>();
    for (const tree of trees) for (const found of await walk(tree, options)) files.set(found.path, found);
    return { kind: "found", files: [...files.values()] };
  } catch (error) {
    return { kind: "failed", path: named, problem: problemOf(error) };
  }
}

async function oneFile(path: string, isFile: boolean, options: SearchOptions): Promise<readonly Found[]> {
  if (!isFile) return [];
  const real = await realpath(path);
  const agent = options.agent ?? agentOfName(real) ?? (await agentIn(real));
  if (agent === undefined || isPartOfAnother(path)) return [];
  return [{ agent, path: real, ...configOf(real, agent) }];
}

type Tree = { readonly folder: string; readonly agent?: AgentId; readonly configDir?: string };

/** Where transcripts are kept below a folder: of a home its config folders, of those the trees, else the folder itself. */
async function treesOf(folder: string, { home, environment }: SearchOptions): Promise<readonly Tree[]> {
  const isHome = resolve(home) === folder;
  const trees: Tree[] = [];
  for (const agent of agents) {
    const named = environment[agent === "claude" ? "CLAUDE_CONFIG_DIR" : "CODEX_HOME"];
    const configs = [folder, join(folder, agent === "claude" ? ".claude" : ".codex")];
    if (named && (isHome || isInside(resolve(named), folder))) configs.push(resolve(named));
    for (const config of configs) {
      const tree = join(config, treeName[agent]);
      if (await isFolder(tree)) trees.push({ folder: tree, agent, configDir: config });
    }
  }
  return trees.length > 0 ? trees : [treeNamed(folder)];
}

/** A folder of transcripts is known by its name: what lies in it by an id is a conversation, if still an empty one. */
function treeNamed(folder: string): Tree {
  const agent = agents.find((known) => basename(folder) === treeName[known]);
  return agent === undefined ? { folder } : { folder, agent, configDir: dirname(folder) };
}

async function walk(tree: Tree, options: SearchOptions): Promise<readonly Found[]> {
  const root = await realpath(tree.folder);
  const files: Found[] = [];
  const seen = new Set<string>();

  async function enter(folder: string, depth: number): Promise<void> {
    const real = await realpath(folder).catch(() => undefined);
    if (real === undefined || !isInside(real, root) || seen.has(real) || depth > deepest) return;
    seen.add(real);
    const entries = await readdir(real, { withFileTypes: true }).catch((error: unknown): readonly Dirent[] => {
      if (depth === 0) throw error;
      return [];
    });
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(real, entry.name);
      if (await isFolderEntry(entry, path)) {
        if (!skipped.has(entry.name)) await enter(path, depth + 1);
      } else if (entry.name.endsWith(".jsonl") && (entry.isFile() || entry.isSymbolicLink())) {
        const found = await transcriptAt(path, entry.isSymbolicLink(), tree, root, options);
        if (found !== undefined) files.push(found);
      }
    }
  }

  await enter(root, 0);
  return files;
}

async function transcriptAt(
  path: string,
  isLink: boolean,
  tree: Tree,
  root: string,
  options: SearchOptions,
): Promise<Found | undefined> {
  if (isPartOfAnother(path)) return undefined;
  const real = isLink ? await realpath(path).catch(() => undefined) : path;
  if (real === undefined || !isInside(real, root)) return undefined;
  const isNamed = tree.agent !== undefined && adapters[tree.agent].conversationIdOf(path) !== undefined;
  const agent = isNamed ? tree.agent : (agentOfName(path) ?? (await agentIn(real).catch(() => undefined)));
  if (agent === undefined || (options.agent !== undefined && options.agent !== agent)) return undefined;
  return {
    agent,
    path,
    root,
    ...(tree.configDir === undefined ? configOf(path, agent) : { configDir: tree.configDir }),
  };
}

const isPacked = (path: string): boolean => path.endsWith(".jsonl.zst");

/** Sub-agents write `subagents/agent-….jsonl`, older ones beside the conversation. */
const isPartOfAnother = (path: string): boolean =>
  /^agent-[\w-]+\.jsonl$/.test(basename(path)) || path.split(/[\\/]/).includes("subagents");

/** `<config>/projects/<slug>/<id>.jsonl`, `<config>/sessions/<year>/<month>/<day>/rollout-….jsonl`. */
function configOf(path: string, agent: AgentId): { readonly configDir?: string } {
  const folder = agent === "claude" ? dirname(dirname(path)) : dirname(dirname(dirname(dirname(path))));
  return basename(folder) === treeName[agent] ? { configDir: dirname(folder) } : {};
}

/** The agent whose place for transcripts this is, under the id of a conversation. */
const agentOfName = (path: string): AgentId | undefined =>
  agents.find(
    (agent) => configOf(path, agent).configDir !== undefined && adapters[agent].conversationIdOf(path) !== undefined,
  );

/** The agent that the file's beginning speaks of, else its end: a crash may have left anything at the beginning. */
async function agentIn(path: string): Promise<AgentId | undefined> {
  await using file = await open(path, readFlags);
  const { size } = await file.stat();
  const bytesAt = async (position: number) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headLength), 0, headLength, position);
    return buffer.subarray(0, bytesRead);
  };
  return agentOf(await bytesAt(0)) ?? agentOf(await bytesAt(Math.max(0, size - headLength)));
}

async function isFolderEntry(entry: Dirent, path: string): Promise<boolean> {
  return entry.isSymbolicLink() ? isFolder(path) : entry.isDirectory();
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );

function problemOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOENT" || code === "ENOTDIR") return "there is no such file or folder";
  if (code === "EACCES" || code === "EPERM") return "permission denied";
  return error instanceof Error ? error.message : "it cannot be read";
}
