import { commands, type ExtensionContext, type LogOutputChannel } from "vscode";
import { pausedKey } from "./commandIds.ts";
import { kindOf } from "./log.ts";
import type { ModelStore } from "./model.ts";

const memory = "paused";

/** Whether this window was left paused. */
export const wasPaused = ({ workspaceState }: ExtensionContext): boolean => workspaceState.get(memory) === true;

export type Pause = { readonly set: (paused: boolean) => void };

/** *Pause Typing*, for this window, until it is resumed; a reload does not resume it. */
export function createPause(context: ExtensionContext, model: ModelStore, log: LogOutputChannel): Pause {
  const say = (paused: boolean) => {
    commands.executeCommand("setContext", pausedKey, paused).then(undefined, (error: unknown) => {
      log.warn(`pause: the menus were not told (${kindOf(error)})`);
    });
  };
  say(model.current().paused);
  return {
    set: (paused) => {
      // First what stops typing, then what remembers and shows it.
      model.change({ paused });
      say(paused);
      context.workspaceState.update(memory, paused).then(undefined, (error: unknown) => {
        log.warn(`pause: it will not outlast a reload (${kindOf(error)})`);
      });
    },
  };
}
