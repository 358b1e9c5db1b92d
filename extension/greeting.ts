import { commands, type LogOutputChannel, window, workspace } from "vscode";
import { SettingsChanged, SettingsProblems, TerminalsChanged, WindowChanged } from "../server/protocol/messages.ts";
import type { DisposableStore } from "./disposables.ts";
import type { Link } from "./link.ts";
import type { ModelStore } from "./model.ts";
import { onSettingsChange, readSettings } from "./settings.ts";
import type { ReadSettings } from "./settingsParse.ts";
import type { Terminals } from "./terminals.ts";
import { say } from "./words/say.ts";

/** Fire and forget: it can only be closed, or lead to the settings editor. */
async function openSettings(problem: string): Promise<void> {
  const picked = await window.showWarningMessage(problem, say.openSettings);
  const key = problem.split(" ")[0];
  if (picked !== undefined) await commands.executeCommand("workbench.action.openSettings", key);
}

/** Terminals say much at once while they open; the worker needs the last of it. */
const gatherMs = 50;

export type Greeting = {
  /** Tells a new worker everything. */
  readonly greet: () => void;
  readonly settings: () => ReadSettings;
};

/** Keeps the worker told about settings, terminals and the window: everything at its start, then every change. */
export function createGreeting(
  store: DisposableStore,
  link: Link,
  model: ModelStore,
  terminals: Terminals,
  log: LogOutputChannel,
): Greeting {
  let read = readSettings();
  let told = "";
  let timer: NodeJS.Timeout | undefined;

  const tellSettings = () => {
    link.tell(SettingsChanged, read.settings);
    link.tell(SettingsProblems, { problems: [...read.problems] });
  };
  const tellTerminals = () => {
    timer = undefined;
    const facts = terminals.facts();
    model.change({ frontTerminalId: terminals.frontTerminalId(), hasTerminals: facts.length > 0 });
    link.tell(TerminalsChanged, { terminals: facts });
    tellWindow();
  };
  const tellWindow = (again = false) => {
    const facts = { trusted: workspace.isTrusted, paused: model.current().paused };
    const text = JSON.stringify(facts);
    if (text === told && !again) return;
    told = text;
    link.tell(WindowChanged, facts);
  };

  const showProblems = (problems: readonly string[]) => {
    for (const problem of problems) {
      log.warn(`settings: ${problem}`);
      void openSettings(problem);
    }
  };
  showProblems(read.problems);
  store.add(
    onSettingsChange(() => {
      const before = read.problems;
      read = readSettings();
      showProblems(read.problems.filter((problem) => !before.includes(problem)));
      model.change({ mode: read.settings.mode });
      tellSettings();
    }),
  );
  store.add(
    terminals.onDidChange(() => {
      timer ??= setTimeout(tellTerminals, gatherMs);
    }),
  );
  store.add({ dispose: () => clearTimeout(timer) });
  store.add(workspace.onDidGrantWorkspaceTrust(() => tellWindow()));
  model.watch(() => tellWindow());
  return {
    greet: () => {
      tellSettings();
      tellTerminals();
      tellWindow(true);
    },
    settings: () => read,
  };
}
