import type { Order, Reset } from "../../../server/core/reset/types.ts";
import {
  approved,
  briefWritten,
  claimed,
  cleared,
  collected,
  compactOrder,
  confirmed,
  good,
  handed,
  judged,
  judgedBlind,
  judgedNo,
  judgedNotYet,
  looked,
  type Make,
  observed,
  prepared,
  pressed,
  reviewed,
  run,
  shown,
  tick,
  twoLines,
} from "./events.ts";

/** From the typed line to Enter; `proof`: what disk says then. */
export const line = (proof: Make = confirmed): readonly Make[] => [shown(), judged(), pressed(), proof];

export const toPreparing = (change: Partial<Order> = {}): readonly Make[] => [approved(change), judged(), claimed()];
export const toSaving = (change: Partial<Order> = {}): readonly Make[] => [...toPreparing(change), prepared()];
export const toWriting = (change: Partial<Order> = {}): readonly Make[] => [...toSaving(change), ...line()];
export const savedWell: readonly Make[] = [looked(good, 0), looked(good, 2000)];
/** It is saved, and the brief is being written; or it is reviewed before. */
export const toSaved = (change: Partial<Order> = {}): readonly Make[] => [...toWriting(change), ...savedWell];
/** The question whether it may be cleared was answered: not yet. */
export const toWaiting = (change: Partial<Order> = {}): readonly Make[] => [
  ...toSaved(change),
  briefWritten(),
  judgedNotYet(),
];
export const toClaimed = (change: Partial<Order> = {}): readonly Make[] => [
  ...toSaved(change),
  briefWritten(),
  judged(),
];
export const toClearing = (change: Partial<Order> = {}): readonly Make[] => [...toClaimed(change), claimed()];
export const toPressed = (change: Partial<Order> = {}): readonly Make[] => [
  ...toClearing(change),
  shown(),
  judged(),
  pressed(),
];
export const toCleared = (change: Partial<Order> = {}): readonly Make[] => [...toClearing(change), ...line(cleared)];
export const toResuming = (change: Partial<Order> = {}, found: Make = collected()): readonly Make[] => [
  ...toCleared(change),
  found,
];
/** The next line of the fresh conversation is being typed. */
export const next: readonly Make[] = [observed({ turn: "idle" }), judged()];
export const toBriefing = (change: Partial<Order> = {}): readonly Make[] => [...toResuming(change), ...next];
export const toSettling = (change: Partial<Order> = {}): readonly Make[] => [...toBriefing(change), ...line()];
export const full = (change: Partial<Order> = {}): readonly Make[] => [
  ...toSettling(change),
  observed({ tokens: 21_000 }),
];

/** One good state for every phase and step, by the path that leads to it. */
const paths = {
  none: [],
  prepared: [approved()],
  armed: [approved(), judgedNotYet()],
  "saving/locking": [approved(), judged()],
  "saving/preparing": toPreparing(),
  "saving/typing": toSaving(),
  "saving/last-look": [...toSaving(), shown()],
  "saving/pressing": [...toSaving(), shown(), judged()],
  "saving/erasing": [...toSaving(), shown(), judgedNo()],
  "saving/proof": [...toSaving(), shown(), judged(), pressed()],
  "saving/handed": [approved(), judgedBlind, claimed(), prepared(), handed()],
  "saving/between": [...toPreparing(), prepared(twoLines), ...line()],
  "saving/writing": toWriting(),
  "saved/reviewing": toSaved({ review: true }),
  "saved/looking-again": [...toSaved({ review: true }), reviewed],
  "saved/briefing": toSaved(),
  "saved/waiting": toWaiting(),
  claimed: toClaimed(),
  "dispatched/typing": toClearing(),
  "dispatched/last-look": [...toClearing(), shown()],
  "dispatched/pressing": [...toClearing(), shown(), judged()],
  "dispatched/erasing": [...toClearing(), shown(), judgedNo()],
  "dispatched/proof": toPressed(),
  "dispatched/handed": [...toSaved(), briefWritten(), judgedBlind, claimed(), handed()],
  confirmed: toCleared(),
  "resuming/waiting": toResuming(),
  "resuming/typing": toBriefing(),
  "resuming/last-look": [...toBriefing(), shown()],
  "resuming/pressing": [...toBriefing(), shown(), judged()],
  "resuming/erasing": [...toBriefing(), shown(), judgedNo()],
  "resuming/proof": [...toBriefing(), shown(), judged(), pressed()],
  "resuming/handed": [...toResuming(), observed({ turn: "idle" }), judgedBlind, handed()],
  "resuming/settling": toSettling(),
  "needs-reconcile": [...toPressed(), tick(11_000)],
} as const satisfies Readonly<Record<string, readonly Make[]>>;

export type SampleName = keyof typeof paths;
type Sample = { readonly name: SampleName; readonly state: Reset };

const isSampleName = (name: string): name is SampleName => name in paths;
export const stateAt = (name: SampleName): Reset => run(paths[name]).state;
export const samples: readonly Sample[] = Object.keys(paths)
  .filter(isSampleName)
  .map((name) => ({ name, state: stateAt(name) }));

/** A compaction whose Enter is out. */
export const compactPressed: readonly Make[] = [
  approved(compactOrder),
  judged(),
  claimed(),
  shown(),
  judged(),
  pressed(),
];
