import { type LogOutputChannel, Uri, window, workspace } from "vscode";
import { LastSaved } from "../server/protocol/messages.ts";
import type { AgentView } from "../server/protocol/view.ts";
import type { Link } from "./link.ts";
import { kindOf } from "./log.ts";
import { inform, warn } from "./notify.ts";
import { say } from "./words/say.ts";

/** *Open Last Saved State*. */
export async function openLastSaved(link: Link, log: LogOutputChannel, { instanceId }: AgentView): Promise<void> {
  const answer = await link.ask(LastSaved, { instanceId });
  if (answer.kind === "none") await warn(say.noAnswer);
  else if (answer.value.path === undefined) await inform(say.noSavedState);
  else if (!(await openSaved(log, answer.value.path))) await warn(say.notOpened);
}

/** Opens a saved state in an editor of its own; false: it could not be read. */
export async function openSaved(log: LogOutputChannel, path: string): Promise<boolean> {
  try {
    await window.showTextDocument(await workspace.openTextDocument(Uri.file(path)), { preview: false });
    return true;
  } catch (error) {
    log.warn(`saved state: it could not be opened (${kindOf(error)})`);
    return false;
  }
}
