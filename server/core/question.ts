/** What the question needs to know of one agent. */
export type Candidate = {
  readonly instanceId: string;
  readonly conversationId?: string;
  readonly tokens?: number;
  readonly percent?: number;
  /** Over the hard line, measured, and a click could act on it. */
  readonly over: boolean;
  /** The turn is over, or has gone on for longer than the long-turn setting. */
  readonly goodMoment: boolean;
  readonly resetOpen: boolean;
};

/** What is remembered between looks; plain data. */
export type QuestionMemory = {
  readonly open?: OpenQuestion;
  /** *Not Now*, by conversation: quiet until this size (tokens, or percent where tokens are unknown). */
  readonly quiet: Readonly<Record<string, number>>;
  readonly asked: number;
};

export type OpenQuestion = {
  readonly questionId: string;
  readonly instanceId: string;
  readonly conversationId?: string;
  readonly alsoInstanceIds: readonly string[];
  readonly since: number;
};

export const noQuestions: QuestionMemory = { quiet: {}, asked: 0 };

/** *Not Now* is quiet until the conversation has grown by a quarter (DESIGN §1.3). */
const quietGrowth = 1.25;

const sizeOf = ({ tokens, percent }: Candidate): number => tokens ?? percent ?? 0;
const keyOf = ({ conversationId, instanceId }: Candidate): string => conversationId ?? instanceId;

const due = (memory: QuestionMemory, candidate: Candidate): boolean =>
  candidate.over && !candidate.resetOpen && sizeOf(candidate) >= (memory.quiet[keyOf(candidate)] ?? 0);

/**
 * One question at a time (DESIGN §1.3). An open one stays until it is answered or void: its agent is gone, in another
 * conversation, under the line, or being reset.
 */
export function nextQuestion(memory: QuestionMemory, candidates: readonly Candidate[], now: number): QuestionMemory {
  const dueNow = candidates.filter((candidate) => due(memory, candidate));
  const { open } = memory;
  if (open !== undefined) {
    const still = dueNow.some((c) => c.instanceId === open.instanceId && c.conversationId === open.conversationId);
    if (still) return memory;
  }
  const [first, ...others] = dueNow.filter(({ goodMoment }) => goodMoment).sort((a, b) => sizeOf(b) - sizeOf(a));
  if (first === undefined) {
    if (open === undefined) return memory;
    const { open: _answered, ...rest } = memory;
    return rest;
  }
  return {
    ...memory,
    asked: memory.asked + 1,
    open: {
      questionId: `q${memory.asked + 1}`,
      instanceId: first.instanceId,
      ...(first.conversationId === undefined ? {} : { conversationId: first.conversationId }),
      alsoInstanceIds: others.map(({ instanceId }) => instanceId),
      since: now,
    },
  };
}

/** *Not Now*: this agent, and those named in the same question, are quiet until they have grown by a quarter. */
export function snooze(
  memory: QuestionMemory,
  candidates: readonly Candidate[],
  instanceId: string,
  questionId: string | undefined,
): QuestionMemory {
  const { open, ...rest } = memory;
  const answersOpen = open !== undefined && (questionId === undefined || open.questionId === questionId);
  const ids = answersOpen && open.instanceId === instanceId ? [instanceId, ...open.alsoInstanceIds] : [instanceId];
  const quiet = { ...memory.quiet };
  for (const candidate of candidates)
    if (ids.includes(candidate.instanceId)) quiet[keyOf(candidate)] = Math.ceil(sizeOf(candidate) * quietGrowth);
  return answersOpen || open === undefined ? { ...rest, quiet } : { ...rest, quiet, open };
}

/** Until which size a conversation is quiet; undefined: it is not. */
export const quietUntil = (memory: QuestionMemory, candidate: Candidate): number | undefined => {
  const until = memory.quiet[keyOf(candidate)];
  return until !== undefined && sizeOf(candidate) < until ? until : undefined;
};
