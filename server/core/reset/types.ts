import type * as z from "zod";
import type { LineRef } from "../../protocol/lines.ts";
import type { ResetOutcome } from "../../protocol/messages.ts";
import type { Receipt, StateLook } from "../../protocol/save.ts";
import type * as steps from "../../protocol/steps.ts";

/** The words of the journal (`protocol/steps.ts`) are the words of the machine. */
export type Order = z.infer<typeof steps.Order>;
export type Baseline = z.infer<typeof steps.Baseline>;
export type Evidence = z.infer<typeof steps.Evidence>;
export type Event = z.infer<typeof steps.ResetEvent>;
export type EventOf<K extends Event["kind"]> = Extract<Event, { kind: K }>;
export type SavePlace = z.infer<typeof steps.SavePlace>;

export type Because = { readonly gate?: string; readonly reason: string; readonly remedy: string };

/** Our line stands in the prompt box. `lookUntil`: until then it may be looked at again before Enter, epoch ms. */
type Shown = { readonly presses: number; readonly sequence: number; readonly lookUntil: number };

/**
 * One line on its way through the prompt box: type, look, press, proof (DESIGN §7). Every line goes this way, whatever
 * it is for. `before`: evidence is whatever is newer than that.
 */
export type Submission = {
  readonly line: LineRef;
  readonly before: Baseline;
} /** `because`: it is taken back once it shows. */ & (
  | { readonly step: "typing"; readonly because?: Because }
  | (Shown & { readonly step: "last-look" })
  | (Shown & { readonly step: "pressing" })
  | { readonly step: "erasing"; readonly presses: number; readonly lookUntil: number; readonly because: Because }
  | {
      readonly step: "proof";
      readonly pressedAt: number;
      readonly presses: number;
      readonly workingSeen: boolean;
      /** First seen confirmed at, while its figures settle. */
      readonly confirmedAt?: number;
      readonly looking: boolean;
    }
  /** The person presses Enter: the prompt box cannot be seen. */
  | { readonly step: "handed"; readonly since: number; readonly pasted: boolean }
);

/** The content of the saved state as looked at so far: good after two equal looks (R91). */
export type Looks = {
  readonly last?: StateLook;
  readonly first?: { readonly digest: string; readonly clock: number; readonly toolCalls: number };
};

/** What was saved and where the brief lies. No receipt: the conversation no longer fitted, so it could not save. */
export type Saved = {
  readonly place: SavePlace;
  readonly receipt?: Receipt;
  readonly brief?: { readonly path: string; readonly digest: string; readonly line?: LineRef };
};

type Base = { readonly order: Order; readonly attempt: number };

/** The agent is being asked to save. */
export type Saving = Base & { readonly phase: "saving"; readonly before: Baseline } & (
    | { readonly step: "locking" | "preparing"; readonly assisted: boolean }
    /** `rest`: lines still to come: a workflow's own save command is followed by the request for its proof. */
    | {
        readonly step: "submitting";
        readonly place: SavePlace;
        readonly submission: Submission;
        readonly rest: readonly LineRef[];
      }
    /** Between two lines: the first one's turn has to end. */
    | {
        readonly step: "between";
        readonly place: SavePlace;
        readonly rest: readonly LineRef[];
        readonly since: number;
        readonly asking: boolean;
      }
    | {
        readonly step: "writing";
        readonly place: SavePlace;
        readonly since: number;
        readonly looks: Looks;
        /** The agent asks the person whether it may write, since then. */
        readonly permissionSince?: number;
        /** So long it has waited for the person before, ms. */
        readonly pausedMs: number;
        /** Its turn is over since then, though nothing good is saved. */
        readonly idleSince?: number;
      }
  );

/** Saved, and not cleared yet. */
export type SavedPhase = Base & {
  readonly phase: "saved";
  readonly saved: Saved;
  readonly compactions: number;
  readonly since: number;
} & (
    | { readonly step: "reviewing" }
    /** The person has looked at it; what they changed counts. */
    | { readonly step: "looking-again"; readonly looks: Looks }
    | { readonly step: "briefing" }
    | {
        readonly step: "waiting";
        readonly asking: boolean;
        readonly waitsFor?: string;
        /** Escape was sent, at most once (DESIGN §8.4). */
        readonly escapedAt?: number;
      }
  );

/** From the claim to the end. Compact and undo have nothing saved. */
type Claimed = Base & { readonly before: Baseline; readonly saved?: Saved };

/** What is left to be said in the fresh conversation, oldest first. */
export type Resuming = Claimed & {
  readonly phase: "resuming";
  readonly conversationId: string;
  readonly queue: readonly LineRef[];
  readonly lost: number;
} & (
    | { readonly step: "waiting"; readonly since: number; readonly asking: boolean; readonly because?: Because }
    | { readonly step: "submitting"; readonly submission: Submission }
    /** All is said; the first figure of the fresh conversation is waited for. */
    | { readonly step: "settling"; readonly since: number }
  );

export type Dispatched = Claimed & {
  readonly phase: "dispatched";
  readonly claimedAt: number;
  readonly submission: Submission;
};
export type Confirmed = Claimed & {
  readonly phase: "confirmed";
  readonly claimedAt: number;
  readonly conversationId: string;
};
export type Undecided = Claimed & { readonly phase: "needs-reconcile"; readonly since: number; readonly line: LineRef };

/** Where an agent's one reset stands (DESIGN §8). A field exists only where it has a meaning. */
export type Reset =
  | { readonly phase: "none"; readonly attempt: number }
  | (Base & { readonly phase: "prepared" })
  | (Base & {
      readonly phase: "armed";
      readonly since: number;
      readonly compactions: number;
      readonly waitsFor: string;
      readonly asking: boolean;
    })
  | Saving
  | SavedPhase
  | (Claimed & { readonly phase: "claimed"; readonly assisted: boolean })
  | Dispatched
  | Confirmed
  | Resuming
  | Undecided;

export type Open = Exclude<Reset, { phase: "none" }>;

/**
 * What the gates are asked for. `before`: which line comes next. `look`: the first time; again while it waits; or last,
 * with our line in the prompt box.
 */
export type Question = {
  readonly before: "save" | "act" | "brief";
  readonly look: "first" | "again" | "last";
};

/** What is to be done. Every effect but `end` has exactly one outcome event, failure included. */
export type Effect =
  | { readonly kind: "judge"; readonly attempt: number; readonly question: Question }
  | { readonly kind: "claim"; readonly attempt: number }
  | { readonly kind: "prepare-save"; readonly attempt: number }
  | { readonly kind: "look-at-save"; readonly attempt: number; readonly place: SavePlace }
  | { readonly kind: "write-brief"; readonly attempt: number; readonly saved: Saved }
  | { readonly kind: "collect"; readonly attempt: number; readonly saved: Saved; readonly claimedAt: number }
  | { readonly kind: "escape"; readonly attempt: number }
  | { readonly kind: "type" | "look" | "erase" | "hand-over"; readonly attempt: number; readonly line: LineRef }
  | { readonly kind: "press"; readonly attempt: number; readonly line: LineRef; readonly sequence: number }
  | {
      readonly kind: "end";
      readonly outcome: ResetOutcome;
      readonly because: Because;
      readonly order: Order;
      readonly cleared: boolean;
      readonly saved?: Saved;
      /** Held texts that were not delivered. */
      readonly undelivered: readonly string[];
      readonly lost: number;
      readonly nextConversationId?: string;
      readonly beforeTokens?: number;
      readonly afterTokens?: number;
    };

export type Step = { readonly state: Reset; readonly effects: readonly Effect[] };
