import { type QuickPickItem, QuickPickItemKind, window } from "vscode";
import { Check } from "../server/protocol/messages.ts";
import type { AgentView } from "../server/protocol/view.ts";
import type { Link } from "./link.ts";
import { checkRows, checkTitle } from "./words/check.ts";
import { say } from "./words/say.ts";

/** Asks every gate and types nothing; shows what refuses first. */
export async function check(link: Link, agent: AgentView): Promise<void> {
  const answer = await link.ask(Check, { instanceId: agent.instanceId, command: "clear" });
  if (answer.kind === "none") {
    await window.showWarningMessage(say.noAnswer);
    return;
  }
  const rows = checkRows(answer.value.answers).map(
    (row): QuickPickItem =>
      row.kind === "heading"
        ? { label: row.label, kind: QuickPickItemKind.Separator }
        : { ...row, kind: QuickPickItemKind.Default },
  );
  await window.showQuickPick(rows, { title: checkTitle(agent, answer.value.answers), matchOnDetail: true });
}
