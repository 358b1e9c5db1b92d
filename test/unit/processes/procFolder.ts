import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Entry = {
  readonly pid: number;
  readonly parent: number;
  readonly argv: readonly string[];
  readonly name?: string;
  /** Clock ticks since the boot. */
  readonly birth?: number;
  readonly tty?: number;
  readonly cwd?: string;
  readonly environment?: Record<string, string>;
  readonly namespace?: string;
  readonly uid?: number;
};

/** A folder laid out like `/proc`; the system was booted `uptime` seconds ago. */
export function createProcFolder(entries: readonly Entry[], options: { uptime: number; children: boolean }) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "plimsoll-proc-")));
  const write = (path: string, content: string) => {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  write("uptime", `${options.uptime} 0.00\n`);
  write("locks", "");
  mkdirSync(join(root, "self/ns"), { recursive: true });
  symlinkSync("pid:[1]", join(root, "self/ns/pid"));
  if (options.children) write(`${process.pid}/task/${process.pid}/children`, "");
  for (const entry of entries) {
    const { pid, parent, argv, birth = 100, tty = 34816 } = entry;
    const name = entry.name ?? argv[0]?.split("/").at(-1) ?? "";
    write(
      `${pid}/stat`,
      `${pid} (${name}) S ${parent} ${pid} 1 ${tty} ${pid} 0 0 0 0 0 0 0 0 0 20 0 1 0 ${birth} 0 0\n`,
    );
    write(`${pid}/cmdline`, argv.map((arg) => `${arg}\0`).join(""));
    write(`${pid}/status`, `Name:\t${name}\nUid:\t0\t${entry.uid ?? process.getuid?.() ?? 0}\t0\t0\n`);
    const environment = Object.entries(entry.environment ?? {});
    write(`${pid}/environ`, environment.map(([key, value]) => `${key}=${value}\0`).join(""));
    mkdirSync(join(root, `${pid}/ns`), { recursive: true });
    mkdirSync(join(root, `${pid}/fd`), { recursive: true });
    symlinkSync(entry.namespace ?? "pid:[1]", join(root, `${pid}/ns/pid`));
    if (entry.cwd !== undefined) symlinkSync(entry.cwd, join(root, `${pid}/cwd`));
    const below = entries.filter((other) => other.parent === pid).map((other) => `${other.pid} `);
    if (options.children) {
      write(`${pid}/task/${pid}/children`, below.slice(1).join(""));
      write(`${pid}/task/${pid + 100_000}/children`, below.slice(0, 1).join(""));
    }
  }
  return {
    root,
    /** From now on these processes hold a lock on these files. */
    lock(holders: readonly (readonly [number, string])[]) {
      for (const [pid, path] of holders) {
        const link = join(root, `${pid}/fd/${statSync(path).ino}`);
        if (existsSync(join(link, "..")) && !isLink(link)) symlinkSync(path, link);
      }
      const rows = holders.map(([pid, path], at) => {
        return `${at + 1}: FLOCK  ADVISORY  WRITE ${pid} fe:00:${statSync(path).ino} 0 EOF`;
      });
      write("locks", `${rows.join("\n")}\n`);
    },
    dispose: () => rmSync(root, { recursive: true, force: true }),
  };
}

const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
