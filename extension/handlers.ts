import type { LogOutputChannel } from "vscode";
import {
  EraseLine,
  LookAgain,
  PasteForPerson,
  PressEnter,
  ProbeScreen,
  ResetEnded,
  SendEscape,
  TypeLine,
  ViewChanged,
} from "../server/protocol/messages.ts";
import type { View } from "../server/protocol/view.ts";
import { answer, listen, type Peer } from "../server/protocol/wire.ts";
import type { Typist } from "./typist.ts";
import type { Ended } from "./words/outcome.ts";

export type Ears = {
  readonly onView: (view: View) => void;
  readonly onEnded: (ended: Ended) => void;
};

/** Attaches to one start of the worker; the handlers end with its connection. */
export function attachHandlers(peer: Peer, hands: Typist, ears: Ears, log: LogOutputChannel): void {
  const bad = (method: string) => log.error(`link: ${method} does not fit its schema`);
  answer(peer, ProbeScreen, hands.probe);
  answer(peer, TypeLine, hands.type);
  answer(peer, PressEnter, hands.press);
  answer(peer, LookAgain, hands.lookAgain);
  answer(peer, EraseLine, hands.erase);
  answer(peer, SendEscape, hands.escape);
  answer(peer, PasteForPerson, hands.pasteForPerson);
  listen(peer, ViewChanged, ears.onView, bad);
  listen(peer, ResetEnded, ears.onEnded, bad);
}
