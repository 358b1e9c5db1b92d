import { closeSync, existsSync, openSync, readdirSync, readlinkSync, readSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import {
  gone,
  known,
  type Lookup,
  type ProcessDetails,
  type Processes,
  type ProcessFacts,
  unknown,
} from "./process.ts";
import { parseCmdline, parseLocks, parseStat, parseUid, pickEnvironment } from "./procText.ts";

/** Most bytes read of one `/proc` file: an argument list may hold a whole prompt, and only its beginning matters. */
const readLimit = 1 << 20;

/** Process facts from `/proc`. Reads are synchronous: each is a few microseconds and never touches a disk. */
export function linuxProcesses(root = "/proc"): Processes {
  const buffer = Buffer.alloc(64 * 1024);

  /**
   * Bytes of a `/proc` file, valid until the next call. Read until nothing comes: one read gives no more than a page of
   * some files (`locks`), however long they are.
   */
  function read(path: string): Lookup<Buffer> {
    const opened = attempt(() => openSync(path, "r"));
    if (opened.kind !== "known") return opened;
    try {
      return attempt(() => {
        let length = 0;
        while (length < buffer.length) {
          const count = readSync(opened.value, buffer, length, buffer.length - length, null);
          if (count === 0) return buffer.subarray(0, length);
          length += count;
        }
        return longRead(opened.value, buffer);
      });
    } finally {
      closeSync(opened.value);
    }
  }

  const text = (path: string): Lookup<string> => map(read(path), (bytes) => bytes.toString("utf8"));

  function facts(pid: number, bootedAt: number): Lookup<ProcessFacts> {
    const stat = text(`${root}/${pid}/stat`);
    if (stat.kind !== "known") return stat;
    const parsed = parseStat(stat.value, bootedAt);
    if (parsed === undefined) return unknown("unreadable stat line");
    const command = text(`${root}/${pid}/cmdline`);
    return command.kind === "known" ? known({ ...parsed, argv: parseCmdline(command.value) }) : command;
  }

  /** Epoch ms of the boot, from the uptime: `btime` has whole seconds only. */
  function bootedAt(): number {
    const uptime = text(`${root}/uptime`);
    return uptime.kind === "known" ? Date.now() - Number.parseFloat(uptime.value) * 1000 : Number.NaN;
  }

  function childrenOf(pid: number): readonly number[] {
    const tasks = attempt(() => readdirSync(`${root}/${pid}/task`));
    if (tasks.kind !== "known") return [];
    return tasks.value.flatMap((task) => {
      const children = text(`${root}/${pid}/task/${task}/children`);
      return children.kind === "known" ? children.value.split(" ").filter(Boolean).map(Number) : [];
    });
  }

  function scan(): Lookup<readonly ProcessFacts[]> {
    const boot = bootedAt();
    return map(
      attempt(() => readdirSync(root)),
      (names) =>
        names.flatMap((name) => {
          const process = /^\d+$/.test(name) ? facts(Number(name), boot) : gone;
          return process.kind === "known" ? [process.value] : [];
        }),
    );
  }

  /** Everybody's children from everybody's parent, for kernels that do not list them. */
  function parentTable(): Lookup<(pid: number) => readonly number[]> {
    return map(
      attempt(() => readdirSync(root)),
      (names) => {
        const children = new Map<number, number[]>();
        for (const name of names) {
          const stat = /^\d+$/.test(name) ? text(`${root}/${name}/stat`) : gone;
          const parent = stat.kind === "known" ? parseStat(stat.value, 0)?.parent : undefined;
          if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
        }
        return (pid: number) => children.get(pid) ?? [];
      },
    );
  }

  function walk(
    roots: readonly number[],
    isLeaf: (process: ProcessFacts) => boolean,
    below: (pid: number) => readonly number[],
  ): readonly ProcessFacts[] {
    const boot = bootedAt();
    const found = new Map<number, ProcessFacts>();
    const queue = [...roots];
    for (let pid = queue.shift(); pid !== undefined; pid = queue.shift()) {
      const process = found.has(pid) ? gone : facts(pid, boot);
      if (process.kind !== "known") continue;
      found.set(pid, process.value);
      if (!isLeaf(process.value)) queue.push(...below(pid));
    }
    return [...found.values()];
  }

  function details(pid: number): Lookup<ProcessDetails> {
    const status = text(`${root}/${pid}/status`);
    if (status.kind !== "known") return status;
    const own = parseUid(status.value) === process.getuid?.();
    if (!own) return known({ own, foreignNamespace: false });
    const namespace = attempt(() => readlinkSync(`${root}/${pid}/ns/pid`));
    const ours = attempt(() => readlinkSync(`${root}/self/ns/pid`));
    const cwd = attempt(() => readlinkSync(`${root}/${pid}/cwd`));
    const executable = attempt(() => readlinkSync(`${root}/${pid}/exe`));
    const block = read(`${root}/${pid}/environ`);
    const environment = block.kind === "known" ? pickEnvironment(block.value) : undefined;
    if (block.kind === "known") block.value.fill(0);
    return known({
      own,
      foreignNamespace: namespace.kind === "known" && ours.kind === "known" && namespace.value !== ours.value,
      ...(cwd.kind === "known" ? { cwd: cwd.value } : {}),
      ...(executable.kind === "known" ? { executable: executable.value } : {}),
      ...(environment === undefined ? {} : { environment }),
    });
  }

  /** By its descriptors; by the kernel's lock table where a process hides these from its own user. */
  function heldIn(pid: number, folder: string): Lookup<readonly string[]> {
    const descriptors = attempt(() => readdirSync(`${root}/${pid}/fd`));
    if (descriptors.kind === "gone") return gone;
    if (descriptors.kind === "unknown") return lockedIn(pid, folder);
    const open = descriptors.value.flatMap((descriptor) => {
      const target = attempt(() => readlinkSync(`${root}/${pid}/fd/${descriptor}`));
      return target.kind === "known" && dirname(target.value) === folder ? [basename(target.value)] : [];
    });
    // A deleted file shows as `<path> (deleted)`, which is no name of the folder.
    return known([...new Set(open)].filter((name) => existsSync(`${folder}/${name}`)));
  }

  function lockedIn(pid: number, folder: string): Lookup<readonly string[]> {
    const names = attempt(() => readdirSync(folder));
    if (names.kind !== "known") return names.kind === "gone" ? known([]) : names;
    return map(lockersOf(names.value.map((name) => `${folder}/${name}`)), (lockers) =>
      names.value.filter((name) => lockers.get(`${folder}/${name}`)?.includes(pid)),
    );
  }

  /** The table is read page by page while it changes, and an entry may slip through: two looks are put together. */
  function lockersOf(paths: readonly string[]): Lookup<ReadonlyMap<string, readonly number[]>> {
    const once = text(`${root}/locks`);
    if (once.kind === "gone") return unknown("no table of locks");
    return map(once.kind === "known" ? text(`${root}/locks`) : once, (twice) => {
      const locks = [...parseLocks(once.kind === "known" ? once.value : ""), ...parseLocks(twice)];
      return new Map(
        paths.map((path) => {
          const inode = inodeOf(path);
          return [path, [...new Set(locks.flatMap((lock) => (lock.inode === inode ? lock.pid : [])))]];
        }),
      );
    });
  }

  /** Some kernels are built without `children` (CONFIG_PROC_CHILDREN): then the tree comes from everybody's parent. */
  const hasChildren = existsSync(`${root}/${process.pid}/task/${process.pid}/children`);

  return {
    platform: "linux",
    under: async (roots, isLeaf) =>
      map(hasChildren ? known(childrenOf) : roots.length === 0 ? known(() => []) : parentTable(), (below) =>
        walk(roots, isLeaf, below),
      ),
    one: async (pid) => facts(pid, bootedAt()),
    all: async () => scan(),
    details: async (pid) => details(pid),
    heldIn: async (pid, folder) => heldIn(pid, folder),
    lockersOf: async (paths) => lockersOf(paths),
  };
}

function longRead(descriptor: number, first: Buffer): Buffer {
  const chunks = [Buffer.from(first)];
  for (let total = first.length; total < readLimit; ) {
    const chunk = Buffer.alloc(64 * 1024);
    const count = readSync(descriptor, chunk, 0, chunk.length, null);
    if (count === 0) break;
    chunks.push(chunk.subarray(0, count));
    total += count;
  }
  return Buffer.concat(chunks);
}

function inodeOf(path: string): bigint | undefined {
  const stat = attempt(() => statSync(path, { bigint: true }).ino);
  return stat.kind === "known" ? stat.value : undefined;
}

function map<T, R>(lookup: Lookup<T>, change: (value: T) => R): Lookup<R> {
  return lookup.kind === "known" ? known(change(lookup.value)) : lookup;
}

/** A process that ends while it is read gives ENOENT or ESRCH: gone. Anything else (EACCES, EMFILE) is no answer. */
function attempt<T>(read: () => T): Lookup<T> {
  try {
    return known(read());
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "failed";
    return code === "ENOENT" || code === "ESRCH" ? gone : unknown(code);
  }
}
