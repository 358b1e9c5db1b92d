// Runs a command where nothing can leave this machine: `tsx test/support/netns.ts mocha 'test/e2e/**/*.test.ts'`.
// As root on Linux in a network namespace that has loopback only; elsewhere as it is.
import { execFileSync, spawn } from "node:child_process";
import { ensureAgents } from "../agents/ensureAgents.ts";
import { findChromium } from "../host/chromium.ts";
import { ensureHost } from "../host/ensureHost.ts";

/** `ip` may be missing. sysfs can do it too, once it is mounted from within the namespace. */
const LOOPBACK_UP = [
  "ip link set lo up 2>/dev/null",
  "{ mount -t sysfs plimsoll-sysfs /sys && echo 0x9 > /sys/class/net/lo/flags; } 2>/dev/null",
].join(" || ");
const ALONE = ["unshare", "--net", "--mount", "sh", "-c", `${LOOPBACK_UP} || exit 1; exec "$@"`, "sh"];

const command = process.argv.slice(2);
// What the tests need from outside, while there is an outside.
await ensureHost();
await ensureAgents();
const chrome = findChromium();

const isolated = canIsolate();
if (!isolated) console.warn("The network is not cut off for these tests: that needs root on Linux.");
const [program = "", ...rest] = [...(isolated ? ALONE : []), ...command];
const child = spawn(program, rest, { stdio: "inherit", env: { ...process.env, CHROME_PATH: chrome } });
child.on("error", (error) => {
  console.error(String(error));
  process.exitCode = 1;
});
child.on("exit", (code) => {
  process.exitCode = code ?? 1;
});

function canIsolate(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  const [program = "", ...rest] = ALONE;
  try {
    execFileSync(program, [...rest, "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
