import type { Page } from "playwright-core";
import { until } from "../support/until.ts";
import type { QuickInput } from "./quickInput.ts";
import { quickInput } from "./quickInput.ts";

export type TerminalPanel = {
  /** A new terminal, with a prompt in it. */
  readonly openTerminal: () => Promise<void>;
  /** Types key by key into the shown terminal, at a person's pace: agents take a faster burst for a paste. */
  readonly typeInTerminal: (text: string, keyMs?: number) => Promise<void>;
  readonly pressInTerminal: (key: string) => Promise<void>;
  /** The visible rows of the shown terminal. */
  readonly terminalText: () => Promise<string>;
  /** Waits for words on the screen of the shown terminal and returns the screen. */
  readonly terminalShows: (words: string | RegExp, timeoutMs?: number) => Promise<string>;
};

export function terminalPanel(page: Page): TerminalPanel {
  const shown = page.locator(".terminal-wrapper.active");
  const { palette }: Pick<QuickInput, "palette"> = quickInput(page);

  const terminalText = async () => {
    const rows = await shown.locator(".xterm-rows").last().innerText({ timeout: 5_000 });
    return rows.replaceAll("\u00a0", " ");
  };
  const terminalShows = (words: string | RegExp, timeoutMs?: number) =>
    until(
      `${String(words)} in the terminal`,
      async () => {
        const text = await terminalText();
        if (typeof words === "string" ? text.includes(words) : words.test(text)) return text;
        throw new Error(`it shows\n${text.trimEnd()}`);
      },
      timeoutMs,
    );
  const focus = () => shown.locator(".xterm-helper-textarea").last().focus();
  return {
    openTerminal: async () => {
      const before = await page.locator(".terminal-wrapper").count();
      await palette("Terminal: Create New Terminal");
      await until("a new terminal", async () => (await page.locator(".terminal-wrapper").count()) > before);
      await terminalShows(/[$#%>]\s*$/m);
    },
    typeInTerminal: async (text, keyMs = 15) => {
      await focus();
      await page.keyboard.type(text, { delay: keyMs });
    },
    pressInTerminal: async (key) => {
      await focus();
      await page.keyboard.press(key);
    },
    terminalText,
    terminalShows,
  };
}
