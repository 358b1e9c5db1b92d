// A helper extension of the private profile that `npm start` makes: starts the demo agent in an ordinary terminal, as a
// person who types its name would, so that its output can be followed from the beginning.
import path from "node:path";
import * as vscode from "vscode";
import * as z from "zod";

const Manifest = z.object({ demo: z.object({ launcher: z.string(), readme: z.string() }) });

/** After a reload the terminals come back by themselves, or by then not at all. */
const comeBackMs = 5_000;
/** A shell that says nothing of itself by then never will. */
const integrationMs = 15_000;
const started = "started";

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const isAgain = context.workspaceState.get(started) === true;
  if (isAgain && (await comeBack())) return;
  await context.workspaceState.update(started, true);
  const { launcher, readme } = Manifest.parse(context.extension.packageJSON).demo;
  // Plimsoll first: it can't follow a command whose start it didn't hear.
  await vscode.extensions.getExtension("plimsoll.plimsoll")?.activate();
  await vscode.window.showTextDocument(vscode.Uri.file(readme), { preview: false });

  const PATH = [path.dirname(launcher), process.env["PATH"] ?? ""].join(path.delimiter);
  const terminal = vscode.window.createTerminal({ env: { PATH } });
  terminal.show();
  // By its path: a shell's own start-up files may put another `claude` in front.
  const command = process.platform === "win32" ? `& "${launcher}"` : quoted(launcher);
  const integration = await integrationOf(terminal);
  if (integration === undefined) terminal.sendText(command);
  else integration.executeCommand(command);
}

const quoted = (word: string): string => (/^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

function comeBack(): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, comeBackMs);
    const listener = vscode.window.onDidOpenTerminal(done);
    function done(): void {
      clearTimeout(timer);
      listener.dispose();
      resolve(vscode.window.terminals.length > 0);
    }
    if (vscode.window.terminals.length > 0) done();
  });
}

function integrationOf(terminal: vscode.Terminal): Promise<vscode.TerminalShellIntegration | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, integrationMs);
    const listener = vscode.window.onDidChangeTerminalShellIntegration((change) => {
      if (change.terminal === terminal) done();
    });
    function done(): void {
      clearTimeout(timer);
      listener.dispose();
      resolve(terminal.shellIntegration);
    }
    if (terminal.shellIntegration !== undefined) done();
  });
}
