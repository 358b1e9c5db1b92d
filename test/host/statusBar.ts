import type { Locator, Page } from "playwright-core";

export type StatusItem = {
  /** `<publisher>.<name>.<item id>` for an item of an extension. */
  readonly id: string;
  readonly text: string;
  readonly label: string;
};

export type StatusBar = {
  readonly statusItems: () => Promise<readonly StatusItem[]>;
  /** The item whose id ends with, or whose text contains, the given words. */
  readonly statusItem: (idEndOrText: string) => Promise<StatusItem | undefined>;
  readonly clickStatus: (idEndOrText: string) => Promise<void>;
};

export function statusBar(page: Page): StatusBar {
  const items = page.locator(".part.statusbar .statusbar-item[id]");

  const statusItems = async () => Promise.all((await items.all()).map(read));
  const statusItem = async (wanted: string) => {
    const all = await statusItems();
    return all.find((item) => item.id.endsWith(wanted)) ?? all.find((item) => item.text.includes(wanted));
  };
  return {
    statusItems,
    statusItem,
    clickStatus: async (wanted) => {
      const byId = page.locator(`.part.statusbar .statusbar-item[id$="${wanted}"]`);
      const target = (await byId.count()) > 0 ? byId : items.filter({ hasText: wanted });
      await target.first().locator("a").first().click();
    },
  };
}

async function read(item: Locator): Promise<StatusItem> {
  const options = { timeout: 1_000 };
  try {
    const id = (await item.getAttribute("id", options)) ?? "";
    const label = (await item.locator("a").first().getAttribute("aria-label", options)) ?? "";
    return { id, text: (await item.innerText(options)).trim(), label };
  } catch {
    // It left the bar while it was read.
    return { id: "", text: "", label: "" };
  }
}
