import { StatusBarAlignment, ThemeColor, window } from "vscode";
import { commandId } from "./commandIds.ts";
import type { DisposableStore } from "./disposables.ts";
import type { Model, ModelStore } from "./model.ts";
import { tooltip } from "./tooltip.ts";
import { type Status, statusOf } from "./words/status.ts";

/** Ages in the hover move on by themselves. */
const refreshMs = 15_000;

/** A view of the model, with no state of its own. */
export function createStatusBar(store: DisposableStore, model: ModelStore): void {
  const item = store.add(window.createStatusBarItem("agents", StatusBarAlignment.Right, 100));
  item.name = "Plimsoll: Context of Agents";
  item.command = commandId("showAgents");
  const show = (now: Model) => {
    const status = statusOf(now);
    if (status === undefined) {
      item.hide();
      return;
    }
    item.text = status.text;
    item.accessibilityInformation = { label: status.label, role: "button" };
    item.backgroundColor = backgrounds[status.colour];
    item.tooltip = tooltip(now, Date.now());
    item.show();
  };
  model.watch(show);
  const timer = setInterval(() => show(model.current()), refreshMs);
  store.add({ dispose: () => clearInterval(timer) });
}

const backgrounds: Readonly<Record<Status["colour"], ThemeColor | undefined>> = {
  plain: undefined,
  warning: new ThemeColor("statusBarItem.warningBackground"),
  error: new ThemeColor("statusBarItem.errorBackground"),
};
