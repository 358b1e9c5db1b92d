import type { Page } from "playwright-core";
import { until } from "../support/until.ts";

export type QuickInput = {
  /** Runs a command by its title, as a person would: F1, type, choose. */
  readonly palette: (title: string) => Promise<void>;
  /** The rows of the open quick pick. */
  readonly quickPickRows: () => Promise<readonly string[]>;
  readonly quickPickChoose: (text: string) => Promise<void>;
  readonly quickPickClose: () => Promise<void>;
  /** Fills the open input box and accepts it. */
  readonly inputBox: (text: string) => Promise<void>;
};

export function quickInput(page: Page): QuickInput {
  const widget = page.locator(".quick-input-widget");
  const box = widget.locator(".quick-input-box input").first();
  const rows = widget.locator(".quick-input-list .monaco-list-row");

  return {
    palette: async (title) => {
      // Not Enter on the first row: the best match of the words may be a longer title.
      const row = widget.getByRole("option", { name: new RegExp(`^${literally(title)}(,|$)`) }).first();
      // The list is made when it opens, so a command that is registered a moment later needs another look.
      await until(`the command ${title}`, async () => {
        // It ran already, though the click itself was not answered in time: its dialog is open.
        if (await page.locator(".monaco-dialog-box").isVisible()) return true;
        // Escape only into the open list: elsewhere it would reach the terminal.
        if (await box.isVisible()) await box.press("Escape");
        await page.keyboard.press("F1");
        await box.waitFor({ state: "visible", timeout: 5_000 });
        await box.fill(`>${title}`, { timeout: 2_000 });
        await row.click({ timeout: 1_000 });
        return true;
      });
    },
    quickPickRows: async () => {
      // Until the command palette that opened it has made way.
      await until("a quick pick", async () => !(await box.inputValue({ timeout: 1_000 })).startsWith(">"));
      await rows.first().waitFor();
      return (await rows.allInnerTexts()).map((text) => text.trim());
    },
    quickPickChoose: async (text) => {
      await rows.filter({ hasText: text }).first().click();
    },
    quickPickClose: async () => {
      await page.keyboard.press("Escape");
      await widget.waitFor({ state: "hidden" });
    },
    inputBox: async (text) => {
      await until("an input box", async () => (await box.isVisible()) && (await rows.count()) === 0);
      await box.fill(text);
      await page.keyboard.press("Enter");
    },
  };
}

function literally(words: string): string {
  return words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
