import { isDeepStrictEqual } from "node:util";
import { ViewChanged } from "../protocol/messages.ts";
import type { View } from "../protocol/view.ts";
import { type Peer, tell } from "../protocol/wire.ts";

/** Changes that fall together within this time go out as one, ms. */
const coalesceMs = 15;

/** Tells the host the view whenever it has changed; changes that fall together go out once. */
export function createPublisher(peer: Peer, build: () => View, problem: (message: string) => void) {
  let last: View | undefined;
  let timer: NodeJS.Timeout | undefined;

  function publish(): void {
    timer = undefined;
    const view = build();
    if (isDeepStrictEqual(view, last)) return;
    last = view;
    tell(peer, ViewChanged, view).catch((error) => problem(`the view was not told (${String(error)})`));
  }

  return {
    soon(): void {
      timer ??= setTimeout(publish, coalesceMs);
    },
    dispose(): void {
      clearTimeout(timer);
    },
  };
}
