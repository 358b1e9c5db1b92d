import { type ExtensionContext, window } from "vscode";
import { startApp } from "./app.ts";
import { createTerminals } from "./terminals.ts";

let running: { readonly close: () => Promise<void> } | undefined;

export function activate(context: ExtensionContext): void {
  // First, and nothing awaited before it: a command whose start was not heard can never be read.
  const terminals = createTerminals(window);
  running = startApp(context, terminals);
}

export async function deactivate(): Promise<void> {
  await running?.close();
}
