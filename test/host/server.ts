import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { descendants, endProcess, endWithUs, isAlive } from "../support/processes.ts";
import { until } from "../support/until.ts";
import { ensureHost } from "./ensureHost.ts";

export type ServerOptions = {
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Added to the small environment of the server, which terminals and extensions inherit. */
  readonly env?: Readonly<Record<string, string>>;
  /** An existing folder of extensions; else a private empty one. */
  readonly extensionsDir?: string;
  readonly installVsix?: string;
  /** Unpacked extension folders to copy into the extensions folder. */
  readonly installFolders?: readonly string[];
};

export type Server = {
  readonly port: number;
  readonly token: string;
  readonly pid: number;
  /** Private temp folder, gone after `stop`. */
  readonly dir: string;
  readonly settingsFile: string;
  /** Copies an unpacked extension into the extensions folder; a reload of the window starts it. */
  readonly install: (folder: string) => Promise<void>;
  readonly stop: () => Promise<void>;
};

const SETTINGS = {
  "security.workspace.trust.enabled": false,
  "workbench.startupEditor": "none",
  "workbench.editor.useModal": "off",
  // The settings file is rewritten in the editor, which is not to add brackets of its own.
  "editor.autoClosingBrackets": "never",
  "editor.autoClosingQuotes": "never",
  "editor.autoIndent": "none",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.enableExperiments": false,
  "telemetry.telemetryLevel": "off",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "update.mode": "none",
  "chat.disableAIFeatures": true,
  // Terminal text can be read from the page only when it is drawn as elements.
  "terminal.integrated.gpuAcceleration": "off",
};

export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const host = await ensureHost();
  const dir = await mkdtemp(path.join(tmpdir(), "plimsoll-host-"));
  const at = (...names: readonly string[]) => path.join(dir, ...names);
  const extensions = options.extensionsDir ?? at("extensions");
  const settingsFile = at("data/User/settings.json");
  const tokenFile = at("token");
  const token = randomBytes(24).toString("hex");
  for (const folder of [extensions, path.dirname(settingsFile), at("home"), at("tmp")]) {
    await mkdir(folder, { recursive: true });
  }
  await writeFile(settingsFile, JSON.stringify({ ...SETTINGS, ...options.settings }, undefined, 2));
  // In a file, so that the process list does not show it.
  await writeFile(tokenFile, token, { mode: 0o600 });
  const env = { ...smallEnvironment(dir), ...options.env };
  const places = ["--server-data-dir", at("server"), "--user-data-dir", at("data"), "--extensions-dir", extensions];

  for (const folder of options.installFolders ?? []) await installFolder(folder, extensions);
  if (options.installVsix) {
    const flags = ["--accept-server-license-terms", ...places, "--install-extension", options.installVsix, "--force"];
    await promisify(execFile)(host.node, [host.serverMain, ...flags], { env });
  }

  const port = await freePort();
  const child = spawn(
    host.node,
    [
      ...[host.serverMain, "--host", "127.0.0.1", "--port", String(port), "--connection-token-file", tokenFile],
      ...["--accept-server-license-terms", ...places],
      // Else terminals get the PATH of a login shell instead of the server's.
      "--force-disable-user-env",
      ...["--disable-telemetry", "--disable-experiments", "--disable-workspace-trust"],
    ],
    { env, detached: true, stdio: ["ignore", "pipe", "pipe"] },
  );
  const { pid } = child;
  if (pid === undefined) throw new Error(`cannot start ${host.node}`);
  const letLive = endWithUs(-pid);
  const logFile = at("server.log");
  const log = createWriteStream(logFile);
  child.stdout.pipe(log);
  child.stderr.pipe(log);

  const stop = async () => {
    // Terminals (and agents in them) leave the server's process group: look them up while they still hang on it.
    const family = isAlive(pid) ? descendants(pid) : [];
    await endProcess(-pid);
    letLive();
    await Promise.all(family.map((member) => endProcess(member)));
    await rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  const readiness = async () => (child.exitCode === null ? (await answers(port)) && "ready" : "ended");
  if ((await until("the VS Code server", readiness, 60_000)) === "ended") {
    const output = await readFile(logFile, "utf8");
    await stop();
    throw new Error(`the VS Code server did not start: ${output}`);
  }
  return { port, token, pid, dir, settingsFile, install: (folder) => installFolder(folder, extensions), stop };
}

/** Nothing of this machine's environment but the way to its programs. */
function smallEnvironment(dir: string): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin",
    HOME: path.join(dir, "home"),
    SHELL: "/bin/bash",
    LANG: "C.UTF-8",
    TMPDIR: path.join(dir, "tmp"),
    XDG_CONFIG_HOME: path.join(dir, "config"),
    XDG_DATA_HOME: path.join(dir, "share"),
    XDG_CACHE_HOME: path.join(dir, "cache"),
    XDG_RUNTIME_DIR: path.join(dir, "tmp"),
    // Without it the server asks the public gallery.
    EXTENSIONS_GALLERY: '{"serviceUrl":""}',
  };
}

const manifestSchema = z.object({ publisher: z.string(), name: z.string(), version: z.string() });

async function installFolder(folder: string, extensions: string): Promise<void> {
  const manifest: unknown = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8"));
  const { publisher, name, version } = manifestSchema.parse(manifest);
  await cp(folder, path.join(extensions, `${publisher}.${name}-${version}`), { recursive: true });
}

async function answers(port: number): Promise<boolean> {
  return (await fetch(`http://127.0.0.1:${port}/version`)).ok;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => {
        if (address !== null && typeof address === "object") resolve(address.port);
        else reject(new Error("no free port"));
      });
    });
  });
}
