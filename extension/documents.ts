import { EventEmitter, Uri, window, workspace } from "vscode";
import type { DisposableStore } from "./disposables.ts";

const scheme = "plimsoll";

export type Documents = {
  /** Opens a read-only text; opened again under the same name it is replaced. */
  readonly open: (name: string, markdown: string) => Promise<void>;
};

export function createDocuments(store: DisposableStore): Documents {
  const changed = store.add(new EventEmitter<Uri>());
  const texts = new Map<string, string>();
  store.add(
    workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: (uri) => texts.get(uri.path) ?? "",
    }),
  );
  // Closed ones are forgotten.
  store.add(workspace.onDidCloseTextDocument(({ uri }) => uri.scheme === scheme && texts.delete(uri.path)));
  return {
    open: async (name, markdown) => {
      const uri = Uri.from({ scheme, path: `/${name}.md` });
      texts.set(uri.path, markdown);
      changed.fire(uri);
      await window.showTextDocument(await workspace.openTextDocument(uri), { preview: true });
    },
  };
}
