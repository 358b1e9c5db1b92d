import { type FSWatcher, watch } from "node:fs";

/**
 * Watches folders in which a change of an agent's state shows. A folder that cannot be watched is left to the slow look:
 * it costs seconds, never an answer.
 */
export function createPathWatch(stir: () => void) {
  const watchers = new Map<string, FSWatcher>();
  return {
    set(paths: readonly string[]): void {
      const wanted = new Set(paths);
      for (const [path, watcher] of watchers) {
        if (wanted.has(path)) continue;
        watcher.close();
        watchers.delete(path);
      }
      for (const path of wanted) {
        if (watchers.has(path)) continue;
        try {
          const watcher = watch(path, { persistent: false }, () => stir());
          watcher.on("error", () => {
            watcher.close();
            watchers.delete(path);
          });
          watchers.set(path, watcher);
        } catch {
          // Not there yet, or out of watches.
        }
      }
    },
    dispose(): void {
      for (const watcher of watchers.values()) watcher.close();
      watchers.clear();
    },
  };
}
