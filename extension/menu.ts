import { type QuickPickItem, QuickPickItemKind, window } from "vscode";
import { Snooze } from "../server/protocol/messages.ts";
import type { CommandName } from "./commandIds.ts";
import type { Link } from "./link.ts";
import type { ModelStore } from "./model.ts";
import type { Undo } from "./undo.ts";
import { findAgent, nameOf } from "./words/fullness.ts";
import { type MenuAction, type MenuRow, menuOf, moreOf } from "./words/menu.ts";
import { why } from "./words/question.ts";
import { say } from "./words/say.ts";

/** The menu does not wait longer for the list of past clears. */
const clearsMs = 400;

export type Menu = {
  /** The menu behind the status bar. Opening it does nothing. */
  readonly open: () => Promise<void>;
  /** The question's *More…*, and each agent's. */
  readonly more: (instanceId: string) => Promise<void>;
};

type Run = (name: CommandName, instanceId?: string) => Promise<void>;

export function createMenu(model: ModelStore, link: Link, undo: Undo, run: Run): Menu {
  async function choose(rows: readonly MenuRow[], title: string): Promise<void> {
    const items = rows.map(toItem);
    const picked = await window.showQuickPick(items, {
      title,
      placeHolder: model.current().mode === "gauge" ? say.gaugeHint : say.menuHint,
      matchOnDescription: true,
    });
    if (picked?.action !== undefined) await act(picked.action);
  }

  async function more(instanceId: string): Promise<void> {
    const agent = findAgent(model.current().view, instanceId);
    if (agent !== undefined) await choose(moreOf(agent, model.current()), `Plimsoll: ${nameOf(agent)}`);
  }

  async function act(action: MenuAction): Promise<void> {
    switch (action.kind) {
      case "act":
        return run(action.choice, action.instanceId);
      case "undo":
        return undo.one(action.resetId, "menu");
      case "more":
        return more(action.instanceId);
      case "not-now":
        await link.ask(Snooze, { instanceId: action.instanceId });
        return;
      case "why": {
        const agent = findAgent(model.current().view, action.instanceId);
        if (agent === undefined) await window.showInformationMessage(say.agentGone);
        else if ((await window.showInformationMessage(why(agent), say.changeLine)) !== undefined)
          await run("changeLine");
        return;
      }
      case "pause":
      case "resume":
      case "changeLine":
      case "doctor":
      case "showLog":
      case "restartWorker":
        return run(action.kind);
      default:
        return run(action.kind, action.instanceId);
    }
  }

  return {
    open: async () => {
      const clears = await undo.past(clearsMs);
      await choose(menuOf(model.current(), Date.now(), clears), "Plimsoll");
    },
    more,
  };
}

type Item = QuickPickItem & { readonly action?: MenuAction };

const toItem = (row: MenuRow): Item =>
  row.kind === "heading"
    ? { label: row.label, kind: QuickPickItemKind.Separator }
    : {
        label: row.label,
        action: row.action,
        ...(row.description === undefined ? {} : { description: row.description }),
        ...(row.detail === undefined ? {} : { detail: row.detail }),
      };
