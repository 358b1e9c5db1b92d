import { EventEmitter } from "vscode";
import type { Settings } from "../server/protocol/settings.ts";
import type { View } from "../server/protocol/view.ts";
import type { DisposableStore } from "./disposables.ts";
import type { WorkerState } from "./supervisor.ts";

/** All that the views show. The worker makes `view`; it is dropped when the worker falls, because old figures mislead. */
export type Model = {
  readonly worker: WorkerState;
  readonly view: View | undefined;
  readonly mode: Settings["mode"];
  readonly paused: boolean;
  readonly frontTerminalId: string | undefined;
  readonly hasTerminals: boolean;
};

export type ModelStore = {
  readonly current: () => Model;
  readonly change: (part: Partial<Model>) => void;
  /** Calls at every change, never while one is being made. */
  readonly watch: (listener: (model: Model) => void) => { dispose(): void };
};

export function modelStore(store: DisposableStore, first: Model): ModelStore {
  const changed = store.add(new EventEmitter<Model>());
  let model = first;
  return {
    current: () => model,
    change: (part) => {
      model = { ...model, ...part };
      changed.fire(model);
    },
    // The listeners end with the emitter.
    watch: (listener) => changed.event(listener),
  };
}
