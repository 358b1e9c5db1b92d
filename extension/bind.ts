import { window } from "vscode";
import { ListConversations, PickConversation } from "../server/protocol/messages.ts";
import type { AgentView } from "../server/protocol/view.ts";
import type { Link } from "./link.ts";
import { inform, warn } from "./notify.ts";
import { bindWords, conversationRow } from "./words/bind.ts";
import { nameOf } from "./words/fullness.ts";
import { say } from "./words/say.ts";

/** *Bind Terminal to Conversation…*: the person says which conversation it is. */
export async function bind(link: Link, agent: AgentView): Promise<void> {
  const listed = await link.ask(ListConversations, { instanceId: agent.instanceId });
  if (listed.kind === "none") {
    await warn(say.noAnswer);
    return;
  }
  const now = Date.now();
  const rows = listed.value.choices.map((choice) => ({ ...conversationRow(choice, now), choice }));
  if (rows.length === 0) {
    await inform(bindWords.nothing(nameOf(agent)));
    return;
  }
  const options = { title: bindWords.title(nameOf(agent)), placeHolder: bindWords.hint, matchOnDescription: true };
  const picked = await window.showQuickPick(rows, options);
  if (picked === undefined) return;
  const answer = await link.ask(PickConversation, {
    instanceId: agent.instanceId,
    conversationId: picked.choice.conversationId,
  });
  if (answer.kind === "none") await warn(say.noAnswer);
  else if (!answer.value.bound) await warn(bindWords.refused(answer.value.reason ?? ""));
}
