import type { TypedEntry } from "../../core/humanPrompts.ts";
import type { Instance } from "../../core/instance.ts";
import type { WindowSettings } from "../../core/window.ts";
import type { Transcripts } from "../discovery/agentWatch.ts";
import { createFollower } from "./follow.ts";

export type TranscriptPorts = {
  readonly changed: () => void;
  readonly now: () => number;
  /** What we typed into agents: none of it is the person's (R53). */
  readonly typed: () => readonly TypedEntry[];
  readonly windowSettings: (instance: Instance) => WindowSettings;
};

/** The transcripts of the agents that run, each followed once. */
export function createTranscripts(ports: TranscriptPorts): Transcripts & { readonly dispose: () => void } {
  const owners = new Map<string, Instance>();
  const follower = createFollower({
    changed: () => ports.changed(),
    now: ports.now,
    typed: ports.typed,
    windowSettings: (path) => {
      const instance = owners.get(path);
      return instance === undefined ? {} : ports.windowSettings(instance);
    },
  });

  return {
    follow(wanted) {
      owners.clear();
      for (const instance of wanted) if (instance.transcript !== undefined) owners.set(instance.transcript, instance);
      for (const path of follower.paths()) if (!owners.has(path)) follower.unfollow(path);
      for (const [path, { agent, configDir }] of owners)
        follower.follow({ agent, path, ...(configDir === undefined ? {} : { root: configDir }) });
    },
    refresh: async ({ transcript }) => {
      if (transcript !== undefined) await follower.refresh(transcript);
    },
    conversationOf: ({ transcript }) => (transcript === undefined ? undefined : follower.conversationOf(transcript)),
    problemOf: ({ transcript }) => {
      const followed = transcript === undefined ? undefined : follower.followed(transcript);
      return followed?.kind === "failed" ? `its transcript cannot be read (${followed.problem})` : undefined;
    },
    dispose: () => follower.dispose(),
  };
}
