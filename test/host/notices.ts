import type { Page } from "playwright-core";

export type Notices = {
  /** Waits for a notification with these words and returns its whole message. */
  readonly toast: (text: string) => Promise<string>;
  readonly toasts: () => Promise<readonly string[]>;
  readonly toastButton: (text: string, button: string) => Promise<void>;
  /** Waits for a modal dialog and returns its text. */
  readonly dialog: () => Promise<string>;
  readonly dialogButton: (button: string) => Promise<void>;
};

export function notices(page: Page): Notices {
  const toasts = page.locator(".notifications-toasts .notification-toast");
  const message = ".notification-list-item-message";
  const dialog = page.locator(".monaco-dialog-box");

  return {
    toast: (text) => toasts.filter({ hasText: text }).first().locator(message).innerText({ timeout: 20_000 }),
    toasts: () => toasts.locator(message).allInnerTexts(),
    toastButton: (text, button) =>
      toasts.filter({ hasText: text }).first().getByRole("button", { name: button, exact: true }).click(),
    dialog: () => dialog.innerText({ timeout: 20_000 }),
    dialogButton: (button) => dialog.getByRole("button", { name: button, exact: true }).click(),
  };
}
