// Stands in for desktop VS Code's executable: takes the arguments @vscode/test-electron gives it, and runs the tests in
// VS Code's server and a headless browser. Exits with the code of the test run.
import path from "node:path";
import { format } from "node:util";
import { z } from "zod";
import { startServer } from "./server.ts";
import { TEST_OUTPUT } from "./testOutput.ts";
import { openWorkbench } from "./workbench.ts";

const TIMEOUT_MS = 300_000;

const given = process.argv.slice(2);
const folder = given.find((argument) => !argument.startsWith("-"));
const developmentExtension = argumentOf("extensionDevelopmentPath");
const extensionTests = argumentOf("extensionTestsPath");
if (!folder || !developmentExtension || !extensionTests) throw new Error("only for running tests");

const env = Object.entries(process.env).flatMap(([name, value]) =>
  name.startsWith("PLIMSOLL_") && value !== undefined ? [[name, value] as const] : [],
);
const server = await startServer({ env: Object.fromEntries(env) });
try {
  const { promise: ended, resolve: end } = deferred();
  const workbench = await openWorkbench({
    server,
    folder: path.resolve(folder),
    developmentExtension,
    extensionTests,
    prepare: async (page) => {
      await page.exposeFunction("codeAutomationLog", (_kind: unknown, words: unknown) => {
        const [first, ...rest] = z.array(z.unknown()).parse(words);
        if (String(first).startsWith(TEST_OUTPUT))
          console.log(format(String(first).slice(TEST_OUTPUT.length), ...rest));
      });
      await page.exposeFunction("codeAutomationExit", (code: unknown) => end(z.number().parse(code)));
    },
  });
  const timer = setTimeout(() => {
    console.error(`the tests inside VS Code did not end within ${TIMEOUT_MS} ms`);
    end(124);
  }, TIMEOUT_MS);
  process.exitCode = await ended;
  clearTimeout(timer);
  await workbench.close();
} finally {
  await server.stop();
}

function argumentOf(name: string): string | undefined {
  const prefix = `--${name}=`;
  return given.find((argument) => argument.startsWith(prefix))?.slice(prefix.length);
}

function deferred(): { readonly promise: Promise<number>; readonly resolve: (code: number) => void } {
  let resolve: (code: number) => void = () => undefined;
  const promise = new Promise<number>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
