import { execFileSync } from "node:child_process";
import { accessSync, constants, readFileSync } from "node:fs";
import path from "node:path";
import { chromium } from "playwright-core";

const NAMES = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "microsoft-edge",
  "microsoft-edge-stable",
];
const USUAL_PLACES = [
  "/opt/google/chrome/chrome",
  "/opt/microsoft/msedge/msedge",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];

/** A browser to show the workbench in. As root on Debian or Ubuntu it installs one when there is none. */
export function findChromium(): string {
  const chosen = process.env["CHROME_PATH"];
  if (chosen) return chosen;
  const found = installed() ?? (canInstall() ? install() : undefined);
  if (found) return found;
  throw new Error("No browser for the VS Code tests: install Chromium, Chrome or Edge, or set CHROME_PATH to one.");
}

function installed(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(path.delimiter).filter(Boolean);
  const onPath = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return [...onPath, ...USUAL_PLACES, chromium.executablePath()].find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function canInstall(): boolean {
  if (process.getuid?.() !== 0 || !isExecutable("/usr/bin/apt-get")) return false;
  return /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync("/etc/os-release", "utf8"));
}

function install(): string | undefined {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  try {
    execFileSync("apt-get", ["update", "-qq"], { env, stdio: "ignore" });
    execFileSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium"], { env, stdio: "ignore" });
  } catch {
    return undefined;
  }
  return installed();
}
