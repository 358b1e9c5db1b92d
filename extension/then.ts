import { Buffer } from "node:buffer";
import {
  CodeLens,
  Disposable,
  EventEmitter,
  type FileChangeEvent,
  FileSystemError,
  type FileSystemProvider,
  FileType,
  type LogOutputChannel,
  languages,
  Range,
  TabInputText,
  Uri,
  window,
  workspace,
} from "vscode";
import type { AgentView } from "../server/protocol/view.ts";
import type { Acts } from "./act.ts";
import { commandId, thenScheme } from "./commandIds.ts";
import type { DisposableStore } from "./disposables.ts";
import type { HeldTexts } from "./heldTexts.ts";
import { kindOf } from "./log.ts";
import type { ModelStore } from "./model.ts";
import { inform } from "./notify.ts";
import { actOf } from "./words/choices.ts";
import { findAgent, nameOf } from "./words/fullness.ts";
import type { Ended } from "./words/outcome.ts";
import { plain } from "./words/plain.ts";
import { say } from "./words/say.ts";
import { thenDocument, thenProblem, thenWords } from "./words/then.ts";

export type Then = {
  /** *Save, Clear, Then…*: a document for what the new conversation should do first. */
  readonly open: (agent: AgentView) => Promise<void>;
  /** Of the document in front. */
  readonly send: () => Promise<void>;
  readonly discard: () => Promise<void>;
  /** Lets go what was delivered, and gives back what was not. */
  readonly ended: (ended: Ended) => readonly string[];
  /** A document with what was not sent, to be sent once more. */
  readonly again: (ended: Ended, text: string) => Promise<void>;
  /** Whether all of these texts are there still. */
  readonly holds: (textIds: readonly string[]) => boolean;
};

export type ThenPorts = {
  readonly store: DisposableStore;
  readonly model: ModelStore;
  readonly acts: Acts;
  readonly held: HeldTexts;
  readonly log: LogOutputChannel;
};

type Draft = { readonly instanceId: string; readonly name: string; bytes: Uint8Array; at: number };

/**
 * What a person writes lives in this window's memory: the file system of these documents has no disk. `contributes` has
 * them saved within an instant, so that VS Code makes no backup of them either.
 */
export function createThen({ store, model, acts, held, log }: ThenPorts): Then {
  /** By path. */
  const drafts = new Map<string, Draft>();
  /** Ids of the texts that were sent, by agent. */
  const sent = new Map<string, readonly string[]>();
  let made = 0;

  const changed = store.add(new EventEmitter<FileChangeEvent[]>());
  store.add(workspace.registerFileSystemProvider(thenScheme, memoryFiles(drafts, changed), { isCaseSensitive: true }));
  store.add(
    languages.registerCodeLensProvider(
      { scheme: thenScheme },
      { provideCodeLenses: ({ uri }) => lensesOf(drafts.get(uri.path)) },
    ),
  );
  // A window that was reloaded shows documents again that are gone.
  closeTabs(() => true).catch((error: unknown) => log.warn(`then: an old document stays open (${kindOf(error)})`));

  async function open(agent: AgentView): Promise<void> {
    const { instanceId } = agent;
    const earlier = [...drafts].find(([, draft]) => draft.instanceId === instanceId)?.[0];
    await show(earlier ?? make(instanceId, nameOf(agent), ""));
  }

  function make(instanceId: string, name: string, text: string): string {
    // A name of its own each time: VS Code may still know the text of a document that was closed.
    made += 1;
    const path = `/${made}/${thenDocument(name)}`;
    drafts.set(path, { instanceId, name, bytes: Buffer.from(text), at: Date.now() });
    return path;
  }

  async function show(path: string): Promise<void> {
    const uri = Uri.from({ scheme: thenScheme, path });
    await window.showTextDocument(await workspace.openTextDocument(uri), { preview: false });
  }

  async function send(): Promise<void> {
    const document = window.activeTextEditor?.document;
    const draft = document && drafts.get(document.uri.path);
    if (document === undefined || draft === undefined) return inform(thenWords.notHere);
    const text = document.getText();
    const problem = thenProblem(text);
    if (problem !== undefined) return inform(problem);
    const { instanceId } = draft;
    const agent = findAgent(model.current().view, instanceId);
    if (agent === undefined) return inform(say.agentGone);
    const heldText = held.hold(text);
    const before = sent.get(instanceId) ?? [];
    sent.set(instanceId, [...before, heldText.textId]);
    const begun = await acts.approve(agent, actOf("resetThen", [heldText]), "menu");
    if (begun === "started") await close(document.uri.path);
    else if (begun === "not") {
      // The document stays as it is.
      held.release([heldText.textId]);
      sent.set(instanceId, before);
    }
  }

  async function discard(): Promise<void> {
    const path = window.activeTextEditor?.document.uri.path;
    if (path !== undefined && drafts.has(path)) await close(path);
    else await inform(thenWords.notHere);
  }

  async function close(path: string): Promise<void> {
    // A document with changes would ask whether to save them.
    await workspace.textDocuments.find(({ uri }) => uri.scheme === thenScheme && uri.path === path)?.save();
    await closeTabs((uri) => uri.path === path);
    drafts.delete(path);
  }

  return {
    open,
    send,
    discard,
    again: ({ instanceId, name }, text) => show(make(instanceId, plain(name, 24), text)),
    holds: (textIds) => textIds.every((textId) => held.textOf(textId) !== undefined),
    ended: ({ instanceId, undelivered }) => {
      const texts = held.takeUndelivered(undelivered);
      held.release(sent.get(instanceId) ?? []);
      sent.delete(instanceId);
      return texts;
    },
  };
}

function lensesOf(draft: Draft | undefined): CodeLens[] {
  if (draft === undefined) return [];
  const top = new Range(0, 0, 0, 0);
  return [
    new CodeLens(top, { title: thenWords.lead(draft.name), command: "" }),
    new CodeLens(top, { title: `$(send) ${thenWords.send}`, command: commandId("sendThen") }),
    new CodeLens(top, { title: `$(trash) ${thenWords.discard}`, command: commandId("discardThen") }),
  ];
}

async function closeTabs(fits: (uri: Uri) => boolean): Promise<void> {
  const tabs = window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(({ input }) => input instanceof TabInputText && input.uri.scheme === thenScheme && fits(input.uri));
  if (tabs.length > 0) await window.tabGroups.close(tabs);
}

/** Only documents that were opened exist; nothing else can be made, moved or listed. */
function memoryFiles(drafts: ReadonlyMap<string, Draft>, changed: EventEmitter<FileChangeEvent[]>): FileSystemProvider {
  const draftAt = (uri: Uri): Draft => {
    const draft = drafts.get(uri.path);
    if (draft === undefined) throw FileSystemError.FileNotFound(uri);
    return draft;
  };
  const refuse = (): never => {
    throw FileSystemError.NoPermissions();
  };
  return {
    onDidChangeFile: changed.event,
    watch: () => new Disposable(() => undefined),
    stat: (uri) => {
      const { bytes, at } = draftAt(uri);
      return { type: FileType.File, ctime: at, mtime: at, size: bytes.byteLength };
    },
    readFile: (uri) => draftAt(uri).bytes,
    writeFile: (uri, content) => {
      const draft = draftAt(uri);
      draft.bytes = Buffer.from(content);
      draft.at = Date.now();
    },
    readDirectory: () => [],
    createDirectory: refuse,
    delete: refuse,
    rename: refuse,
  };
}
