import type { Disposable } from "vscode";

export type DisposableStore = Disposable & {
  /** Returns what it was given. What is added after the end is disposed at once. */
  readonly add: <T extends { dispose(): unknown }>(item: T) => T;
};

export function disposableStore(): DisposableStore {
  let items: { dispose(): unknown }[] | undefined = [];
  return {
    add: (item) => {
      if (items === undefined) item.dispose();
      else items.push(item);
      return item;
    },
    dispose: () => {
      const ending = items ?? [];
      items = undefined;
      for (const item of ending.reverse()) item.dispose();
    },
  };
}
