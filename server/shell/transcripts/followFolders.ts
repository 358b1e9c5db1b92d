import { type FSWatcher, watch } from "node:fs";
import { basename, dirname } from "node:path";

type Options = {
  readonly touched: (path: string) => void;
  readonly files: () => Iterable<string>;
  /** Each file is named once in this time, event or not, ms. */
  readonly pollMs: number;
};

export type Folders = {
  readonly add: (path: string) => void;
  readonly remove: (path: string) => void;
  readonly dispose: () => void;
};

/** How often a part of the files is looked at, ms; a file in a folder that cannot be watched is looked at each time. */
const tickMs = 1000;

/**
 * One watcher per folder, whatever the number of files in it. Events get lost (network drives, containers, a full queue),
 * so a share of all files is named on every tick, too: a thousand files cost fifty looks a second.
 */
export function watchFolders({ touched, files, pollMs }: Options): Folders {
  const folders = new Map<string, { readonly paths: Map<string, string>; watcher?: FSWatcher | undefined }>();
  let queue: string[] = [];
  let share = 1;

  function add(path: string): void {
    const folder = dirname(path);
    const known = folders.get(folder) ?? { paths: new Map<string, string>() };
    known.paths.set(basename(path), path);
    folders.set(folder, known);
    known.watcher ??= open(folder);
  }

  function open(folder: string): FSWatcher | undefined {
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        const paths = folders.get(folder)?.paths;
        // A removed folder names itself once; its watcher would never speak again.
        if (name === basename(folder) && paths?.has(name) !== true) lose(folder);
        // Without a name any of them may have changed.
        for (const path of name === null ? (paths?.values() ?? []) : [paths?.get(name)])
          if (path !== undefined) touched(path);
      });
      watcher.on("error", () => lose(folder));
      return watcher;
    } catch {
      // Not there yet, or no watchers left: the ticks look at its files instead.
      return undefined;
    }
  }

  function lose(folder: string): void {
    const known = folders.get(folder);
    known?.watcher?.close();
    if (known !== undefined) known.watcher = undefined;
  }

  function tick(): void {
    for (const [folder, known] of folders) {
      if (known.watcher !== undefined) continue;
      known.watcher = open(folder);
      for (const path of known.paths.values()) touched(path);
    }
    if (queue.length === 0) {
      queue = [...files()];
      share = Math.ceil(queue.length / Math.max(1, Math.round(pollMs / tickMs)));
    }
    for (const path of queue.splice(0, share)) touched(path);
  }

  const ticker = setInterval(tick, Math.min(tickMs, pollMs));
  ticker.unref();

  return {
    add,
    remove(path) {
      const folder = dirname(path);
      const known = folders.get(folder);
      known?.paths.delete(basename(path));
      if (known === undefined || known.paths.size > 0) return;
      known.watcher?.close();
      folders.delete(folder);
    },
    dispose() {
      clearInterval(ticker);
      for (const { watcher } of folders.values()) watcher?.close();
      folders.clear();
    },
  };
}
