import { env, type LogOutputChannel, type Terminal, type TerminalShellIntegration, window } from "vscode";
import { ListClears } from "../server/protocol/messages.ts";
import type { Acts } from "./act.ts";
import type { Link } from "./link.ts";
import type { ModelStore } from "./model.ts";
import { inform, warn } from "./notify.ts";
import { findAgent } from "./words/fullness.ts";
import { commandText, resumeCommand } from "./words/reconnect.ts";
import { say } from "./words/say.ts";
import { clearRow, type Past, undoWords as words } from "./words/undo.ts";

/** A fresh shell needs a moment before it tells where its prompts are. */
const shellMs = 15_000;

export type Undo = {
  /** *Undo Clear…*: a list of every clear in the log. */
  readonly pick: () => Promise<void>;
  /** The clear of this reset. `from`: where it was clicked. */
  readonly one: (resetId: string, from: "question" | "menu") => Promise<void>;
  /** Past clears, newest first; none where the worker does not tell in time. */
  readonly past: (withinMs: number) => Promise<readonly Past[]>;
};

export function createUndo(link: Link, model: ModelStore, acts: Acts, log: LogOutputChannel): Undo {
  async function pick(): Promise<void> {
    const answer = await link.ask(ListClears, {});
    if (answer.kind === "none") return warn(say.noAnswer);
    const now = Date.now();
    const { view } = model.current();
    const rows = answer.value.clears.map((past) => ({
      ...clearRow(past, findAgent(view, past.instanceId), now),
      past,
    }));
    if (rows.length === 0) return inform(words.nothing);
    const options = { title: words.title, placeHolder: words.hint, matchOnDescription: true, matchOnDetail: true };
    const picked = await window.showQuickPick(rows, options);
    if (picked !== undefined) await goBack(picked.past, "menu");
  }

  async function one(resetId: string, from: "question" | "menu"): Promise<void> {
    const answer = await link.ask(ListClears, {});
    if (answer.kind === "none") return warn(say.noAnswer);
    const past = answer.value.clears.find((clear) => clear.resetId === resetId);
    if (past === undefined) await inform(words.gone);
    else await goBack(past, from);
  }

  async function goBack(past: Past, from: "question" | "menu"): Promise<void> {
    const { view } = model.current();
    const agent = findAgent(view, past.instanceId);
    if (agent !== undefined && past.inPlace) {
      await acts.approve(agent, { kind: "undo", conversationId: past.conversationId }, from);
      return;
    }
    // Two processes in one conversation would write over each other.
    const runsThere = view?.agents.some(({ conversationId }) => conversationId === past.conversationId);
    if (view === undefined || agent !== undefined || runsThere) await inform(words.stillRuns);
    else await resume(past);
  }

  /** In a shell of its own, so that its prompt box can be seen from the beginning. */
  async function resume({ agent, conversationId, cwd }: Past): Promise<void> {
    const command = resumeCommand(agent, conversationId, []);
    const terminal = window.createTerminal(cwd === undefined ? {} : { cwd });
    terminal.show();
    const shell = await shellOf(terminal);
    log.info(`undo: resumes in a new terminal, shell integration ${shell === undefined ? "missing" : "present"}`);
    if (shell !== undefined) {
      // A shell that was just made for this: nothing runs in it that could be interrupted.
      shell.executeCommand(command.executable, [...command.args]);
      return;
    }
    const text = commandText(command);
    const picked = await window.showWarningMessage(words.noShell(text), words.copy);
    if (picked !== undefined) await env.clipboard.writeText(text);
  }

  return {
    pick,
    one,
    past: async (withinMs) => {
      const answer = await link.ask(ListClears, {}, withinMs);
      return answer.kind === "answer" ? answer.value.clears : [];
    },
  };
}

function shellOf(terminal: Terminal): Promise<TerminalShellIntegration | undefined> {
  return new Promise((resolve) => {
    const end = (shell: TerminalShellIntegration | undefined) => {
      clearTimeout(late);
      integrated.dispose();
      closed.dispose();
      resolve(shell);
    };
    const late = setTimeout(() => end(undefined), shellMs);
    const integrated = window.onDidChangeTerminalShellIntegration((event) => {
      if (event.terminal === terminal) end(event.shellIntegration);
    });
    const closed = window.onDidCloseTerminal((one) => {
      if (one === terminal) end(undefined);
    });
    if (terminal.shellIntegration !== undefined) end(terminal.shellIntegration);
  });
}
