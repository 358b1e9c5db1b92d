import { type QuickPickItem, QuickPickItemKind, window } from "vscode";
import { Check } from "../server/protocol/messages.ts";
import type { AgentView } from "../server/protocol/view.ts";
import type { Documents } from "./documents.ts";
import type { Link } from "./link.ts";
import { warn } from "./notify.ts";
import { checkRows, checkText, checkTitle } from "./words/check.ts";
import { say } from "./words/say.ts";

/** Asks every gate and types nothing; what refuses comes first. Choosing a row opens all of it as text. */
export async function check(link: Link, documents: Documents, agent: AgentView): Promise<void> {
  const answer = await link.ask(Check, { instanceId: agent.instanceId, goal: "reset" });
  if (answer.kind === "none") {
    await warn(say.noAnswer);
    return;
  }
  const { answers } = answer.value;
  const title = checkTitle(agent, answers);
  const rows = checkRows(answers).map(
    (row): QuickPickItem =>
      row.kind === "heading"
        ? { label: row.label, kind: QuickPickItemKind.Separator }
        : { label: row.label, ...(row.detail === undefined ? {} : { detail: row.detail }) },
  );
  const picked = await window.showQuickPick(rows, { title, placeHolder: say.checkHint, matchOnDetail: true });
  if (picked !== undefined) await documents.open("Plimsoll Check", checkText(title, answers));
}
