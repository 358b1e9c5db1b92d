import { commands, window } from "vscode";
import { commandId, titles } from "./commandIds.ts";

/** A toast without a button is cut off after one line of about this many letters. */
const oneLine = 58;

export const inform = (message: string): Promise<void> =>
  show(message, (...buttons) => window.showInformationMessage(message, ...buttons));

export const warn = (message: string): Promise<void> =>
  show(message, (...buttons) => window.showWarningMessage(message, ...buttons));

async function show(message: string, toast: (...buttons: string[]) => Thenable<string | undefined>): Promise<void> {
  const picked = await (message.length > oneLine ? toast(titles.showLog) : toast());
  if (picked !== undefined) await commands.executeCommand(commandId("showLog"));
}
