export type Listeners = {
  readonly on: (listener: () => void) => { dispose(): void };
  readonly fire: () => void;
  readonly clear: () => void;
};

/** A set of listeners without an argument. A listener added while it fires is not called for that time. */
export function createListeners(): Listeners {
  const all = new Set<() => void>();
  return {
    on(listener) {
      const own = () => listener();
      all.add(own);
      return { dispose: () => all.delete(own) };
    },
    fire() {
      for (const listener of [...all]) listener();
    },
    clear: () => all.clear(),
  };
}
