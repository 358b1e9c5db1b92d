import { window } from "vscode";
import { Interrupt } from "../server/protocol/messages.ts";
import type { AgentView } from "../server/protocol/view.ts";
import type { Link } from "./link.ts";
import { warn } from "./notify.ts";
import { nameOf } from "./words/fullness.ts";
import { refusedWords } from "./words/outcome.ts";
import { say } from "./words/say.ts";

const shownMs = 4000;

/** *Interrupt Agent*: at once and without a dialog; what it does is seen in the terminal. */
export async function interrupt(link: Link, agent: AgentView): Promise<void> {
  const answer = await link.ask(Interrupt, { instanceId: agent.instanceId });
  if (answer.kind === "none") await warn(say.noAnswer);
  else if (answer.value.outcome === "refused")
    await warn(refusedWords(agent.name, "interrupt", answer.value.reason, answer.value.remedy));
  else window.setStatusBarMessage(`${nameOf(agent)}: ${say.escapeSent}`, shownMs);
}
