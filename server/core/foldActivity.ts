import type { PermissionState } from "./conversation.ts";
import type { TranscriptFact } from "./transcript.ts";

/** What the agent did and may do, as far as the records say. */
export type Activity = {
  readonly permission?: PermissionState;
  readonly toolCalls: number;
  readonly answers: number;
  readonly endsWithQuestion: boolean;
  /** Ids of the newest calls and responses: a record repeated later is no news. */
  readonly callIds: readonly string[];
  readonly answerIds: readonly string[];
  /** The next response is a summary for a compaction. */
  readonly isSummary: boolean;
  /** When the last word was, the model's or a prompt's. */
  readonly wordAt?: number;
};

export const noActivity: Activity = {
  toolCalls: 0,
  answers: 0,
  endsWithQuestion: false,
  callIds: [],
  answerIds: [],
  isSummary: false,
};

/** Ids kept of each kind. */
const keptIds = 64;
/** A response's last blocks may be written this long after a later record, ms; what is older tells of a changed clock. */
const lateMostMs = 10_000;

export function foldActivity(activity: Activity, fact: TranscriptFact): Activity {
  switch (fact.kind) {
    case "permission":
      return { ...activity, permission: fact.state };
    case "tool-called":
      return activity.callIds.includes(fact.callId)
        ? activity
        : { ...activity, toolCalls: activity.toolCalls + 1, callIds: kept(activity.callIds, fact.callId) };
    case "usage":
      // An estimate is the agent's own: no response stands behind it.
      return fact.estimate === true ? activity : answered(activity, fact.responseId);
    case "unmetered":
      return answered(activity, fact.responseId);
    case "summarising":
      return { ...activity, isSummary: true };
    case "turn-started":
      return activity.isSummary ? { ...activity, isSummary: false } : activity;
    case "said":
      return isLate(activity, fact.at)
        ? activity
        : { ...activity, endsWithQuestion: fact.isQuestion, ...word(fact.at, activity) };
    case "prompt":
      return { ...activity, endsWithQuestion: false, ...word(fact.at, activity) };
    default:
      return activity;
  }
}

function answered(activity: Activity, responseId: string | undefined): Activity {
  if (responseId !== undefined && activity.answerIds.includes(responseId)) return activity;
  const answerIds = responseId === undefined ? activity.answerIds : kept(activity.answerIds, responseId);
  const answers = activity.answers + (activity.isSummary ? 0 : 1);
  return { ...activity, answers, answerIds, isSummary: false };
}

const kept = (ids: readonly string[], id: string): readonly string[] => [...ids.slice(1 - keptIds), id];

const isLate = ({ wordAt }: Activity, at: number | undefined): boolean =>
  at !== undefined && wordAt !== undefined && at < wordAt && wordAt - at <= lateMostMs;

const word = (at: number | undefined, { wordAt }: Activity): Pick<Activity, "wordAt"> => {
  const latest = at ?? wordAt;
  return latest === undefined ? {} : { wordAt: latest };
};
