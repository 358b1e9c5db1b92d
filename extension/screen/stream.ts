import type { Clock } from "./clock.ts";
import { createMirror, type Mirror } from "./mirror.ts";
import type { Size } from "./ttySize.ts";

/** Most bytes that are kept of a command's output before it is known whether an agent runs there. */
export const keptBytes = 256 * 1024;

type StreamState =
  | { readonly kind: "keeping" }
  | { readonly kind: "mirrored"; readonly mirror: Mirror }
  /** More came than is kept before an agent was seen: its beginning is lost. */
  | { readonly kind: "overflow" }
  | { readonly kind: "ended" };

/** The output of one command, from its start to its end. */
export type CommandStream = {
  readonly feed: (chunk: string) => void;
  /** An agent runs in it: what was kept is replayed, and the mirror follows from here on. */
  readonly mirror: () => StreamState;
  readonly state: () => StreamState;
  readonly end: () => void;
};

type KeptChunk = { readonly chunk: string; readonly at: number; readonly size: Size | undefined };

export function createCommandStream(clock: Clock, size: () => Size | undefined): CommandStream {
  let state: StreamState = { kind: "keeping" };
  let kept: KeptChunk[] = [];
  let bytes = 0;

  function keep(chunk: string): void {
    bytes += Buffer.byteLength(chunk);
    if (bytes > keptBytes) {
      state = { kind: "overflow" };
      kept = [];
    } else {
      kept.push({ chunk, at: clock.now(), size: size() });
    }
  }

  return {
    feed(chunk) {
      if (state.kind === "keeping") keep(chunk);
      else if (state.kind === "mirrored") state.mirror.write(chunk);
    },
    mirror() {
      if (state.kind !== "keeping") return state;
      const mirror = createMirror(clock, size);
      for (const { chunk, at, size: then } of kept) mirror.write(chunk, { at, size: then });
      kept = [];
      state = { kind: "mirrored", mirror };
      return state;
    },
    state: () => state,
    end() {
      if (state.kind === "mirrored") state.mirror.dispose();
      kept = [];
      state = { kind: "ended" };
    },
  };
}
