import { lineText } from "../../server/protocol/lines.ts";
import type { Act } from "../../server/protocol/messages.ts";
import type { AgentView } from "../../server/protocol/view.ts";
import { list } from "./amounts.ts";
import { isBusy, type Typing } from "./can.ts";
import { examplesIn, knowsLinesOf, linesOf, savesFirst, titleOf } from "./choices.ts";
import { shortFigure } from "./figure.ts";
import { nameOf } from "./fullness.ts";
import { lostAndKeptLong, shellsRunOn } from "./lostAndKept.ts";
import { canAllow, isTooFull, savingWords, withoutSave, workflowWords } from "./saving.ts";

/** The dialog before anything is typed: word for word what, what is lost, what stays, how to undo. */
export function confirmation(
  agent: AgentView,
  act: Act,
  typing: Typing,
): { readonly message: string; readonly detail: string; readonly button: string } {
  const detail = [typed(agent, act, typing), ...consequences(agent, act)].join("\n\n");
  const title = act.kind === "reset" && isTooFull(agent) ? withoutSave : titleOf(act);
  return { message: `${title}: ${nameOf(agent)} (${shortFigure(agent)})?`, detail, button: title };
}

function typed(agent: AgentView, act: Act, typing: Typing): string {
  const all = linesOf(act, agent.workflow);
  const lines = (isTooFull(agent) ? all.slice(all.findIndex(({ kind }) => kind === "clear")) : all).map((line) =>
    lineText(agent.agent, line),
  );
  // The saved file of a workflow may be there already.
  if (lines.length === 0) return "Plimsoll types nothing: it checks what the workflow has saved.";
  const after = isBusy(agent) && typing === "types" ? "It waits until the turn has ended. " : "";
  const what = lines.length === 1 ? "" : "one after the other, ";
  // Long lines are wrapped there: without numbers nobody would see where one begins.
  const shown = lines.map((line, index) => (lines.length === 1 ? `    ${line}` : `${index + 1}.  ${line}`)).join("\n");
  const own = act.kind === "reset" && act.carry.length > 0 ? "\n\nThen what you wrote, as it is." : "";
  const examples = examplesIn(lines);
  const example =
    examples.length === 0 ? "" : ` (${list(examples)} ${examples.length === 1 ? "is an example" : "are examples"}.)`;
  const enter =
    typing === "pastes"
      ? "You look at each line and press Enter: Plimsoll can't see the prompt box there."
      : "Before it presses Enter, it looks whether the prompt box shows exactly that line.";
  return `${after}Plimsoll pastes into the terminal of ${nameOf(agent)}, ${what}word for word:\n\n${shown}${own}\n\n${enter}${example}`;
}

function consequences(agent: AgentView, act: Act): readonly string[] {
  const saving = [
    ...(savesFirst(act) ? [...savingWords(agent), ...allowHint(agent), ...workflowWords(agent)] : []),
    ...ownWay(agent),
  ].join(" ");
  const before = saving === "" ? [] : [saving];
  switch (act.kind) {
    case "reset":
      return [
        ...before,
        ...(isTooFull(agent)
          ? []
          : [
              act.review
                ? "/clear is typed only when what it saved was found and checked, and you have looked at it."
                : "/clear is typed only when what it saved was found and checked.",
            ]),
        lostAndKeptLong(agent),
        "To undo: Undo in the result, or “Plimsoll: Undo Clear…” later. Files changed since are not undone.",
      ];
    case "save":
      return [...before, "Nothing is cleared: the conversation goes on as it is."];
    case "compact":
      return [
        ...before,
        [
          "/compact replaces the conversation by the agent's own summary. It is one long step of the agent, and details are lost.",
          ...shellsRunOn(agent),
        ].join(" "),
        "A compaction can't be undone.",
      ];
    case "undo":
      return [
        "The conversation before the clear comes back; the present one is kept on disk. Files changed since are not undone.",
      ];
  }
}

const allowHint = (agent: AgentView): readonly string[] =>
  canAllow(agent) ? ["“Plimsoll: Allow Saving Without Asking” ends that."] : [];

const ownWay = ({ workflow }: AgentView): readonly string[] =>
  knowsLinesOf(workflow) ? [] : ["That workflow is your own: its lines may be others than these."];
