import { type LogOutputChannel, window } from "vscode";
import { kindOf } from "./log.ts";
import type { ModelStore } from "./model.ts";
import { warn } from "./notify.ts";
import { writeLine } from "./settings.ts";
import { choiceWords, habitWords, lineChoices } from "./words/lineChoices.ts";
import { say } from "./words/say.ts";

/** *Change Line…*: usual values; any other stands in the settings editor. */
export async function changeLine(log: LogOutputChannel, model: ModelStore): Promise<void> {
  const { view } = model.current();
  const now = view?.agents[0]?.lines;
  const habit = habitWords(view?.medianTurnTokens);
  const rows = lineChoices.map((choice) => ({ ...choiceWords(choice, now), choice }));
  const picked = await window.showQuickPick(rows, {
    title: say.whichLine,
    ...(habit === undefined ? {} : { placeHolder: habit }),
  });
  if (picked === undefined) return;
  try {
    await writeLine(picked.choice);
  } catch (error) {
    log.warn(`settings: the line could not be written (${kindOf(error)})`);
    await warn(say.lineNotMoved);
  }
}
