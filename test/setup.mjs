// Runs before every npm script that needs the packages: a fresh clone has none. Plain Node, and nothing but Node.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const lock = path.join(root, "package-lock.json");
/** npm's own note of what it has installed. */
const installed = path.join(root, "node_modules/.package-lock.json");
/** The lockfile we installed from: a checkout changes its date, not always its content. */
const stamp = path.join(root, "node_modules/.plimsoll-lock");
const least = [20, 19];

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < least[0] || (major === least[0] && minor < least[1])) {
  console.error(`Plimsoll needs Node ${least.join(".")} or newer to be built; this is ${process.versions.node}.`);
  process.exit(1);
}
if (!isInstalled()) install();

function isInstalled() {
  if (!existsSync(installed)) return false;
  if (statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return true;
  return existsSync(stamp) && readFileSync(stamp, "utf8") === digest();
}

function install() {
  console.error("Installing the packages Plimsoll is built with (once, about half a minute) …");
  const wanted = digest();
  if (!npm("ci") && !npm("install")) {
    console.error("The packages could not be installed: see above, then try again, or run npm install yourself.");
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
}

function npm(command) {
  const args = [command, "--no-audit", "--no-fund", "--loglevel=error"];
  const { status } = spawnSync("npm", args, {
    cwd: root,
    // Its chatter is not the output of the script that was asked for.
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  return status === 0;
}

function digest() {
  return createHash("sha256").update(readFileSync(lock)).digest("hex");
}
