import { readFile } from "node:fs/promises";
import path from "node:path";
import { chromium, type Page } from "playwright-core";
import { z } from "zod";
import { until } from "../support/until.ts";
import { findChromium } from "./chromium.ts";
import { type Editors, editors } from "./editors.ts";
import { type Notices, notices } from "./notices.ts";
import { type QuickInput, quickInput } from "./quickInput.ts";
import type { Server } from "./server.ts";
import { type StatusBar, statusBar } from "./statusBar.ts";
import { type TerminalPanel, terminalPanel } from "./terminalPanel.ts";

export type WorkbenchOptions = {
  readonly server: Server;
  readonly folder: string;
  readonly developmentExtension?: string;
  /** CommonJS module with `run()`; modal dialogs are refused by VS Code while it runs. */
  readonly extensionTests?: string;
  /** Called before the page loads, e.g. to listen to the test run. */
  readonly prepare?: (page: Page) => Promise<void>;
};

export type Theme = "Default Light Modern" | "Default Dark Modern" | "Default High Contrast";

export type Workbench = StatusBar &
  QuickInput &
  Notices &
  Editors &
  TerminalPanel & {
    readonly page: Page;
    readonly setSettings: (settings: Readonly<Record<string, unknown>>) => Promise<void>;
    readonly setTheme: (name: Theme) => Promise<void>;
    readonly reload: () => Promise<void>;
    readonly screenshot: (file: string) => Promise<void>;
    readonly close: () => Promise<void>;
  };

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Keeps what the workbench and the browser ask for on loopback.
  "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
];

export async function openWorkbench(options: WorkbenchOptions): Promise<Workbench> {
  const { server } = options;
  const origin = `http://127.0.0.1:${server.port}`;
  const browser = await chromium.launch({ executablePath: findChromium(), headless: true, args: FLAGS });
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin });
    const page = await context.newPage();
    if (options.developmentExtension) {
      const script = await readFile(path.join(import.meta.dirname, "developmentMode.js"), "utf8");
      const development = {
        authority: `127.0.0.1:${server.port}`,
        extensions: [options.developmentExtension],
        tests: options.extensionTests,
      };
      await page.addInitScript({
        content: `globalThis.plimsollDevelopment = ${JSON.stringify(development)};\n${script}`,
      });
    }
    await options.prepare?.(page);
    // The server turns `tkn` into a cookie and redirects, so a later reload needs no token.
    await page.goto(`${origin}/?tkn=${server.token}&folder=${encodeURIComponent(options.folder)}`);
    await shown(page);
    return {
      ...statusBar(page),
      ...quickInput(page),
      ...notices(page),
      ...editors(page),
      ...terminalPanel(page),
      page,
      setSettings: (settings) => changeSettings(page, server, settings),
      setTheme: (name) => setTheme(page, server, name),
      reload: async () => {
        // The command, not the browser's reload: that would lose layout changes not yet stored.
        const loaded = page.waitForEvent("load");
        await quickInput(page).palette("Developer: Reload Window");
        await loaded;
        await shown(page);
      },
      screenshot: async (file) => {
        await page.screenshot({ path: file });
      },
      close: () => browser.close(),
    };
  } catch (error) {
    await browser.close();
    throw error;
  }
}

async function shown(page: Page): Promise<void> {
  // The remote indicator appears when the connection to the server stands.
  await page.locator('.part.statusbar .statusbar-item[id="status.host"]').waitFor({ timeout: 90_000 });
}

/** In the editor, as a person would: this server does not notice when the file changes on disk. */
async function changeSettings(page: Page, server: Server, settings: Readonly<Record<string, unknown>>): Promise<void> {
  const read = () => readFile(server.settingsFile, "utf8");
  const current: unknown = JSON.parse(await read());
  const changed = JSON.stringify({ ...z.record(z.string(), z.unknown()).parse(current), ...settings });
  const { palette } = quickInput(page);
  await palette("Preferences: Open User Settings (JSON)");
  const editor = page.locator('.editor-instance .monaco-editor[data-uri$="/settings.json"]');
  await editor.locator(".view-line").first().click();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(changed);
  await page.keyboard.press("ControlOrMeta+S");
  await until("the saved settings", async () => (await read()).trim() === changed);
  await palette("View: Close Editor");
  await editor.waitFor({ state: "detached" });
}

const THEME_FILES: Readonly<Record<Theme, string>> = {
  "Default Light Modern": "light_modern",
  "Default Dark Modern": "dark_modern",
  "Default High Contrast": "hc_black",
};

async function setTheme(page: Page, server: Server, name: Theme): Promise<void> {
  await changeSettings(page, server, { "workbench.colorTheme": name });
  await until(`theme ${name}`, async () => {
    const classes = await page.locator(".monaco-workbench").first().getAttribute("class");
    return classes?.includes(`-themes-${THEME_FILES[name]}-json`);
  });
}
