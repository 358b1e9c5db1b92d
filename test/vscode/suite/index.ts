// Loaded by VS Code inside its extension host: runs every test file that was built next to this one.
import { readdirSync } from "node:fs";
import path from "node:path";
import Mocha from "mocha";
import { TEST_OUTPUT } from "../../host/testOutput.ts";

export function run(): Promise<void> {
  // Only the reporter's: VS Code keeps its own `console.log` whatever is assigned to it.
  Mocha.reporters.Base.consoleLog = (first: unknown = "", ...rest: readonly unknown[]) =>
    console.log(`${TEST_OUTPUT}${String(first)}`, ...rest);
  const mocha = new Mocha({ ui: "bdd", color: false, timeout: 60_000 });
  const files = readdirSync(__dirname).filter((file) => file.endsWith(".test.cjs"));
  for (const file of files) mocha.addFile(path.join(__dirname, file));
  return new Promise((resolve, reject) => {
    mocha.run((failures) => {
      if (failures === 0) resolve();
      else reject(new Error(`${failures} of the tests inside VS Code failed`));
    });
  });
}
