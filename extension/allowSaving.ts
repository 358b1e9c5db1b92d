import { window } from "vscode";
import { AllowSaving } from "../server/protocol/messages.ts";
import type { AgentView } from "../server/protocol/view.ts";
import type { Link } from "./link.ts";
import { inform, warn } from "./notify.ts";
import { nameOf } from "./words/fullness.ts";
import { allowWords } from "./words/saving.ts";
import { say } from "./words/say.ts";

/** *Allow Saving Without Asking*: one rule in the agent's own settings, after it was shown. */
export async function allowSaving(link: Link, agent: AgentView): Promise<void> {
  const name = nameOf(agent);
  if (agent.agent !== "claude") return inform(allowWords.claudeOnly);
  const options = { modal: true, detail: allowWords.detail };
  const picked = await window.showInformationMessage(allowWords.ask(name), options, allowWords.button);
  if (picked === undefined) return;
  const answer = await link.ask(AllowSaving, { instanceId: agent.instanceId });
  if (answer.kind === "none") await warn(say.noAnswer);
  else if (answer.value.allowed) await inform(allowWords.done(name));
  else await warn(allowWords.notDone(name, answer.value.reason ?? ""));
}
