import type { Page } from "playwright-core";
import { until } from "../support/until.ts";

export type Editors = {
  /** Types at the end of the open document whose URI holds these words, which it waits for. */
  readonly typeInEditor: (uriPart: string, text: string) => Promise<void>;
  /** The lines of that document that are on the screen. */
  readonly editorText: (uriPart: string) => Promise<string>;
  /** Clicks a link that stands above a line. */
  readonly codeLens: (title: string) => Promise<void>;
};

export function editors(page: Page): Editors {
  const shown = (uriPart: string) => page.locator(`.editor-instance .monaco-editor[data-uri*="${uriPart}"]`).first();
  const lines = async (uriPart: string) => {
    const text = await shown(uriPart).locator(".view-lines").first().innerText({ timeout: 20_000 });
    return text.replaceAll("\u00a0", " ");
  };
  return {
    typeInEditor: async (uriPart, text) => {
      await shown(uriPart).locator(".view-lines").first().click();
      await page.keyboard.press("ControlOrMeta+End");
      await page.keyboard.insertText(text);
      const last = text.trimEnd().split("\n").at(-1) ?? "";
      await until("the words in the editor", async () => (await lines(uriPart)).includes(last));
    },
    editorText: lines,
    codeLens: (title) => page.locator(".codelens-decoration a").filter({ hasText: title }).first().click(),
  };
}
